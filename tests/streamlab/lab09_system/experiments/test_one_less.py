"""Each policy that is left out breaks a bound, on every seed; with all, none is broken. Percentiles by nearest rank."""

import math
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from streamlab.lab09_system.experiments.axes import nearest_rank
from streamlab.lab09_system.experiments.one_less import MEASURES, days, draw_rows, measured
from streamlab.lab09_system.virtual import POLICIES, the_day
from tests.autograder.stages.driven_reference import reference

MISSED = {
    "all policies": set(),
    "no quiet time": {"burst (s)"},
    "the lag does not count": {"burst (s)"},
    "lost instances kept": {"worker (s)"},
    "no breaker": {"store (s)"},
    "breaker never closes": {"lost", "p99 (s)"},
    "no repair": {"lost", "p99 (s)"},
}


@pytest.mark.slow
def test_each_policy_has_its_own_fault(policies: SimpleNamespace) -> None:
    rows = {name: measured(day) for name, day in days(policies).items()}
    above = {name: zip(MEASURES, row, strict=True) for name, row in rows.items()}

    assert {name: {each.name for each, value in row if value > each.bound} for name, row in above.items()} == MISSED
    assert "no repair: lost" in draw_rows(rows).alt


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["day", "another"])
def test_the_day_with_all_policies_meets_its_levels(seed: str, policies: SimpleNamespace) -> None:
    day = the_day(policies, seed)

    assert day.report.lost == day.report.twice == day.report.unknown == day.undecided == 0
    assert day.report.p99_ms <= 50_000
    assert day.ratio <= 2.0
    assert max(back_s for back_s in day.back_s.values() if back_s is not None) <= 120
    assert None not in day.back_s.values()
    assert max(day.back_s["store-stopped"] or 0, day.back_s["store-killed"] or 0) <= 30
    kinds = ["burst", "skew", "slow store", "store", "log", "job", "leader", "worker", "poison", "clock"]
    assert [each.kind for each in day.incidents] == kinds


@pytest.fixture
def policies() -> Iterator[SimpleNamespace]:
    """The reference's policies, and the earlier tasks that the virtual system and they use."""
    lab = reference("lab09_system")
    earlier = {
        "LruCache": reference("lab06_enrichment").LruCache,
        "heal": reference("lab05_placement").heal,
        "deliver": reference("lab01_wordcount").deliver,
    }
    with lab.replaced(SlidingMax=reference("lab02_windows").SlidingMax, FirstFit=reference("lab07_irm").FirstFit):
        yield SimpleNamespace(**earlier, **{name: getattr(lab, name) for name in POLICIES})


@pytest.mark.parametrize(("share", "value"), [(0.5, 2), (0.51, 3), (0.99, 4), (0.0, 1)])
def test_a_percentile_is_one_of_the_values(share: float, value: int) -> None:
    assert nearest_rank([4, 1, 3, 2], share) == value


def test_no_values_have_no_percentile() -> None:
    assert math.isnan(nearest_rank([], 0.5))
