"""The checks of `sample_hot_keys`. Each name is a sentence that is false when the check fails."""

from autograder.checks import Case, Mismatch, Rows, check, same_counts
from autograder.checks.compare import shown
from autograder.checks.rejection import must_answer, must_reject
from autograder.stages.lab00_sample.skew import cases, oracle


def _call(case: Case) -> str:
    return f"sample_hot_keys({shown(case['keys'])}, {case['at_least']})"


def _same_hot_keys(case: Case, rows: Rows) -> Mismatch | None:
    expected = oracle.hot_keys(case["keys"], case["at_least"]) or {}
    return must_answer(_call(case), "a list", rows) or same_counts(expected, rows.get("counts"), what="hot keys")


@check("sample_hot_keys", cases=cases.skewed_keys, invariant=1)
def hot_keys_of_sample_have_their_counts(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the hot keys and their counts, in any order, each key once."""
    return _same_hot_keys(case, rows)


@check("sample_hot_keys", cases=cases.thresholds, invariant=2)
def thresholds_of_sample_below_one_are_rejected(case: Case, rows: Rows) -> Mismatch | None:
    """Expect answers to valid thresholds, too, so that a function that always raises earns no points."""
    invalid = oracle.hot_keys(case["keys"], case["at_least"]) is None
    return must_reject(_call(case), rows) if invalid else _same_hot_keys(case, rows)
