"""Answers 0 where it may not run or cannot begin."""

KILLED_BY = ["a_search_that_cannot_begin_is_refused"]


highest_rate_that_begins = highest_rate


def highest_rate(run, start_per_s, interval_s, limit_per_s=math.inf, most_runs=60):
    if start_per_s <= 0 or interval_s <= 0 or most_runs < 1:
        return 0.0
    return highest_rate_that_begins(run, start_per_s, interval_s, limit_per_s, most_runs)
