"""Cuts a segment whose end is torn at its begin."""

KILLED_BY = ["a_torn_tail_is_cut_at_the_last_whole_batch", "the_last_segment_is_cut_before_its_first_corrupt_batch"]


class Segment(Segment):
    def load(self, every_crc):
        super().load(every_crc)
        if every_crc and self.log.stat().st_size > self.size:
            self.entries, self.size, self.end = [(0, 0)], 0, self.base
            self.index.write_bytes(b"")
