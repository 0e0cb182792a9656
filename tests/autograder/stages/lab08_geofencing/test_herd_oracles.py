"""The oracles of `contacts` and `scaling` against the golden trace and published figures."""

import pytest

from autograder.stages.lab08_geofencing.herd import cases, oracle
from autograder.stages.lab08_geofencing.herd.cases_scaling import FENCEX
from streamlab.lab08_geofencing.geo import metres

METRE_NORTH = 1 / 111_195


def together(windows: list[int], gap_s: int, window_s: int = 60) -> list[list[object]]:
    fixes = [
        [name, 1000 * window_s * window, 17.0, 59 + at * METRE_NORTH]
        for window in windows
        for at, name in enumerate("gh")
    ]
    return oracle.contacts({"files": [fixes], "arguments": [5.0, window_s, gap_s, 10**6]})


def test_the_golden_trace_has_two_contacts() -> None:
    assert together([0, 1, 2, 4, 7], gap_s=60) == [["g", "h", 0, 300, 240], ["g", "h", 420, 480, 60]]


@pytest.mark.parametrize(("gap_s", "contacts"), [(0, 2), (59, 2), (60, 1), (100, 1)])
def test_a_pause_no_longer_than_the_gap_joins_two_contacts(gap_s: int, contacts: int) -> None:
    assert len(together([0, 2], gap_s)) == contacts


def test_a_fix_of_a_closed_window_is_not_counted() -> None:
    files = [[["a", 10_000, 1.0, 1.0], ["a", 700_000, 1.0, 1.0]], [["b", 10_000, 1.0, 1.0], ["c", 700_000, 1.0, 1.0]]]

    found = oracle.contacts({"files": files, "arguments": [5.0, 60, 60, 300]})

    assert found == [["a", "c", 660, 720, 60]]


def test_a_case_that_depends_on_more_than_was_promised_is_rejected() -> None:
    files = [[["a", 700_000, 1.0, 1.0]], [["b", 661_000, 1.0, 1.0]]]

    with pytest.raises(AssertionError, match="more than was promised"):
        oracle.contacts({"files": files, "arguments": [5.0, 60, 60, 0]})


def test_distances_along_the_chord_agree_with_the_haversine_formula() -> None:
    places = [(17.6389, 59.8586, 18.0686, 59.3293), (179.99999, 75.0, -179.99999, 75.00002), (0.0, 0.0, 0.00003, 0.0)]

    for lon, lat, other_lon, other_lat in places:
        apart_m = oracle._apart_m([lon, lat], [other_lon, other_lat])
        assert apart_m == pytest.approx(metres(lon, lat, other_lon, other_lat), rel=1e-8)


def test_fencex_is_bound_by_its_load_from_three_nodes_up() -> None:
    rows = oracle.scaled({"runs": FENCEX["push, strong"]}) or []

    assert [row[-2:] for row in rows] == [["nodes", 1.0], ["nodes", 2.0], ["load", 3.0], ["load", 3.0]]


def test_fencex_answered_no_more_questions_than_were_asked() -> None:
    rows = oracle.scaled({"runs": FENCEX["pull, strong"]}) or []

    assert [row[-2:] for row in rows] == [["nodes", 1.0], ["load", pytest.approx(5_700 / 2_200)]]


def test_fencex_weak_scaling_has_no_speedup_since_only_the_load_grew() -> None:
    rows = oracle.scaled({"runs": FENCEX["push, weak"]}) or []

    assert [row[0] for row in rows] == [1, 2, 4, 5, 10]
    assert [row[-2:] for row in rows[:3]] == 3 * [["load", None]]
    assert [row[-1] for row in rows] == 5 * [None]


def test_no_seed_generates_a_case_that_depends_on_more_than_was_promised() -> None:
    for seed in range(30):
        for case in cases.plays(f"seed {seed}"):
            found = oracle.contacts(case)
            assert found
            assert all(a < b for a, b, *_ in found)
