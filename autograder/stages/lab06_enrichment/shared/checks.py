"""The checks of `SharedCache`."""

from collections.abc import Callable
from typing import Any

from autograder.checks import Case, Check, Mismatch, Rows, check, claim
from autograder.checks.compare import shown
from autograder.checks.registry import Cases
from autograder.checks.rejection import must_reject
from autograder.stages.lab06_enrichment.shared import cases, oracle
from autograder.stages.lab06_enrichment.shared.comparators import first_wrong, wrong_answer, wrong_calls, wrong_tries

SLACK_MS = 60_000  # between a write and the reading of its age


def _judge(wrong: Callable[[list[Any], list[Any]], str | None]) -> Callable[[Case, Rows], Mismatch | None]:
    def judge(case: Case, rows: Rows) -> Mismatch | None:
        expected = oracle.seen(case)
        return first_wrong(case, expected, rows, wrong)

    return judge


@check("SharedCache", cases=cases.aging, invariant=3, after="no_other_worker_asks_for_what_is_kept")
def every_entry_has_a_time_to_live(case: Case, rows: Rows) -> Mismatch | None:
    """Check Redis's time to live for answers that are right; invalid times must be rejected."""
    if not oracle.is_valid(case):
        return must_reject(f"SharedCache(client, store, ttl_s={case['ttl_s']}, rest_s={case['rest_s']})", rows)
    expected = oracle.seen(case)
    if wrong := first_wrong(case, expected, rows, wrong_answer):
        return wrong
    ages, most = rows["seen"][-1][0], 1000 * case["ttl_s"]
    if not isinstance(ages, list) or len(ages) < expected[-1][0]:
        return Mismatch(f"Expected {expected[-1][0]} entries in Redis; yours are {shown(ages)}.", expected[-1][0], ages)
    if wrong_ages := [age for age in ages if type(age) is not int or not most - SLACK_MS < age <= most]:
        what = f"each entry to expire within {case['ttl_s']} s (Redis's PTTL: {most:,.0f} ms or a little less)"
        return Mismatch(f"Expected {what}; one of yours has {shown(wrong_ages[0])} (-1: never).", most, ages)
    return None


AFTER = {
    "keys_that_look_alike_have_their_own_rows": "a_hit_and_a_miss_give_the_same_answer",
    "no_other_worker_asks_for_what_is_kept": "a_hit_and_a_miss_give_the_same_answer",
    "a_call_needs_at_most_two_round_trips": "no_other_worker_asks_for_what_is_kept",
    "without_its_cache_the_store_answers": "a_call_needs_at_most_two_round_trips",
    "what_is_forgotten_is_asked_for_again": "a_hit_and_a_miss_give_the_same_answer",
}


def _of(name: str, made: Cases, judge: Any, invariant: int) -> Check:
    return claim("SharedCache", name, made, _judge(judge), invariant=invariant, after=AFTER.get(name, ()))


CLAIMS = [
    _of("a_hit_and_a_miss_give_the_same_answer", cases.answered, wrong_answer, 7),
    _of("keys_that_look_alike_have_their_own_rows", cases.alike, wrong_answer, 6),
    _of("no_other_worker_asks_for_what_is_kept", cases.shared, wrong_calls, 2),
    _of("a_call_needs_at_most_two_round_trips", cases.trips, wrong_tries, 4),
    _of("without_its_cache_the_store_answers", cases.faults, wrong_tries, 8),
    _of("what_is_forgotten_is_asked_for_again", cases.forgotten, wrong_calls, 3),
]
