"""Divides by the time of work that takes none."""

KILLED_BY = ["the_least_of_the_three_binds_and_is_named"]


rate_limit_of_work = rate_limit


def rate_limit(size_bytes, cpu_s, cores, bytes_per_s, framework_per_s):
    if cpu_s == 0 and min(size_bytes, cores, bytes_per_s, framework_per_s) > 0:
        return Limit(0.0, "cpu")
    return rate_limit_of_work(size_bytes, cpu_s, cores, bytes_per_s, framework_per_s)
