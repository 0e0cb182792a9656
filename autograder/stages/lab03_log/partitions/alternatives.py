"""Other correct solutions of `partition_for`, `StickyPartitioner`, `assign`; each must get full marks."""

import heapq
from itertools import pairwise

from kafka.partitioner.default import murmur2

from autograder.checks.mutant_markers import alternative


# Partitions in a heap, by the bytes that they hold; the one in use is not in it.
@alternative("heap")
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
            full = (self._total, self._turns, self._current)  # of equal ones, the least recently used
            self._total, _, self._current = heapq.heappushpop(self._waiting, full)
            self._turns += 1
            self._batch = 0
        self._batch += record_bytes
        self._total += record_bytes
        return self._current


# Starts with the previous owners, assigns free partitions, then moves one partition at a time from most to least.
@alternative("moves_one_by_one")
def assign(partitions, members, previous):
    names = sorted(members)
    if partitions < 0:
        raise ValueError(f"expected 0 partitions or more, got {partitions}")
    if any(one == other for one, other in pairwise(names)):
        raise ValueError(f"expected each member once, got {names}")
    if not names:
        return {}
    owner = {}
    for name in reversed(names):
        owner.update(dict.fromkeys(previous.get(name, ()), name))
    owned = {name: {at for at in range(partitions) if owner.get(at) == name} for name in names}

    def least():
        return min(names, key=lambda name: (len(owned[name]), name))

    def most():
        return max(names, key=lambda name: (len(owned[name]), name))

    for partition in range(partitions):
        if owner.get(partition) not in owned:
            owned[least()].add(partition)
    while len(owned[most()]) > len(owned[least()]) + 1:
        richest = most()
        moves = max(owned[richest])
        owned[richest].remove(moves)
        owned[least()].add(moves)
    return {name: sorted(own) for name, own in owned.items()}


# Byte by byte and without `struct`, as Kafka's Utils.murmur2 does it in Java.
@alternative("as_in_java")
def partition_for(key, partitions):
    if partitions <= 0:
        raise ValueError(f"expected a positive number of partitions, got {partitions}")
    return (murmur2(key) % 2**31) % partitions


# Byte by byte and without `struct`, as Kafka's Utils.murmur2 does it in Java.
@alternative("as_in_java", task="partition_for")
def murmur2(data):
    m, h = 0x5BD1E995, (0x9747B28C ^ len(data)) % 2**32
    at = 0
    while len(data) - at >= 4:
        k = data[at] | data[at + 1] << 8 | data[at + 2] << 16 | data[at + 3] << 24
        k = k * m % 2**32
        k ^= k >> 24
        k = k * m % 2**32
        h = h * m % 2**32 ^ k
        at += 4
    left = len(data) - at
    if left >= 3:
        h ^= data[at + 2] << 16
    if left >= 2:
        h ^= data[at + 1] << 8
    if left >= 1:
        h = (h ^ data[at]) * m % 2**32
    h ^= h >> 13
    h = h * m % 2**32
    return h ^ (h >> 15)


# Uses the hash function of kafka-python.
@alternative("of_kafka_python")
def partition_for(key, partitions):
    if partitions < 1:
        raise ValueError("a topic has at least one partition")
    return (murmur2(key) & 0x7FFFFFFF) % partitions
