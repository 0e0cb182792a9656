"""Lets old segments go behind one that is young enough."""

KILLED_BY = ["whole_old_segments_expire_and_no_other"]


class PartitionLog(PartitionLog):
    def retain(self, now_ms, retention_ms):
        if retention_ms < 0:
            return super().retain(now_ms, retention_ms)
        gone = [each for each in self._segments[:-1] if each.newest_ms() < now_ms - retention_ms]
        for each in gone:
            self._segments.remove(each)
            each.delete()
        return len(gone)
