"""Looks only at headers when it is opened."""

KILLED_BY = ["the_last_segment_is_cut_before_its_first_corrupt_batch"]


class Segment(Segment):
    def load(self, every_crc):
        self.index.write_bytes(b"") if every_crc else None
        super().load(every_crc=False)
