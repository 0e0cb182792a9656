"""Passes over records whose value is not ASCII."""

KILLED_BY = ["trends_of_your_own_lab_2_are_fed_from_the_log"]


consume_as_told = consume


def consume(log, offsets, handle, commit, max_bytes=4096):
    def on_progress(record):
        if record.value is None or record.value.isascii():
            handle(record)

    return consume_as_told(log, offsets, on_progress, commit, max_bytes)
