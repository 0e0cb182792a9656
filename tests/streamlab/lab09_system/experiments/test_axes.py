"""Percentiles by nearest rank."""

import math

import pytest

from streamlab.lab09_system.experiments.axes import nearest_rank


@pytest.mark.parametrize(("share", "value"), [(0.5, 2), (0.51, 3), (0.99, 4), (0.0, 1)])
def test_a_percentile_is_one_of_the_values(share: float, value: int) -> None:
    assert nearest_rank([4, 1, 3, 2], share) == value


def test_no_values_have_no_percentile() -> None:
    assert math.isnan(nearest_rank([], 0.5))
