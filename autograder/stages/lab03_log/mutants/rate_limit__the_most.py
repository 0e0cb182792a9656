"""Takes the largest of the three."""

KILLED_BY = ["the_least_of_the_three_binds_and_is_named"]


def rate_limit(size_bytes, cpu_s, cores, bytes_per_s, framework_per_s):
    if size_bytes < 1 or cores < 1 or not (cpu_s >= 0 and bytes_per_s > 0 and framework_per_s > 0):
        raise ValueError("expected what can be meant")
    limits = [Limit(bytes_per_s / size_bytes, "network"), Limit(framework_per_s, "framework")]
    return max([*limits, Limit(cores / cpu_s if cpu_s else 0.0, "cpu")], key=attrgetter("rate_per_s"))
