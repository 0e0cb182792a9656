"""PartitionLog: the log of one partition, assembled from its parts."""
