"""The checks of `highest_rate` and `rate_limit`."""

from autograder.checks import Case, Mismatch, Rows, claims, same_value
from autograder.checks.compare import shown
from autograder.checks.rejection import must_answer, must_reject
from autograder.stages.lab03_log.rates import cases, oracle

TOLERANCE = 1e-9  # of a rate, relative: factors may be applied in another order


def _inputs(case: Case, *names: str) -> str:
    """Return arguments as text. Example: _inputs({"k": 2, "x": 1}, "k") -> "k=2"."""
    return ", ".join(f"{name}={shown(case[name])}" for name in names)


# highest_rate


def _search(case: Case) -> str:
    names = [name for name in ("start_per_s", "interval_s", "limit_per_s", "most_runs") if name in case]
    system = f"a capacity of {case['capacity_per_s']:g}/s" if "delays" not in case else f"delays {_delays(case)}"
    return f"highest_rate(run, {_inputs(case, *names)}) on a system with {system}"


def _delays(case: Case) -> str:
    found = ", ".join(f"{delay_s} s at {rate:g}/s" for rate, delay_s in case["delays"][:6])
    return found + (", …" if len(case["delays"]) > 6 else "")


def _same_search(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the rates that were played, one after another, and the result."""
    expected, call = oracle.search(case), _search(case)
    wrong = must_reject(call, rows, expected.rejected) if expected.rejected else must_answer(call, "a rate", rows)
    runs = rows["runs"] if isinstance(rows.get("runs"), list) else []
    for at, rate in enumerate(expected.runs):
        got = runs[at] if at < len(runs) else None
        if not wrong and at and at >= len(runs):
            wrong = Mismatch(
                f"Expected run {at + 1} of {call} at {rate:g}/s; yours stops before it.", expected.runs, runs
            )
        this_run = f"the rate of run {at + 1} of {call}"
        wrong = wrong or same_value(rate, got, what=this_run, tolerance=rate * TOLERANCE)
    wrong = wrong or same_value(len(expected.runs), len(runs), what=f"the number of runs of {call}")
    if wrong or expected.rejected:
        return wrong
    return same_value(expected.rate, rows.get("rate"), what=call, tolerance=expected.rate * TOLERANCE)


# rate_limit


def _same_limit(case: Case, rows: Rows) -> Mismatch | None:
    call, (rate, bound) = f"rate_limit({_inputs(case, *case)})", oracle.rate_limit(**case)
    wrong = must_answer(call, "a Limit", rows)
    wrong = wrong or same_value(rate, rows.get("rate_per_s"), what=f"rate_per_s of {call}", tolerance=rate * TOLERANCE)
    return wrong or same_value(bound, rows.get("bound"), what=f"bound of {call}")


CLAIMS = claims(
    ("highest_rate", "the_rate_grows_by_the_factors_of_the_rule", cases.climbing, _same_search, 15),
    ("highest_rate", "a_rate_that_is_too_fast_is_halved_and_never_returned", cases.too_fast, _same_search, 15),
    ("highest_rate", "an_impossible_measurement_raises_measuring_error", cases.measuring, _same_search, 14),
    ("rate_limit", "the_lowest_bound_is_returned_with_its_name", cases.limits, _same_limit, 15),
    after={
        "a_rate_that_is_too_fast_is_halved_and_never_returned": "the_rate_grows_by_the_factors_of_the_rule",
        "an_impossible_measurement_raises_measuring_error": "the_rate_grows_by_the_factors_of_the_rule",
    },
)
