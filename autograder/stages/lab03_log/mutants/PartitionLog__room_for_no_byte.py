"""Reads where there is room for no byte."""

KILLED_BY = ["what_a_log_cannot_mean_is_refused"]


class PartitionLog(PartitionLog):
    def read(self, offset, max_bytes):
        return super().read(offset, max(1, max_bytes))
