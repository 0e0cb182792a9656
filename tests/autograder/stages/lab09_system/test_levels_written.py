"""The figures of the written questions and of their model answers, computed by the reference."""

from collections.abc import Callable
from typing import Any

import pytest

from streamlab.lab09_system import CannotScale, Objective, Stage
from tests.autograder.stages.driven_reference import reference

HOUR = 60  # minutes
WEDNESDAY, SATURDAY = 48 * HOUR, 120 * HOUR


def sized(records_per_s: int, outage_s: int, drain_s: int, hottest_percent: int = 1) -> Any:
    stages = [Stage("route", 20), Stage("desk", 140, hottest_percent)]
    return reference("lab09_system").size(stages, records_per_s, 70, outage_s, drain_s)


def test_saturday_needs_13_instances_and_nearly_an_hour_to_drain() -> None:
    assert sized(52_000, 1800, 3600) == ({"route": 2, "desk": 11}, 22, 3_522_581)
    assert sized(52_000, 1800, 1800)[:2] == ({"route": 3, "desk": 15}, 30)
    assert sized(4_500, 1800, 3600)[0] == {"route": 1, "desk": 1}


def test_an_account_is_hot_from_ten_percent_on() -> None:
    assert sized(52_000, 1800, 3600, hottest_percent=9).partitions == 22
    with pytest.raises(CannotScale):
        sized(52_000, 1800, 3600, hottest_percent=10)


def store_is_dead(minute: int) -> float:
    return float(30 * HOUR <= minute < 30 * HOUR + 20)


def leak(minute: int) -> float:
    return 0.0 if minute < WEDNESDAY else 0.04 if minute < SATURDAY else 0.08


def report_of(late_share: Callable[[int], float], now_min: int) -> Any:
    """Return the report of one alert a minute since Monday, of which this share is late, evenly spread."""
    seen, late = list[tuple[int, int]](), 0.0
    for minute in range(now_min):
        late += late_share(minute)
        seen.append((minute, 60_000 * minute + (1000 if late < 1 - 1e-9 else 90_000)))
        late -= late >= 1 - 1e-9
    expected = {minute: 60_000 * minute for minute in range(now_min)}
    came = [each for each in seen if each[1] <= 60_000 * now_min]
    return reference("lab09_system").service_levels(expected, came, 60_000 * now_min, Objective(99.0, 60_000))


def test_a_dead_store_pages_after_nine_minutes_with_half_of_the_budget_so_far() -> None:
    before, report = (report_of(store_is_dead, 30 * HOUR + minutes) for minutes in (8, 9))

    assert before.pages == (False, False)
    assert (report.pages, round(report.budget_left, 2)) == ((True, False), 0.50)


def test_a_leak_pages_days_after_the_budget_is_gone() -> None:
    before, report = (report_of(leak, SATURDAY + minutes) for minutes in (177, 178))

    assert before.pages == (False, False)
    assert (report.pages, round(report.budget_left, 2)) == ((False, True), -1.53)
    assert not any(any(report_of(leak, WEDNESDAY + HOUR * hours).pages) for hours in (1, 6, 24, 71))
