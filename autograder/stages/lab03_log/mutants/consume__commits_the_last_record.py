"""Commits the offset of the last record, not the one behind it."""

KILLED_BY = [
    "without_a_crash_every_record_is_handled_once_in_order",
    "committing_before_loses_what_was_not_handled",
    "committing_after_repeats_what_was_not_committed",
]


class OneLess:
    def __init__(self, offsets):
        self.committed, self.keep = offsets.committed, offsets.commit

    def commit(self, offset):
        self.keep(offset - 1)


consume_as_told = consume


def consume(log, offsets, handle, commit, max_bytes=4096):
    return consume_as_told(log, OneLess(offsets), handle, commit, max_bytes)
