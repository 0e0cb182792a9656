"""Takes the hash of kafka-python."""

from kafka.partitioner.default import murmur2


def partition_for(key, partitions):
    if partitions < 1:
        raise ValueError("a topic has at least one partition")
    return (murmur2(key) & 0x7FFFFFFF) % partitions
