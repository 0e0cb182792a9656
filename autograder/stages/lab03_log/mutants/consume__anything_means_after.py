"""Takes whatever is not before for after."""

KILLED_BY = ["another_time_to_commit_is_refused"]


consume_as_told = consume


def consume(log, offsets, handle, commit, max_bytes=4096):
    return consume_as_told(log, offsets, handle, "before" if commit == "before" else "after", max_bytes)
