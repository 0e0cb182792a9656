"""Takes records of less than no bytes."""

KILLED_BY = ["bytes_and_partitions_that_cannot_be_meant_are_refused"]


class StickyPartitioner(StickyPartitioner):
    def partition(self, record_bytes):
        return super().partition(max(0, record_bytes))
