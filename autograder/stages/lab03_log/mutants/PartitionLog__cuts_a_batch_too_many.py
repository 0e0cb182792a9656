"""Cuts a tail that is torn together with the whole batch before it."""

KILLED_BY = ["a_torn_tail_is_cut_at_the_last_whole_batch", "the_last_segment_is_cut_before_its_first_corrupt_batch"]


class Segment(Segment):
    def load(self, every_crc):
        super().load(every_crc)
        if every_crc and self.log.stat().st_size > self.size:
            headers = [header for header, _ in islice(self.walk((0, 0)), self._count() - 1)]
            self.entries, self.size, self.end = [(0, 0)], 0, self.base
            for header in headers:
                self._take(header)
            self.index.write_bytes(b"".join(starmap(ENTRY.pack, self.entries[1:])))

    def _count(self):
        headers = []
        with suppress(CorruptBatch):
            headers += (header for header, _ in self.walk((0, 0)) if header.base_offset < self.end)
        return max(1, len(headers))
