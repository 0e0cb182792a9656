"""Begins at the start of the log."""

KILLED_BY = [
    "without_a_crash_every_record_is_handled_once_in_order",
    "committing_before_loses_what_was_not_handled",
    "committing_after_repeats_what_was_not_committed",
]


class FromTheBegin:
    def __init__(self, offsets):
        self.commit = offsets.commit

    def committed(self):
        return 0


consume_as_told = consume


def consume(log, offsets, handle, commit, max_bytes=4096):
    return consume_as_told(log, FromTheBegin(offsets), handle, commit, max_bytes)
