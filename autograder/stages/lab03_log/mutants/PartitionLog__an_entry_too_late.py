"""Begins with the first entry of the index that is not before the offset."""

KILLED_BY = [
    "a_read_gives_whole_batches_from_the_one_that_holds_the_offset",
    "the_index_finds_an_offset_without_a_scan",
]


class Segment(Segment):
    def entry_before(self, offset):
        behind = [each for each in self.entries if each[0] >= offset - self.base]
        return behind[0] if behind else self.entries[-1]
