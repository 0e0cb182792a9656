"""Takes any rate above the limit for a measuring error, also one that did not keep up."""

KILLED_BY = ["what_cannot_be_measured_is_a_measuring_error"]


highest_rate_below = highest_rate


def highest_rate(run, start_per_s, interval_s, limit_per_s=math.inf, most_runs=60):
    def strict(rate):
        return run(rate) if rate <= limit_per_s else -1.0

    return highest_rate_below(strict, start_per_s, interval_s, limit_per_s, most_runs)
