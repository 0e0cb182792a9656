"""The routing of rows: bucket_of, balancer, balancer_for, rebalance."""
