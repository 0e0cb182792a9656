"""The right answers of `TopicClient`: the values of each partition, in the order in which they were sent."""

from collections.abc import Sequence

from autograder.stages.lab03_log.partitions.oracle import partition_for


def values_by_partition(records: Sequence[Sequence[str]], partitions: int) -> dict[str, list[str]]:
    """Return the values of each partition that gets any; a record is (key, value).

    Example: values_by_partition([["Harvard", "a"]], 4) -> {"1": ["a"]}
    """
    found: dict[str, list[str]] = {}
    for key, value in records:
        found.setdefault(str(partition_for(key.encode(), partitions)), []).append(value)
    return found
