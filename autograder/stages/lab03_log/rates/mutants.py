"""Wrong versions of `highest_rate`, `rate_limit`, each with the checks that must catch it."""

from autograder.verify.marks import mutant, right

RATE_TOO = "a_rate_that_is_too_fast_is_halved_and_never_the_answer"
LEAST_THREE = "the_least_of_the_three_binds_and_is_named"
RATE_CLIMBS = "the_rate_climbs_by_the_steps_of_the_rule"
CANNOT_MEASURED = "what_cannot_be_measured_is_a_measuring_error"

# highest_rate


@right
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
            best = max(best, rate)
        if 0.9 <= part < 1:
            return rate
        rate = rate * next((factor for below, factor in FACTORS if part < below), 0.5)
    return best


highest_rate_below = highest_rate


# Knows no limit.
@mutant("above_the_limit", CANNOT_MEASURED)
def highest_rate(run, start_per_s, interval_s, limit_per_s=math.inf, most_runs=60):
    return highest_rate_below(run, start_per_s, interval_s, math.inf, most_runs)


mutant("accepts_the_interval", RATE_TOO, ("= part <", "= part <="))  # Accepts a delay as long as the interval.
mutant(
    "accepts_whatever_keeps_up", [RATE_CLIMBS, RATE_TOO, CANNOT_MEASURED], ("0.9 <= part", "part")
)  # Accepts the first rate whose delay is below the interval.
mutant(
    "answers_the_last", RATE_TOO, ("max(best, rate)", "rate")
)  # Answers with the last rate that kept up, not the highest.
mutant(
    "answers_what_was_too_fast", RATE_TOO, ("return best", "return rate")
)  # Answers with the last rate that it would have played.

highest_rate_of_clocks = highest_rate


# Takes a delay below zero for none at all.
@mutant("clocks_that_go_back", CANNOT_MEASURED)
def highest_rate(run, start_per_s, interval_s, limit_per_s=math.inf, most_runs=60):
    return highest_rate_of_clocks(lambda rate: max(0.0, run(rate)), start_per_s, interval_s, limit_per_s, most_runs)


highest_rate_below = highest_rate


# Answers with the limit where more was measured.
@mutant("cut_to_the_limit", CANNOT_MEASURED)
def highest_rate(run, start_per_s, interval_s, limit_per_s=math.inf, most_runs=60):
    return min(limit_per_s, highest_rate_below(run, start_per_s, interval_s, math.inf, most_runs))


mutant(
    "doubles",
    [RATE_CLIMBS, RATE_TOO, CANNOT_MEASURED],
    ("next((factor for below, factor in FACTORS if part < below),", "(2 if part < 1 else"),
)  # Doubles whatever keeps up.
mutant(
    "edges_inclusive", [RATE_CLIMBS, RATE_TOO], ("FACTORS if part <", "FACTORS if part <=")
)  # Takes a delay of just a hundredth of the interval for less.

highest_rate_of_clocks = highest_rate


# Takes a delay that never ends for a measuring error.
@mutant("infinity_is_an_error", RATE_TOO)
def highest_rate(run, start_per_s, interval_s, limit_per_s=math.inf, most_runs=60):
    def finite(rate):
        delay_s = run(rate)
        return -1.0 if math.isinf(delay_s) else delay_s

    return highest_rate_of_clocks(finite, start_per_s, interval_s, limit_per_s, most_runs)


highest_rate_that_begins = highest_rate


# Answers 0 where it may not run or cannot begin.
@mutant("no_runs", "a_search_that_cannot_begin_is_refused")
def highest_rate(run, start_per_s, interval_s, limit_per_s=math.inf, most_runs=60):
    if start_per_s <= 0 or interval_s <= 0 or most_runs < 1:
        return 0.0
    return highest_rate_that_begins(run, start_per_s, interval_s, limit_per_s, most_runs)


highest_rate_below = highest_rate


# Takes any rate above the limit for a measuring error, also one that did not keep up.
@mutant("too_slow_above_the_limit", CANNOT_MEASURED)
def highest_rate(run, start_per_s, interval_s, limit_per_s=math.inf, most_runs=60):
    def strict(rate):
        return run(rate) if rate <= limit_per_s else -1.0

    return highest_rate_below(strict, start_per_s, interval_s, limit_per_s, most_runs)


# rate_limit

rate_limit_of_work = rate_limit


# Divides by the time of work that takes none.
@mutant("free_work_never_ends", LEAST_THREE)
def rate_limit(size_bytes, cpu_s, cores, bytes_per_s, framework_per_s):
    if cpu_s == 0 and min(size_bytes, cores, bytes_per_s, framework_per_s) > 0:
        return Limit(0.0, "cpu")
    return rate_limit_of_work(size_bytes, cpu_s, cores, bytes_per_s, framework_per_s)


rate_limit_of_something = rate_limit


# Reckons with whatever is given.
@mutant("of_nothing", "a_limit_of_nothing_is_refused")
def rate_limit(size_bytes, cpu_s, cores, bytes_per_s, framework_per_s):
    return rate_limit_of_something(
        max(1, size_bytes), max(0, cpu_s), max(1, cores), max(1e-9, bytes_per_s), max(1e-9, framework_per_s)
    )


rate_limit_of_cores = rate_limit


# Reckons with one core.
@mutant("one_core", LEAST_THREE)
def rate_limit(size_bytes, cpu_s, cores, bytes_per_s, framework_per_s):
    return rate_limit_of_cores(size_bytes, cpu_s, min(1, cores), bytes_per_s, framework_per_s)


# Takes the largest of the three.
@mutant("the_most", LEAST_THREE)
def rate_limit(size_bytes, cpu_s, cores, bytes_per_s, framework_per_s):
    if size_bytes < 1 or cores < 1 or not (cpu_s >= 0 and bytes_per_s > 0 and framework_per_s > 0):
        raise ValueError("expected what can be meant")
    limits = [Limit(bytes_per_s / size_bytes, "network"), Limit(framework_per_s, "framework")]
    return max([*limits, Limit(cores / cpu_s if cpu_s else 0.0, "cpu")], key=attrgetter("rate_per_s"))


rate_limit_in_order = rate_limit


# Names the first by the alphabet of equal bounds.
@mutant("ties_by_name", LEAST_THREE)
def rate_limit(size_bytes, cpu_s, cores, bytes_per_s, framework_per_s):
    rate, bound = rate_limit_in_order(size_bytes, cpu_s, cores, bytes_per_s, framework_per_s)
    equal = [
        bound,
        *(["cpu"] if cpu_s and cores / cpu_s == rate else []),
        *(["framework"] if framework_per_s == rate else []),
    ]
    return Limit(rate, min(equal))
