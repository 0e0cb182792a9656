"""Skips an offset whenever it is opened."""

KILLED_BY = [
    "offsets_rise_by_one_without_gap_or_repeat",
    "a_read_gives_whole_batches_from_the_one_that_holds_the_offset",
    "segments_roll_before_they_outgrow_their_size",
    "the_index_finds_an_offset_without_a_scan",
    "what_is_no_whole_batch_is_refused_and_writes_nothing",
    "a_torn_tail_is_cut_at_the_last_whole_batch",
    "the_last_segment_is_cut_before_its_first_corrupt_batch",
    "a_corrupt_batch_is_never_given_out",
    "an_index_that_does_not_fit_its_log_is_made_anew",
    "segments_that_do_not_follow_each_other_are_refused",
    "whole_old_segments_expire_and_no_other",
    "what_was_acknowledged_survives_the_kill_of_its_writer",
    "a_full_disk_leaves_the_log_as_it_was",
]


class PartitionLog(PartitionLog):
    def recover(self):
        cut = super().recover()
        self._segments[-1].end += self.end_offset > 0
        return cut
