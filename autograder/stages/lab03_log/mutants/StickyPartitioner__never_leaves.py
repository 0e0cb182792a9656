"""Stays at one partition for ever."""

KILLED_BY = ["a_partition_is_kept_until_its_batch_is_full", "bytes_are_spread_evenly"]


class StickyPartitioner(StickyPartitioner):
    def _fewest_bytes(self):
        return self._at
