"""Reckons with one core."""

KILLED_BY = ["the_least_of_the_three_binds_and_is_named"]


rate_limit_of_cores = rate_limit


def rate_limit(size_bytes, cpu_s, cores, bytes_per_s, framework_per_s):
    return rate_limit_of_cores(size_bytes, cpu_s, min(1, cores), bytes_per_s, framework_per_s)
