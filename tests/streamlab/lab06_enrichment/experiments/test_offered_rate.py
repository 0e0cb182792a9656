"""Latency against the offered rate in an open loop, and the paper's load generator, which holds messages back."""

import pytest

from streamlab.lab06_enrichment.experiments.load_generator import percentile, summary, waits, without_the_wait
from streamlab.lab06_enrichment.experiments.offered_rate import RATES_PER_S, WORKERS, Step, ramp, ramps
from tests.autograder.stages.driven_reference import reference


@pytest.fixture(scope="module")
def steps() -> dict[str, list[Step]]:
    lab = reference("lab06_enrichment")
    return ramps(lab.enrich_sync, lab.enrich_async)


def test_the_busy_share_of_blocking_workers_is_that_of_the_paper(steps: dict[str, list[Step]]) -> None:
    shares = zip(steps["sync"], steps["paper, sync"], strict=True)

    assert max(abs(ours.busy_percent - theirs.busy_percent) for ours, theirs in shares) < 2


def test_latency_explodes_above_the_bound_and_nowhere_if_many_are_in_flight(steps: dict[str, list[Step]]) -> None:
    p99_ms = {each.rate_per_s: each.p99_ms for each in steps["sync"]}

    assert p99_ms[1900] < 1000 < 5000 < p99_ms[2000] < p99_ms[2100] < p99_ms[2200]
    assert {round(each.p99_ms, 2) for each in steps["async"]} == {1.38}


def test_blocking_workers_consume_what_is_offered_up_to_their_bound(steps: dict[str, list[Step]]) -> None:
    for ours, theirs in zip(steps["sync"], steps["paper, sync"], strict=True):
        assert ours.consumed_per_s == pytest.approx(min(ours.rate_per_s, WORKERS / 0.00414), rel=0.01)
        assert ours.consumed_per_s == pytest.approx(theirs.consumed_per_s, rel=0.04)
    assert steps["async"][-1].consumed_per_s == pytest.approx(RATES_PER_S[-1], rel=0.01)


@pytest.mark.parametrize(("places", "busy_percent"), [(1, 50), (2, 25)])
def test_the_busy_share_is_that_of_the_places(places: int, busy_percent: float) -> None:
    first = ramp("any", 0.5 * WORKERS / RATES_PER_S[0], places)[0]

    assert first.busy_percent == pytest.approx(busy_percent, abs=1)
    assert first.median_ms > 499 * WORKERS / RATES_PER_S[0]


@pytest.mark.parametrize(
    ("values", "percent", "expected"), [([1, 2, 3, 4], 50, 2), ([1, 2, 3, 4], 51, 3), ([7], 99, 7), ([3, 1], 100, 3)]
)
def test_a_percentile_is_the_smallest_value_that_so_many_values_do_not_exceed(
    values: list[float], percent: float, expected: float
) -> None:
    assert percentile(values, percent) == expected


@pytest.mark.parametrize(("values", "percent"), [([], 50), ([1], 0), ([1], 101)])
def test_a_percentile_of_no_values_or_out_of_range_raises_value_error(values: list[float], percent: float) -> None:
    with pytest.raises(ValueError, match="percent"):
        percentile(values, percent)


def test_five_minutes_of_bursts_use_the_settings_of_the_paper() -> None:
    calls = []

    def note(*arguments: object) -> list[int]:
        calls.append(arguments)
        return [0, 3000]

    assert waits(note, 100) == [0, 3000]
    bursts, *settings = calls[0]
    assert (len(bursts), bursts[1]) == (300, (1000, 100))  # type: ignore[arg-type, index]
    assert settings == [8, 3, 100, 5000]


def test_the_summary_has_median_mean_and_99th_percentile_of_each_setting() -> None:
    rows = summary(lambda bursts, partitions, brokers, enough, linger_ms: [0, 1000 * brokers])

    assert rows[0] == ("as published", 100, 0, 1500, 3000)
    assert [row[4] for row in rows if row[0] == "one broker"] == [1000]


def test_the_wait_is_subtracted_from_both_reported_bounds() -> None:
    assert without_the_wait(3000)["async"] == (298, 417)
