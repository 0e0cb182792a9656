"""The oracles of `batch_of_shard` and `cells_near` on examples worked out by hand."""

from typing import Any

from autograder.stages.lab08_geofencing.cells import cases as circles
from autograder.stages.lab08_geofencing.cells import oracle as cells
from autograder.stages.lab08_geofencing.shard import oracle as shard
from streamlab.lab08_geofencing.geo import around, cell_of

FENCE = ["fences", "f", "1;2", 10, 0]
ENTERS, LEAVES = ["positions", "m", "1;59", 20, 0], ["positions", "m", "3;59", 60, 1]


def case_of(*batches: tuple[list[Any], int]) -> dict[str, Any]:
    rows = [{"records": records, "watermark_ms": watermark_ms} for records, watermark_ms in batches]
    return {"batches": rows, "reports_fences": True}


def test_a_row_beyond_the_watermark_waits_for_the_batch_that_reaches_it() -> None:
    first, second = shard.batches(case_of(([LEAVES, ENTERS, FENCE], 50), ([], 60)))

    assert first == {"events": [["IN", "m", "f", 20]], "waiting": [["m", 60, 3.0, 59.0, 1]], "done_ms": 50}
    assert second == {"events": [["OUT", "m", "f", 60]], "waiting": [], "done_ms": 60}


def test_a_late_change_takes_effect_at_the_time_that_is_done_and_a_late_position_has_no_effect() -> None:
    late = ["positions", "m", "3;59", 45, 1]

    _, second = shard.batches(case_of(([ENTERS], 50), ([FENCE, late], 60)))

    assert second["events"] == [["IN", "m", "f", 50]]


def test_an_unreadable_record_is_reported_and_changes_nothing() -> None:
    case = case_of(([FENCE, ["positions", "m", "?", 15, 3], ENTERS], 50))

    assert shard.refused(case) == [[["REFUSED", "m", "positions", 15]]]
    assert shard.batches(case)[0]["events"] == [["IN", "m", "f", 20]]


def test_the_cells_of_a_circle_are_those_of_the_given_functions() -> None:
    for case in [each for make in (circles.anywhere, circles.antimeridian, circles.inside) for each in make("tests")]:
        found = cells.cells(case)
        corners = {
            cell_of(lon, lat, case["distance_m"])
            for box in around(case["lon"], case["lat"], case["distance_m"])
            for lon, lat in ((box.west, box.south), (box.east, box.north))
        }

        assert list(cell_of(case["lon"], case["lat"], case["distance_m"])) in found.touched
        assert corners <= set(map(tuple, found.in_boxes))
        assert all(each in found.in_boxes for each in found.touched)


def test_a_circle_inside_a_cell_has_one_cell_and_a_wide_one_in_the_north_has_many() -> None:
    assert all(len(cells.cells(case).in_boxes) == 1 for case in circles.inside("tests"))
    assert len(cells.cells({"lon": 90.0, "lat": 88.5, "distance_m": 5.0}).touched) > 9
