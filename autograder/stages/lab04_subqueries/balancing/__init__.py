"""The routing of rows: bucket_of, balancer_for, rebalance."""
