"""Begins a new segment when the old one is full, whatever the next batch takes."""

KILLED_BY = ["segments_roll_before_they_outgrow_their_size"]


class PartitionLog(PartitionLog):
    def append(self, batch, records):
        allowed, size = self._segment_bytes, self._segments[-1].size
        self._segment_bytes = size if size >= allowed else 1 << 40
        try:
            return super().append(batch, records)
        finally:
            self._segment_bytes = allowed
