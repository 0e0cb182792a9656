"""Leaves what cannot be meant to the remainder."""

KILLED_BY = ["a_number_of_partitions_below_one_is_refused"]


def partition_for(key, partitions):
    return (murmur2(key) & 0x7FFFFFFF) % partitions
