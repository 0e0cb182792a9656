"""Does not read over the border of a segment."""

KILLED_BY = [
    "a_read_gives_whole_batches_from_the_one_that_holds_the_offset",
    "a_torn_tail_is_cut_at_the_last_whole_batch",
    "the_last_segment_is_cut_before_its_first_corrupt_batch",
    "a_corrupt_batch_is_never_given_out",
    "segments_that_do_not_follow_each_other_are_refused",
    "what_was_acknowledged_survives_the_kill_of_its_writer",
]


class PartitionLog(PartitionLog):
    def read(self, offset, max_bytes):
        batches = super().read(offset, max_bytes)
        later = [each.base for each in self._segments if batches and each.base > batches[0].base_offset]
        return [each for each in batches if not later or each.base_offset < later[0]]
