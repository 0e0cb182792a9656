"""The oracles of `Watch` and `in_order`, and the reference, against traces worked out by hand."""

from typing import Any

import pytest

from autograder.stages.lab08_geofencing.events import oracle
from streamlab.lab08_geofencing.geo import Change, Polygons, Position
from tests.autograder.stages.driven_reference import reference

LAB = "lab08_geofencing"


def square(west: float, south: float, side: float) -> Polygons:
    east, north = west + side, south + side
    return ((((west, south), (east, south), (east, north), (west, north), (west, south)),),)


# (time, mover or fence, its place, events); a fence is (west, south, side)
TRACE: list[tuple[int, str, tuple[float, ...] | None, str]] = [
    (0, "a", (0, 0, 1), ""),
    (10, "m", (0.5, 0.5), "ENTER m a"),
    (20, "n", (5.5, 5.5), ""),
    (30, "o", (2.5, 0.5), ""),
    (50, "a", (5, 5, 1), "ENTER n a, EXIT m a"),
    (60, "m", (0.6, 0.6), ""),
    (70, "b", (0, 0, 3), "ENTER m b, ENTER o b"),
    (90, "a", None, "EXIT n a"),
    (100, "n", (1, 1), "ENTER n b"),
    (120, "b", (2, 0, 3), "EXIT m b, EXIT n b"),
    (130, "b", None, "EXIT o b"),
    (140, "b", (0, 0, 9), "ENTER m b, ENTER n b, ENTER o b"),
    (150, "m", (9.5, 9.5), "EXIT m b"),
]


def test_the_reference_produces_the_events_of_the_trace() -> None:
    watch = reference(LAB).Watch()

    for number, (time_ms, name, where, expected) in enumerate(TRACE):
        if name in "ab":
            events = watch.change(Change(name, time_ms, square(*where) if where else None, number))  # type: ignore[misc]
        else:
            assert where
            events = watch.move(Position(name, time_ms, where[0], where[1], number))
        assert {each.time_ms for each in events} <= {time_ms}
        assert ", ".join(sorted(f"{each.kind} {each.mover} {each.fence}" for each in events)) == expected


def test_the_oracle_reports_a_fence_that_appears_around_a_mover_and_disappears() -> None:
    calls: list[Any] = [
        ["move", "m", 10, 1.0],
        ["change", "a", 20, [1, 2]],
        ["move", "m", 30, 2.0],
        ["move", "m", 30, 9.0],
        ["change", "a", 40, [2]],
        ["change", "a", 50, None],
    ]

    enter, inside, leave = ["ENTER", "m", "a", 20], ["INSIDE", "m", "a", 30], ["EXIT", "m", "a", 50]
    assert oracle.events(calls) == [[], [enter], [inside], [], [], [leave]]
    assert oracle.inside_at_the_end(calls[:5]) == [["m", "a"]]
    assert oracle.inside_at_the_end(calls) == []


POSITIONS = [["position", name, at, at] for name, at in (("a", 50), ("b", 51), ("c", 52), ("d", 70))]
CHANGES = [["change", name, at, at] for name, at in (("f", 20), ("g", 52))]


def test_the_oracle_produces_the_three_lists_of_the_trace() -> None:
    call = {"arrived": POSITIONS + CHANGES, "watermark_ms": 60}

    lists = oracle.in_order({"waiting": [["position", "w", 55, 9]], "done_ms": 50, "calls": [call]})[0]

    assert [f"{row[1]}@{row[2]}" for row in lists["ready"]] == ["f@50", "b@51", "g@52", "c@52", "w@55"]
    assert [row[1] for row in lists["waiting"]] == ["d"]
    assert [row[1] for row in lists["late"]] == ["a"]


@pytest.mark.parametrize("offsets", [(1, 2), (2, 1)])
def test_a_change_comes_before_a_position_of_the_same_time_for_any_offsets(offsets: tuple[int, int]) -> None:
    rows = [Position("m", 5, 1.0, 2.0, offsets[0]), Change("f", 5, None, offsets[1])]

    ready, _, _ = reference(LAB).in_order([], rows, 0, 5)

    assert [type(row) for row in ready] == [Change, Position]
