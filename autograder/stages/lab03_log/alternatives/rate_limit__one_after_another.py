"""Begins with the network and lets the others take over where they are less."""


def rate_limit(size_bytes, cpu_s, cores, bytes_per_s, framework_per_s):
    if size_bytes < 1 or cpu_s < 0 or cores < 1 or bytes_per_s <= 0 or framework_per_s <= 0:
        raise ValueError("expected sizes and rates above 0, a core at least, and CPU of 0 s or more")
    limit = Limit(bytes_per_s / size_bytes, "network")
    if cpu_s > 0 and cores / cpu_s < limit.rate_per_s:
        limit = Limit(cores / cpu_s, "cpu")
    if framework_per_s < limit.rate_per_s:
        limit = Limit(framework_per_s, "framework")
    return limit
