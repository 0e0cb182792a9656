"""The limits of throughput: highest_rate, rate_limit."""
