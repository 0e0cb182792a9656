"""PartitionLog: the log of one partition, put together from its parts."""
