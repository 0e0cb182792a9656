"""Begins one entry of the index before the right one."""

KILLED_BY = ["the_index_finds_an_offset_without_a_scan"]


class Segment(Segment):
    def entry_before(self, offset):
        right = self.entries.index(super().entry_before(offset))
        return self.entries[max(0, right - 1)]
