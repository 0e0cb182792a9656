"""A partition with replicas: ReplicatedPartition."""
