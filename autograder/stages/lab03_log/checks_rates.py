"""What is claimed of `highest_rate` and `rate_limit`.

Keeps out: the right answers (`oracle_rates`).
"""

from autograder.checks import Case, Mismatch, Rows, check, same_value
from autograder.checks.compare import shown
from autograder.stages.lab02_windows.readings import inputs, no_result
from autograder.stages.lab03_log import cases_rates, oracle_rates
from autograder.stages.lab03_log.readings import rejected

TOLERANCE = 1e-9  # of a rate, relative: factors may be applied in another order

# highest_rate


def _search(case: Case) -> str:
    names = [name for name in ("start_per_s", "interval_s", "limit_per_s", "most_runs") if name in case]
    system = f"a capacity of {case['capacity_per_s']:g}/s" if "delays" not in case else f"delays {_delays(case)}"
    return f"highest_rate(run, {inputs(case, *names)}) of a system with {system}"


def _delays(case: Case) -> str:
    told = ", ".join(f"{delay_s} s at {rate:g}/s" for rate, delay_s in case["delays"][:6])
    return told + (", …" if len(case["delays"]) > 6 else "")


def _same_search(case: Case, rows: Rows) -> Mismatch | None:
    """The rates that were played, one after another, and the answer."""
    expected, call = oracle_rates.search(case), _search(case)
    if "rate" not in rows and "rejected" not in rows:
        return no_result(call, "a rate", rows)
    if expected.rejected:
        return _same_refusal(call, expected.rejected, rows)
    if "rejected" in rows:
        return Mismatch(f"Expected {call} to return {expected.rate:g}; yours raises {rows['rejected']}.", expected.rate)
    came = rows["runs"] if isinstance(rows["runs"], list) else []
    for at, rate in enumerate(expected.runs):
        so_far = f"run {at + 1} of {call} to play"
        got = came[at] if at < len(came) else None
        if wrong := same_value(rate, got, what=so_far, tolerance=rate * TOLERANCE):
            return wrong
    wrong = same_value(len(expected.runs), len(came), what=f"the number of runs of {call}")
    return wrong or same_value(expected.rate, rows["rate"], what=call, tolerance=expected.rate * TOLERANCE)


def _same_refusal(call: str, error: str, rows: Rows) -> Mismatch | None:
    if rows.get("rejected") == error:
        return None
    came = f"raises {rows['rejected']}" if "rejected" in rows else f"returns {shown(rows.get('rate'))}"
    return Mismatch(f"Expected {call} to raise {error}; yours {came}.", error, rows)


@check("highest_rate", cases=cases_rates.climbing, invariant=14)
def the_rate_climbs_by_the_steps_of_the_rule(case: Case, rows: Rows) -> Mismatch | None:
    """Fast while there is much room, slowly where there is little, and no further than to 90 % of the interval."""
    return _same_search(case, rows)


@check("highest_rate", cases=cases_rates.too_fast, invariant=14)
def a_rate_that_is_too_fast_is_halved_and_never_the_answer(case: Case, rows: Rows) -> Mismatch | None:
    """After the last run the highest that kept up, or none."""
    return _same_search(case, rows)


@check("highest_rate", cases=cases_rates.measuring, invariant=14)
def what_cannot_be_measured_is_a_measuring_error(case: Case, rows: Rows) -> Mismatch | None:
    """A delay that no clock gives, and a rate above the limit that seems to keep up."""
    return _same_search(case, rows)


@check("highest_rate", cases=cases_rates.no_search, invariant=14)
def a_search_that_cannot_begin_is_refused(case: Case, rows: Rows) -> Mismatch | None:
    """With ValueError, before anything is played."""
    return rejected(_search(case), rows) if "rate" in rows or "rejected" in rows else no_result("it", "a rate", rows)


# rate_limit


@check("rate_limit", cases=cases_rates.limits, invariant=14)
def the_least_of_the_three_binds_and_is_named(case: Case, rows: Rows) -> Mismatch | None:
    """Of equal ones network before cpu before framework; work that takes no time binds nothing."""
    call, expected = f"rate_limit({inputs(case, *case)})", oracle_rates.rate_limit(**case)
    assert expected is not None
    rate, bound = expected
    wrong = no_result(call, "a Limit", rows)
    wrong = wrong or same_value(rate, rows.get("rate_per_s"), what=f"rate_per_s of {call}", tolerance=rate * TOLERANCE)
    return wrong or same_value(bound, rows.get("bound"), what=f"bound of {call}")


@check("rate_limit", cases=cases_rates.no_limits, invariant=14)
def a_limit_of_nothing_is_refused(case: Case, rows: Rows) -> Mismatch | None:
    """With ValueError."""
    return rejected(f"rate_limit({inputs(case, *case)})", rows)
