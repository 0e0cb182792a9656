"""Answers with the limit where more was measured."""

KILLED_BY = ["what_cannot_be_measured_is_a_measuring_error"]


highest_rate_below = highest_rate


def highest_rate(run, start_per_s, interval_s, limit_per_s=math.inf, most_runs=60):
    return min(limit_per_s, highest_rate_below(run, start_per_s, interval_s, math.inf, most_runs))
