"""Writes an entry of the index for every batch."""

KILLED_BY = [
    "segments_roll_before_they_outgrow_their_size",
    "the_index_finds_an_offset_without_a_scan",
    "an_index_that_does_not_fit_its_log_is_made_anew",
]


class Segment(Segment):
    def _entry_is_due(self):
        return self.size > 0
