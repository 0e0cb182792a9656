"""The oracles of `size` and `admit` on the golden traces, and what the cases of each check hold."""

from typing import Any

import pytest

from autograder.stages.lab09_system.design import cases, cases_admit, oracle


def load(stages: list[Any], *figures: int) -> dict[str, Any]:
    names = "peak_per_s", "busy_percent", "outage_s", "drain_s"
    return {"stages": stages, **dict(zip(names, figures, strict=True))}


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (load([["parse", 20], ["desk", 150, 5]], 20_000, 70, 30, 60), [{"parse": 1, "desk": 5}, 10, 45_000]),
        (load([["a", 100]], 21_000, 70, 0, 1), [{"a": 3}, 2, 0]),  # 2.1 / 0.7 is more than 3 in floats
        (load([["hot", 100, 60]], 20_000, 70, 0, 10), None),
        (load([["hot", 100, 50]], 14_000, 70, 0, 10), [{"hot": 2}, 4, 0]),  # the key fills exactly one instance
        (load([["hot", 100, 30]], 20_000, 70, 0, 20), [{"hot": 3}, 6, 0]),
        (load([["hot", 100, 30]], 20_000, 70, 30, 20), None),  # it fits as long as nothing stops
    ],
)
def test_sizes_of_the_golden_traces(case: dict[str, Any], expected: list[Any] | None) -> None:
    assert oracle.size(case) == expected


@pytest.mark.parametrize(
    ("waiting", "ranks", "room", "least", "expected"),
    [
        ([10, 2, 50], [0, 0, 1], 12, 2, [8, 2, 2]),
        ([9, 9, 9], [0, 1, 2], 3, 2, [2, 1, 0]),
        ([9, 9, 9], [0, 0, 0], 4, 0, [2, 1, 1]),  # the first by name gets the odd one
        ([1, 9, 9], [0, 0, 0], 99, 0, [1, 9, 9]),
    ],
)
def test_records_admitted_of_the_golden_traces(
    waiting: list[int], ranks: list[int], room: int, least: int, expected: list[int]
) -> None:
    case = {"waiting": dict(zip("abc", waiting, strict=True)), "ranks": dict(zip("abc", ranks, strict=True))}

    granted = oracle.admitted({**case, "room": room, "least": least})

    assert granted == dict(zip("abc", expected, strict=True))


@pytest.mark.parametrize("seed", ["public", "1", "2", "3"])
def test_loads_have_no_hot_key_and_hot_keys_both_fit_and_do_not(seed: str) -> None:
    assert all(oracle.size(case) is not None for case in cases.loads(seed))
    assert {oracle.size(case) is None for case in cases.hot_keys(seed)} == {True, False}
    assert {oracle.is_valid(case) for case in cases.invalid_loads(seed)} == {True, False}


def test_fair_shares_are_judged_within_one_rank_only() -> None:
    assert all(len(set(case["ranks"].values())) == 1 for case in cases_admit.one_rank("public"))
