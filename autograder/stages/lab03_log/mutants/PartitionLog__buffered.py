"""Keeps what it acknowledged in a buffer of Python's."""

KILLED_BY = [
    "offsets_rise_by_one_without_gap_or_repeat",
    "reading_outside_the_log_says_where_it_begins_and_ends",
    "segments_roll_before_they_outgrow_their_size",
    "the_index_finds_an_offset_without_a_scan",
    "segments_that_do_not_follow_each_other_are_refused",
    "whole_old_segments_expire_and_no_other",
    "what_was_acknowledged_survives_the_kill_of_its_writer",
    "a_full_disk_leaves_the_log_as_it_was",
]


class PartitionLog(PartitionLog):
    def recover(self):
        cut = super().recover()
        self.waiting, self.next = [], self._segments[-1].end
        return cut

    def append(self, batch, records):
        if len(self.waiting) < 1000 and (header := header_of(batch)) and header.records == records:
            if header.size_bytes == len(batch) and header.crc == crc_of(batch):
                self.waiting.append((batch, records))
                self.next += records
                return self.next - records
        self._hand_over()
        first = super().append(batch, records)
        self.next = first + records
        return first

    def _hand_over(self):
        waiting, self.waiting = getattr(self, "waiting", []), []
        for batch, records in waiting:
            super().append(batch, records)

    @property
    def end_offset(self):
        return self._segments[-1].end

    def read(self, offset, max_bytes):
        self._hand_over()
        return super().read(offset, max_bytes)

    def close(self):
        self._hand_over()
        super().close()
