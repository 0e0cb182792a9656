"""Goes elsewhere with the record that would fill the batch."""

KILLED_BY = ["a_partition_is_kept_until_its_batch_is_full"]


class StickyPartitioner(StickyPartitioner):
    def partition(self, record_bytes):
        if record_bytes >= self._left < self._batch_bytes:
            self._left = 0
        return super().partition(record_bytes)
