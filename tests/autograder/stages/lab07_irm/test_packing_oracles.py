"""The oracles of the packers against traces computed by hand, and L2 against the best packing of small lists."""

import pytest

from autograder.checks.seeds import random_for
from autograder.stages.lab07_irm.packing import oracle


def workers(*sizes: int) -> list[int]:
    """Return the worker of each engine, given their sizes."""
    return oracle.workers_of({"capacity": 1000, "script": [["place", f"e{n}", size] for n, size in enumerate(sizes)]})


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ((600, 500, 300, 200, 700, 100, 400, 300), [0, 1, 0, 1, 2, 0, 3, 1]),  # an exact fit on worker 1 at the end
        ((420, 630, 270, 310, 550, 480, 190, 740, 80, 360), [0, 1, 0, 0, 2, 3, 1, 4, 1, 2]),
        ((125,) * 8, [0] * 8),
    ],
)
def test_first_fit_takes_the_first_worker_with_room(sizes: tuple[int, ...], expected: list[int]) -> None:
    assert workers(*sizes) == expected


def test_free_space_is_negative_after_an_engine_outgrows_its_worker() -> None:
    script = [["place", "a", 600], ["place", "b", 500], ["place", "c", 300], ["place", "d", 200], ["remove", "b"]]

    steps = oracle.steps({"capacity": 1000, "script": [*script, ["resize", "a", 900], ["place", "e", 100]]})

    assert steps is not None
    assert [step["free"] for step in steps[-3:]] == [[100, 800], [-200, 800], [-200, 700]]
    assert steps[-1]["answer"] == 1


@pytest.mark.parametrize(
    ("sizes", "bound"),
    [([600, 600, 600, 450, 450], 4), ([], 0), (20 * [300], 6), (6 * [150] + 6 * [340] + 6 * [510], 6)],
)
def test_l2_is_the_bound_of_the_specification(sizes: list[int], bound: int) -> None:
    assert oracle.least({"sizes": sizes}) == bound


def test_no_packing_of_a_small_list_needs_fewer_workers_than_l2() -> None:
    rng = random_for("tests", "l2")
    lists = [[rng.randint(50, 700) for _ in range(rng.randint(1, 7))] for _ in range(150)]

    found = [(oracle.least({"sizes": sizes}), fewest(sizes)) for sizes in lists]

    assert all(
        bound is not None and -(-sum(sizes) // 1000) <= bound <= best
        for sizes, (bound, best) in zip(lists, found, strict=True)
    )
    assert sum(bound == best for bound, best in found) > 130


def fewest(sizes: list[int], free: tuple[int, ...] = ()) -> int:
    """Return the number of workers of the best packing, found by trying all."""
    if not sizes:
        return len(free)
    first, rest = sizes[0], sizes[1:]
    fits = [at for at, room in enumerate(free) if room >= first]
    counts = [fewest(rest, (*free[:at], free[at] - first, *free[at + 1 :])) for at in fits]
    return min([*counts, fewest(rest, (*free, 1000 - first))])


def test_an_engine_needs_room_in_all_resources() -> None:
    case = {"demands": [[100, 400]] * 5 + [[500, 100]], "capacity": [1000, 1000]}

    assert oracle.vector(case) == [0, 0, 1, 1, 2, 0]
    assert oracle.invalid({"demands": [[1, 2], [3, 11]], "capacity": [10, 10]}) == [1, 1]
