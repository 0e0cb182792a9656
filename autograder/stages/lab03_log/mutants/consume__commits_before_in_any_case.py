"""Commits before it handles, whatever is asked for."""

KILLED_BY = ["committing_after_repeats_what_was_not_committed"]


consume_as_told = consume


def consume(log, offsets, handle, commit, max_bytes=4096):
    return consume_as_told(log, offsets, handle, "before" if commit == "after" else commit, max_bytes)
