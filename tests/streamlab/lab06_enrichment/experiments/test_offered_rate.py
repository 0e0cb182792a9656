"""An open loop in virtual time: latency from the moment at which a payment comes, and the busy share of a worker."""

import pytest

from streamlab.lab06_enrichment.experiments.offered_rate import (
    RATES_PER_S,
    WORKERS,
    asynchronous,
    blocking,
    ramp,
    ramps,
)
from tests.autograder.stages.driven_reference import reference


def test_the_busy_share_of_blocking_workers_is_that_of_the_paper() -> None:
    lab = reference("lab06_enrichment")
    steps = ramps(lab.enrich_sync, lab.enrich_async)

    shares = zip(steps["sync"], steps["paper, sync"], strict=True)
    assert max(abs(ours.busy_percent - theirs.busy_percent) for ours, theirs in shares) < 2


def test_latency_explodes_above_the_bound_and_nowhere_if_many_are_in_flight() -> None:
    lab = reference("lab06_enrichment")
    sync, many = blocking(lab.enrich_sync), asynchronous(lab.enrich_async)

    p99_ms = {each.rate_per_s: each.p99_ms for each in sync}
    assert p99_ms[1900] < 1000 < 5000 < p99_ms[2000] < p99_ms[2100] < p99_ms[2200]
    assert {round(each.p99_ms, 2) for each in many} == {1.38}


def test_blocking_workers_consume_what_is_offered_up_to_their_bound() -> None:
    steps = ramps(*(getattr(reference("lab06_enrichment"), name) for name in ("enrich_sync", "enrich_async")))

    bound = WORKERS / 0.00414
    for ours, theirs in zip(steps["sync"], steps["paper, sync"], strict=True):
        assert ours.consumed_per_s == pytest.approx(min(ours.rate_per_s, bound), rel=0.01)
        assert ours.consumed_per_s == pytest.approx(theirs.consumed_per_s, rel=0.04)
    assert steps["async"][-1].consumed_per_s == pytest.approx(RATES_PER_S[-1], rel=0.01)


@pytest.mark.parametrize(("places", "busy_percent"), [(1, 50), (2, 25)])
def test_the_busy_share_is_that_of_the_places(places: int, busy_percent: float) -> None:
    first = ramp("any", 0.5 * WORKERS / RATES_PER_S[0], places)[0]

    assert first.busy_percent == pytest.approx(busy_percent, abs=1)
    assert first.median_ms > 499 * WORKERS / RATES_PER_S[0]
