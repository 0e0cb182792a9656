"""Takes the magnitude of a negative hash."""

KILLED_BY = ["the_sign_of_a_hash_is_masked"]


def partition_for(key, partitions):
    if partitions < 1:
        raise ValueError(f"a topic has 1 partition or more, got {partitions}")
    number = murmur2(key)
    return (number if number < 2**31 else 2**32 - number) % partitions
