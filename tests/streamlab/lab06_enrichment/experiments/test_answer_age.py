"""The age of each method's answers, with the reference's cache and state."""

import pytest

from streamlab.lab06_enrichment.experiments import answer_age
from streamlab.lab06_enrichment.experiments.answer_age import TTL_S, Ages, age_s, ages, from_state, payments, row_at
from streamlab.services.base import Service
from tests.autograder.stages.driven_reference import reference
from tests.streamlab.services.conftest import server_programs

for module in "redis", "pandas":
    server_programs(module)

TIMES_S = [each.at_ms / 1000 for each in payments()]


@pytest.fixture(scope="module")
def aged(valkey: Service) -> dict[str, Ages]:
    lab = reference("lab06_enrichment")
    first, again = (answer_age.ages_with_forget(lab.SharedCache, valkey.address) for _ in range(2))
    assert first == again
    return {**ages(lab.LruCache, lab.enrich_from_state), **first}


@pytest.mark.parametrize(
    ("row", "at_ms", "expected_s"),
    [
        ("1000", 1000, 0),
        ("1000", 1999, 0),  # it is in force
        ("1000", 2000, 0),  # replaced at this moment
        ("1000", 2500, 0.5),
        ("0", 12_000, 11),
    ],
)
def test_the_age_of_an_answer_is_the_time_since_its_row_was_replaced(row: str, at_ms: int, expected_s: float) -> None:
    assert age_s(row, at_ms) == expected_s


def test_the_current_row_is_that_of_the_last_change() -> None:
    assert [row_at(at_ms) for at_ms in (0, 999, 1000, 2500)] == ["0", "0", "1000", "2000"]


def test_every_method_answers_every_payment(aged: dict[str, Ages]) -> None:
    assert len(aged) == 7
    assert {name: [at_s for at_s, _ in points] for name, points in aged.items()} == dict.fromkeys(aged, TIMES_S)


def test_ages_are_as_predicted(aged: dict[str, Ages]) -> None:
    oldest_s = {name: max(age for _, age in points) for name, points in aged.items()}

    assert oldest_s["sync"] == oldest_s["state"] == 0
    assert TTL_S / 2 < oldest_s[f"TTL {TTL_S:g} s"] < TTL_S
    assert oldest_s["forget"] == 0
    assert 0.5 < oldest_s["forget, each third fails"] < 1  # the next change forgets the row
    assert 2 < oldest_s["broadcast again every 4 s"] < 3
    assert oldest_s["broadcast once"] == TIMES_S[-1] - 1 > answer_age.UNTIL_MS / 1000 - 2


def test_answers_from_state_are_exact_and_as_late_as_the_watermark() -> None:
    found = list(from_state(reference("lab06_enrichment").enrich_from_state))

    assert [at_s for at_s, _, _ in found] == TIMES_S
    assert {age for _, age, _ in found} == {0}
    assert all(2 <= after_s <= 3 for _, _, after_s in found)


def test_a_step_that_does_not_wait_for_the_watermark_answers_earlier() -> None:
    lab = reference("lab06_enrichment")

    def at_once(state: object, arrived: list[object], watermark_ms: int) -> object:
        return lab.enrich_from_state(state, arrived, watermark_ms + 3000)

    assert min(after_s for _, _, after_s in from_state(at_once)) < 2
