"""The sketch's oracle against hashes and estimates worked out by hand, and the range of its cases."""

import pytest

from autograder.stages.lab04_subqueries.sketch import cases, oracle

RAW_FACTOR = 0.7213 / (1 + 1.079 / 128)


def test_first_bits_name_the_register_and_the_first_1_of_the_others_is_its_rank() -> None:
    assert oracle.ranks(8, ["stream"]) == {"219": 1}  # hash64("stream") is 0xdba66…: 0xdb, and then 1010
    assert oracle.ranks(9, ["stream"]) == {"439": 2}  # one bit more: 2 * 219 + 1, and then 010


@pytest.mark.parametrize(
    ("registers", "estimate"),
    [
        ([0] * 128, 0),
        ([1] * 128, RAW_FACTOR * 128 * 2),  # below 2.5 * m, but no register is 0
        ([0] + [2] * 127, RAW_FACTOR * 128**2 / 32.75),  # a register is 0, but above 2.5 * m
        ([0] * 64 + [1] * 64, 128 * 0.6931471805599453),  # m * ln 2
    ],
)
def test_zeros_count_only_in_the_small_range(registers: list[int], estimate: float) -> None:
    assert oracle.estimate(registers) == pytest.approx(estimate)


def test_streams_reach_both_formulas_and_hold_the_empty_one() -> None:
    [case] = cases.streams("public")
    loads = [oracle.distinct(each["values"]) / 2 ** each["p"] for each in case["streams"]]

    assert len(loads) == cases.STREAMS
    assert loads[0] == 0
    assert min(sum(load > 3 for load in loads), sum(0 < load < 2 for load in loads)) >= 5
