"""Begins a new segment for a batch that would have filled the old one to the byte."""

KILLED_BY = [
    "segments_roll_before_they_outgrow_their_size",
    "the_index_finds_an_offset_without_a_scan",
    "a_corrupt_batch_is_never_given_out",
    "an_index_that_does_not_fit_its_log_is_made_anew",
    "whole_old_segments_expire_and_no_other",
]


class PartitionLog(PartitionLog):
    def append(self, batch, records):
        self._segment_bytes -= 1
        try:
            return super().append(batch, records)
        finally:
            self._segment_bytes += 1
