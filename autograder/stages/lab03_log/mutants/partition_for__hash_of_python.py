"""Uses Python's own hash, which is another in every process."""

KILLED_BY = ["a_key_goes_where_kafka_puts_it", "the_sign_of_a_hash_is_masked"]


def partition_for(key, partitions):
    if partitions < 1:
        raise ValueError(f"a topic has 1 partition or more, got {partitions}")
    return hash(key) % partitions
