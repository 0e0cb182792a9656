"""The oracle of `push` on a few records whose events can be counted by hand, and the guarantees of its cases."""

from typing import Any

import pytest

from autograder.stages.lab08_geofencing.push import cases, oracle

SEEDS = [f"seed {number}" for number in range(20)]


def case_of(*files: list[Any], lateness_s: int = 10) -> dict[str, Any]:
    return {"files": list(files), "lateness_s": lateness_s}


FENCE = ["fences", "f", "1;2", 5_000]
MOVES = [["positions", "m", "1;59", 10_000], ["positions", "m", "2;59", 20_000], ["positions", "m", "3;59", 30_000]]


def test_the_order_of_arrival_changes_no_event() -> None:
    expected = [["IN", "m", "f", 10_000], ["STAY", "m", "f", 20_000], ["OUT", "m", "f", 30_000]]

    assert oracle.events(case_of([FENCE, *MOVES])) == expected
    assert oracle.events(case_of([*reversed(MOVES), FENCE])) == expected


def test_a_new_fence_reports_a_mover_that_stands_still_inside_it() -> None:
    moved = ["positions", "m", "1;59", 2_000]

    assert oracle.events(case_of([moved], [FENCE])) == [["IN", "m", "f", 5_000]]


def test_a_position_older_than_the_watermark_of_earlier_files_is_late() -> None:
    old, edge, young = (["positions", "l", "1;59", at] for at in (19_999, 20_000, 20_001))

    assert oracle.late_positions(case_of(MOVES, [old, edge, young])) == [old, edge]
    assert oracle.late_positions(case_of([*MOVES, old])) == []


@pytest.mark.parametrize("seed", SEEDS)
def test_exactly_one_position_of_a_case_is_late_and_every_shard_needs_the_watermark(seed: str) -> None:
    case = cases.played(seed)[0]

    assert [record[1] for record in oracle.late_positions(case)] == ["l"]
    assert len(oracle.rejected(case)) == 3
    assert {row[1] for row in oracle.events(case)} >= {f"m{number}" for number in range(cases.MOVERS)}
