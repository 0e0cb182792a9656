"""Begins with the first record that is young enough, in the middle of a segment."""

KILLED_BY = ["reading_outside_the_log_says_where_it_begins_and_ends", "whole_old_segments_expire_and_no_other"]


class PartitionLog(PartitionLog):
    young = 0

    def retain(self, now_ms, retention_ms):
        gone = super().retain(now_ms, retention_ms)
        oldest = (
            each for each in self._from(super().start_offset) if each[0].max_timestamp_ms >= now_ms - retention_ms
        )
        self.young = next((header.base_offset for header, _ in oldest), self.end_offset)
        return gone

    @property
    def start_offset(self):
        return max(self.young, super().start_offset)
