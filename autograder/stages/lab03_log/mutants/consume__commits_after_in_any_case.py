"""Commits after it handled, whatever is asked for."""

KILLED_BY = ["committing_before_loses_what_was_not_handled"]


consume_as_told = consume


def consume(log, offsets, handle, commit, max_bytes=4096):
    return consume_as_told(log, offsets, handle, "after" if commit == "before" else commit, max_bytes)
