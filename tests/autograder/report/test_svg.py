"""The throughput check's pictures are well formed and have a description in words."""

import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from typing import Any

import pytest

from autograder.report.results_view import ThroughputVerdict, read_report
from autograder.report.svg import rates_chart, ratio_chart, score_ring, short, ticks

Results = dict[str, Any]


@pytest.fixture
def throughput(sample: Callable[[str], Results]) -> ThroughputVerdict:
    """The inconclusive throughput check: 18 pairs, one of them over the threshold."""
    return read_report(sample("every_verdict")).throughput_checks[0]


def _marks(chart: str, kind: str) -> list[ElementTree.Element]:
    return [each for each in ElementTree.fromstring(chart).iter() if kind in each.get("class", "").split()]


def test_every_pair_is_a_dot_and_dots_below_the_threshold_are_hollow(throughput: ThroughputVerdict) -> None:
    chart = ratio_chart(throughput, "r")

    assert len(_marks(chart, "dot")) == 18
    assert len(_marks(chart, "dot-below")) == 17


def test_every_pair_has_a_mark_for_each_side(throughput: ThroughputVerdict) -> None:
    chart = rates_chart(throughput, "r")

    assert (len(_marks(chart, "dot")), len(_marks(chart, "square"))) == (18, 18)


def test_threshold_interval_and_ratio_are_drawn_and_labelled(throughput: ThroughputVerdict) -> None:
    chart = ratio_chart(throughput, "r")

    assert [len(_marks(chart, kind)) for kind in ("level-threshold", "level-ratio", "interval")] == [1, 1, 1]
    assert {each.text for each in _marks(chart, "level-label")} == {"threshold 1.25", "ratio 1.19"}


def test_a_picture_has_a_description_in_words(throughput: ThroughputVerdict) -> None:
    root = ElementTree.fromstring(ratio_chart(throughput, "r"))

    assert (root.get("role"), root.get("aria-labelledby")) == ("img", "r-t r-d")
    assert root.findtext("desc") == (
        "18 pairs, ratios from 1.11 to 1.27; 1 of 18 are at or over the threshold of 1.25. "
        "The ratio of the medians is 1.19; its interval is 1.12 to 1.27."
    )


def test_labels_do_not_overlap(throughput: ThroughputVerdict) -> None:
    close = ThroughputVerdict(**{**vars(throughput), "ratio": 1.2501})

    heights = sorted(float(each.get("y", "0")) for each in _marks(ratio_chart(close, "r"), "level-label"))

    assert heights[1] - heights[0] >= 14


def test_all_elements_are_inside_the_picture(throughput: ThroughputVerdict) -> None:
    for chart in (ratio_chart(throughput, "r"), rates_chart(throughput, "r")):
        tops = [float(each.get(name, "0")) for each in ElementTree.fromstring(chart).iter() for name in ("cy", "y")]
        assert min(tops) >= 0
        assert max(tops) <= 258


@pytest.mark.parametrize("unit", ["<b>", '"', "&"])
def test_a_unit_is_escaped(unit: str, throughput: ThroughputVerdict) -> None:
    ElementTree.fromstring(rates_chart(ThroughputVerdict(**{**vars(throughput), "unit": unit}), "r"))


@pytest.mark.parametrize(
    ("low", "high", "at"),
    [
        (0.0, 1.7, [0.0, 0.5, 1.0, 1.5, 2.0]),
        (0.97, 1.31, [0.9, 1.0, 1.1, 1.2, 1.3, 1.4]),
        (0.0, 760_000.0, [0.0, 200_000.0, 400_000.0, 600_000.0, 800_000.0]),
        (1.0, 1.0, [1.0, 1.0002]),
    ],
)
def test_ticks_are_round_and_cover_the_values(low: float, high: float, at: list[float]) -> None:
    assert ticks(low, high) == at


@pytest.mark.parametrize(("value", "label"), [(0.0, "0"), (800.0, "800"), (200_000.0, "200 k"), (1_500_000.0, "1.5 M")])
def test_the_label_of_a_rate_tick_is_short(value: float, label: str) -> None:
    assert short(value) == label


@pytest.mark.parametrize(("score", "most", "arcs"), [(0, 28, 0), (14, 28, 1), (28, 28, 1), (0, 0, 0)])
def test_the_ring_without_points_is_empty(score: float, most: float, arcs: int) -> None:
    ring = score_ring(score, most, "s")

    assert len(_marks(ring, "ring-share")) == arcs
    assert f"{score} of {most} points" in ring
