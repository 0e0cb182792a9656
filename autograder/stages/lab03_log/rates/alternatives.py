"""Other correct solutions of `highest_rate`, `rate_limit`; each must get full marks."""

import math

from autograder.checks.mutant_markers import alternative


# A sequence of ifs, and a list of stable rates.
@alternative("ladder")
def highest_rate(run, start_per_s, interval_s, limit_per_s=math.inf, most_runs=60):
    if start_per_s <= 0 or interval_s <= 0:
        raise ValueError(f"expected a positive rate and interval, got {start_per_s} and {interval_s}")
    if most_runs < 1:
        raise ValueError(f"expected at least one run, got {most_runs}")
    rate, stable = start_per_s, []
    while most_runs > 0:
        most_runs -= 1
        delay = run(rate)
        if math.isnan(delay) or delay < 0:
            raise MeasuringError(f"{delay} s cannot be a delay")
        f = delay / interval_s
        if f < 1:
            stable.append(rate)
            if rate > limit_per_s:
                raise MeasuringError(f"stable at {rate}/s, though {limit_per_s}/s is the limit")
        if f < 0.01:
            rate = rate * 50
        elif f < 0.1:
            rate = rate * 5
        elif f < 0.5:
            rate = rate * 1.75
        elif f < 0.9:
            rate = rate * 1.03
        elif f < 1:
            return rate
        else:
            rate = rate / 2
    return max(stable, default=0.0)


# Starts with the network and replaces it by any lower bound.
@alternative("one_after_another")
def rate_limit(size_bytes, cpu_s, cores, bytes_per_s, framework_per_s):
    if size_bytes < 1 or cpu_s < 0 or cores < 1 or bytes_per_s <= 0 or framework_per_s <= 0:
        raise ValueError("expected sizes and rates above 0, a core at least, and CPU of 0 s or more")
    limit = Limit(bytes_per_s / size_bytes, "network")
    if cpu_s > 0 and cores / cpu_s < limit.rate_per_s:
        limit = Limit(cores / cpu_s, "cpu")
    if framework_per_s < limit.rate_per_s:
        limit = Limit(framework_per_s, "framework")
    return limit
