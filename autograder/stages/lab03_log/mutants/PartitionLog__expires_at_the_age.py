"""Lets a segment go when it is just as old as the retention."""

KILLED_BY = ["whole_old_segments_expire_and_no_other"]


class PartitionLog(PartitionLog):
    def retain(self, now_ms, retention_ms):
        return super().retain(now_ms + 1, retention_ms)
