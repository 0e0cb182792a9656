"""Takes the remainder of the unsigned hash."""

KILLED_BY = ["the_sign_of_a_hash_is_masked"]


def partition_for(key, partitions):
    if partitions < 1:
        raise ValueError(f"a topic has 1 partition or more, got {partitions}")
    return murmur2(key) % partitions
