"""The choice of partitions: partition_for, StickyPartitioner, assign."""
