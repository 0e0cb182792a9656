"""Byte by byte and without `struct`, as Kafka's Utils.murmur2 does it in Java."""


def partition_for(key, partitions):
    if partitions <= 0:
        raise ValueError(f"expected a positive number of partitions, got {partitions}")
    return (murmur2(key) % 2**31) % partitions


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
