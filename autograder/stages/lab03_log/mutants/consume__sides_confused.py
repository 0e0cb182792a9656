"""Takes before for after."""

KILLED_BY = ["committing_before_loses_what_was_not_handled", "committing_after_repeats_what_was_not_committed"]


consume_as_told = consume


def consume(log, offsets, handle, commit, max_bytes=4096):
    other = {"before": "after", "after": "before"}
    return consume_as_told(log, offsets, handle, other.get(commit, commit), max_bytes)
