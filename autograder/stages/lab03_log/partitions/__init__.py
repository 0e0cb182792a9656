"""Who gets what: partition_for, StickyPartitioner, assign."""
