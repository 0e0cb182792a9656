"""Where rows go: bucket_of, balancer, balancer_for, rebalance."""
