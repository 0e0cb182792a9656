"""Names the first by the alphabet of equal bounds."""

KILLED_BY = ["the_least_of_the_three_binds_and_is_named"]


rate_limit_in_order = rate_limit


def rate_limit(size_bytes, cpu_s, cores, bytes_per_s, framework_per_s):
    rate, bound = rate_limit_in_order(size_bytes, cpu_s, cores, bytes_per_s, framework_per_s)
    equal = [
        bound,
        *(["cpu"] if cpu_s and cores / cpu_s == rate else []),
        *(["framework"] if framework_per_s == rate else []),
    ]
    return Limit(rate, min(equal))
