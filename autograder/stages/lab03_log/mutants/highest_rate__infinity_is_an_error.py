"""Takes a delay that never ends for a measuring error."""

KILLED_BY = ["a_rate_that_is_too_fast_is_halved_and_never_the_answer"]


highest_rate_of_clocks = highest_rate


def highest_rate(run, start_per_s, interval_s, limit_per_s=math.inf, most_runs=60):
    def finite(rate):
        delay_s = run(rate)
        return -1.0 if math.isinf(delay_s) else delay_s

    return highest_rate_of_clocks(finite, start_per_s, interval_s, limit_per_s, most_runs)
