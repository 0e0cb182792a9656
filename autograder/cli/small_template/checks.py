"""The cases and checks of `sample_hot_keys`. A check's name is a sentence that is false when the check fails."""

from autograder.checks import Case, Mismatch, Rows, check, same_counts
from autograder.checks.compare import shown
from autograder.checks.rejection import must_answer, must_reject
from autograder.checks.seeds import random_for, zipf_words
from autograder.stages.lab00_sample.skew import oracle


def keys_and_thresholds(seed: str) -> list[Case]:
    """Return thresholds that a count just reaches or misses, no keys, an empty key, and skewed keys."""
    drawn = zipf_words(random_for(seed, "keys"), 20)
    pairs = [(["a", "b", "a"], 2), (["a", "a"], 3), ([], 1), (["", "a"], 1), (drawn, drawn.count(drawn[0]))]
    return [{"keys": keys, "at_least": at_least} for keys, at_least in pairs]


def thresholds(seed: str) -> list[Case]:
    """Return a valid threshold, so that a function that always raises earns no points, and thresholds below 1."""
    twice = zipf_words(random_for(seed, "thresholds"), 1) * 2
    return [{"keys": twice, "at_least": at_least} for at_least in (1, 0, -1)]


def _judge(case: Case, rows: Rows) -> Mismatch | None:
    expected = oracle.hot_keys(case["keys"], case["at_least"])
    call = f"sample_hot_keys({shown(case['keys'])}, {case['at_least']})"
    if expected is None:
        return must_reject(call, rows)
    return must_answer(call, "a list", rows) or same_counts(expected, rows.get("counts"), what="hot keys")


@check("sample_hot_keys", cases=keys_and_thresholds)
def hot_keys_of_sample_have_their_counts(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the hot keys and their counts, in any order, each key once."""
    return _judge(case, rows)


@check("sample_hot_keys", cases=thresholds)
def thresholds_of_sample_below_one_are_rejected(case: Case, rows: Rows) -> Mismatch | None:
    """Expect a ValueError for a threshold below 1, and an answer to a valid one."""
    return _judge(case, rows)
