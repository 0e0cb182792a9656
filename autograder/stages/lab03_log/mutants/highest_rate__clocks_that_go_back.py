"""Takes a delay below zero for none at all."""

KILLED_BY = ["what_cannot_be_measured_is_a_measuring_error"]


highest_rate_of_clocks = highest_rate


def highest_rate(run, start_per_s, interval_s, limit_per_s=math.inf, most_runs=60):
    return highest_rate_of_clocks(lambda rate: max(0.0, run(rate)), start_per_s, interval_s, limit_per_s, most_runs)
