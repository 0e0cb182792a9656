"""Answers with the last rate that kept up, not the highest."""

KILLED_BY = ["a_rate_that_is_too_fast_is_halved_and_never_the_answer"]


def highest_rate(run, start_per_s, interval_s, limit_per_s=math.inf, most_runs=60):
    if not (start_per_s > 0 and interval_s > 0 and most_runs >= 1):
        raise ValueError(f"must be positive, got {start_per_s}, {interval_s}, {most_runs}")
    rate, best = start_per_s, 0.0
    for _ in range(most_runs):
        delay_s = run(rate)
        if not delay_s >= 0:
            raise MeasuringError(f"a delay is 0 s or more, got {delay_s} s at {rate:g} messages/s")
        part = delay_s / interval_s
        if part < 1:
            if rate > limit_per_s:
                raise MeasuringError(f"{rate:g} messages/s were stable, and at most {limit_per_s:g} are possible")
            best = rate
        if 0.9 <= part < 1:
            return rate
        rate = rate * next((factor for below, factor in FACTORS if part < below), 0.5)
    return best
