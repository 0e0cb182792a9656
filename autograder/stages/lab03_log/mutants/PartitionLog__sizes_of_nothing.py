"""Takes any size of a segment and of the way between entries."""

KILLED_BY = ["what_a_log_cannot_mean_is_refused"]


class PartitionLog(PartitionLog):
    def __init__(self, directory, segment_bytes=1_048_576, index_bytes=4096):
        super().__init__(directory, max(1, segment_bytes), max(1, index_bytes))
