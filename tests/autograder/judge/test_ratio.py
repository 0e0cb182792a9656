"""The arithmetic of a throughput check."""

import pytest

from autograder.judge.ratio import Ratio, marks, ratio_of_medians


@pytest.mark.parametrize(("ratio", "points"), [(1.0, 0), (1.2, 0), (1.25, 0.5), (1.3, 1.0), (1.4, 2), (9.0, 2)])
def test_points_are_full_at_the_threshold_and_zero_up_to_half_of_the_gain(ratio: float, points: float) -> None:
    assert marks(ratio, threshold=1.4, points=2) == points


def test_one_bad_pair_does_not_change_the_ratio_of_the_medians() -> None:
    assert ratio_of_medians([(2.0, 1.0)] * 8 + [(0.1, 1.0)]).value == 2.0


def test_the_interval_contains_the_ratio_and_is_reproducible() -> None:
    pairs = [(2.0 + step / 10, 1.0) for step in range(9)]

    first, again = ratio_of_medians(pairs), ratio_of_medians(pairs)

    assert first == again
    assert first.low <= first.value <= first.high
    assert first.low < first.high


@pytest.mark.parametrize(("low", "high", "open_"), [(1.3, 1.5, True), (1.41, 1.6, False), (1.1, 1.39, False)])
def test_an_interval_straddles_a_threshold_that_lies_inside_it(low: float, high: float, open_: bool) -> None:
    assert Ratio(1.4, low, high).straddles(1.4) is open_
