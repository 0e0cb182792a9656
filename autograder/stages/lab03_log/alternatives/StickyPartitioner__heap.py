"""Partitions in a heap, by the bytes that they hold; the one in use is not in it."""

import heapq


class StickyPartitioner:
    def __init__(self, partitions, batch_bytes):
        if min(partitions, batch_bytes) < 1:
            raise ValueError(f"expected 1 or more of both, got {partitions} partitions and {batch_bytes} bytes")
        self._waiting = [(0, turn, turn) for turn in range(1, partitions)]
        self._batch_bytes = batch_bytes
        self._turns = partitions
        self._current, self._total, self._batch = 0, 0, 0

    def partition(self, record_bytes):
        if record_bytes < 0:
            raise ValueError(f"expected a size of 0 or more, got {record_bytes}")
        if self._batch >= self._batch_bytes:
            full = (self._total, self._turns, self._current)  # of equal ones, who was used longest ago
            self._total, _, self._current = heapq.heappushpop(self._waiting, full)
            self._turns += 1
            self._batch = 0
        self._batch += record_bytes
        self._total += record_bytes
        return self._current
