"""Reckons with whatever is given."""

KILLED_BY = ["a_limit_of_nothing_is_refused"]


rate_limit_of_something = rate_limit


def rate_limit(size_bytes, cpu_s, cores, bytes_per_s, framework_per_s):
    return rate_limit_of_something(
        max(1, size_bytes), max(0, cpu_s), max(1, cores), max(1e-9, bytes_per_s), max(1e-9, framework_per_s)
    )
