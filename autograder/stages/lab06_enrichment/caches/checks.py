"""The checks of `LruCache` and `CachedStore`."""

from dataclasses import replace

from autograder.checks import Case, Mismatch, Rows, check, claims, same_sequence, same_value
from autograder.checks.compare import shown
from autograder.checks.rejection import must_answer, must_reject
from autograder.stages.lab06_enrichment.caches import cases, oracle
from autograder.stages.lab06_enrichment.caches.comparators import (
    cache_of,
    callers_of,
    first_wrong_get,
    operations_before,
    sorted_calls,
)

COMPARED_MOST = 8
COUNTS = "hits", "misses", "len(cache) (an expired entry counts until get finds it)"

# LruCache


def _same_gets(case: Case, rows: Rows) -> Mismatch | None:
    expected = oracle.gets(case)
    return must_answer(cache_of(case), "a cache", rows) or first_wrong_get(case, expected, rows.get("gets"))


def _same_counts(case: Case, rows: Rows) -> Mismatch | None:
    expected = oracle.counts(case)
    if wrong := must_answer(cache_of(case), "a cache", rows):
        return wrong
    steps = len(case["script"])
    after = f"of {cache_of(case)} after {steps} operations ({operations_before(case, steps)})"
    counts = rows.get("counts")
    got = counts if isinstance(counts, list) and len(counts) == len(COUNTS) else [None] * len(COUNTS)
    for name, want, count in zip(COUNTS, expected, got, strict=True):
        if wrong := same_value(want, count, what=f"{name} {after}"):
            return wrong
    return None


@check("LruCache", cases=cases.large, invariant=9, after="an_entry_lives_for_its_time_from_its_put")
def an_operation_compares_few_keys(case: Case, rows: Rows) -> Mismatch | None:
    """Check this for answers that are right."""
    if wrong := _same_gets(case, rows):
        return wrong
    most = rows.get("most_compared")
    if type(most) is int and most <= COMPARED_MOST:
        return None
    what = f"an operation of {cache_of(case)} to compare at most {COMPARED_MOST} keys (calls of `__eq__`)"
    return Mismatch(f"Expected {what}; one of yours compares {shown(most)}.", COMPARED_MOST, most)


@check("LruCache", cases=cases.invalid, invariant=14, after="an_entry_lives_for_its_time_from_its_put")
def invalid_sizes_and_times_to_live_raise_value_error(case: Case, rows: Rows) -> Mismatch | None:
    """Check also that one entry and half a second are valid."""
    if oracle.is_valid(case):
        return _same_gets(case, rows)
    return must_reject(cache_of(case), rows)


# CachedStore


def _same_answers(case: Case, rows: Rows) -> Mismatch | None:
    expected, calls = oracle.answers(case), oracle.calls(case)
    what = f"the answers [row, µs] to {callers_of(case)}"
    if wrong := same_sequence(expected, rows.get("answers"), what=what):
        return wrong
    what = f"the sorted keys of the calls to the store for {callers_of(case)}"
    return same_sequence(calls, sorted_calls(rows), what=what)


def _beside(case: Case, rows: Rows) -> Mismatch | None:
    """Compare also the answers of another CachedStore, which has callers of the same key at the same time."""
    if "beside" not in case:
        return _same_answers(case, rows)
    other = rows.get("beside")
    both = [_same_answers(case, rows), _same_answers(case["beside"], other if isinstance(other, dict) else {})]
    wrong = next(filter(None, both), None)
    return wrong and replace(
        wrong, sentence=f"{wrong.sentence} Another CachedStore, with its own store, has callers of the key."
    )


AFTER: dict[str, str | tuple[str, ...]] = {
    "the_least_recently_used_entry_leaves_first": "none_is_kept_like_any_row",
    "an_entry_lives_for_its_time_from_its_put": "the_least_recently_used_entry_leaves_first",
    "hits_and_misses_are_counted": "an_entry_lives_for_its_time_from_its_put",
    "a_failure_reaches_all_who_wait_and_is_not_kept": "callers_who_wait_for_one_key_share_one_call",
    "a_caller_who_gives_up_affects_no_other": (
        "what_is_kept_is_not_asked_for_again",
        "callers_who_wait_for_one_key_share_one_call",
    ),
}


CLAIMS = claims(
    ("LruCache", "the_least_recently_used_entry_leaves_first", cases.used, _same_gets, 9),
    ("LruCache", "none_is_kept_like_any_row", cases.nones, _same_gets, 2),
    ("LruCache", "an_entry_lives_for_its_time_from_its_put", cases.aged, _same_gets, 3),
    ("LruCache", "hits_and_misses_are_counted", cases.counted, _same_counts, None),
    ("CachedStore", "what_is_kept_is_not_asked_for_again", cases.kept, _same_answers, 2),
    ("CachedStore", "callers_who_wait_for_one_key_share_one_call", cases.together, _beside, 4),
    ("CachedStore", "a_failure_reaches_all_who_wait_and_is_not_kept", cases.failing, _same_answers, 8),
    ("CachedStore", "a_caller_who_gives_up_affects_no_other", cases.giving_up, _same_answers, 8),
    after=AFTER,
)
