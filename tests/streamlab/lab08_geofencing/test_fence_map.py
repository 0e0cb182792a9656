"""The map numbers its events and shows its scale in metres; its alt text and table describe all of it."""

from xml.etree import ElementTree

import pytest

from streamlab.lab08_geofencing.fence_map import draw_fence_map, event_table, fence_map, marks_of, round_length

SQUARE = ((((17.60, 59.80), (17.61, 59.80), (17.61, 59.81), (17.60, 59.81), (17.60, 59.80)),),)
TRACKS = {"cow": [(0, 17.59, 59.805), (1000, 17.605, 59.805), (3000, 17.62, 59.805)], "goat": [(500, 17.60, 59.80)]}
EVENTS = [
    ("EXIT", "cow", "pasture", 3000),
    ("ENTER", "cow", "pasture", 1000),
    ("INSIDE", "cow", "pasture", 2000),
    ("ENTER", "goat", "pasture", 2000),
    ("ENTER", "sheep", "pasture", 2000),
]


def test_events_are_numbered_by_time_at_the_last_place_of_their_mover() -> None:
    assert [each[:3] + each[5:] for each in marks_of(EVENTS, TRACKS)] == [
        (1, "ENTER", "cow", 17.605, 59.805),
        (2, "ENTER", "goat", 17.60, 59.80),  # the fence has changed, the goat has not moved
        (3, "EXIT", "cow", 17.62, 59.805),
    ]


def test_the_table_has_the_numbers_of_the_map() -> None:
    assert event_table(marks_of(EVENTS, TRACKS)).splitlines() == [
        "number  time (s)  event  mover  fence",
        "──────  ────────  ─────  ─────  ───────",
        "     1         0  ENTER  cow    pasture",
        "     2         1  ENTER  goat   pasture",
        "     3         2  EXIT   cow    pasture",
    ]


def test_the_map_is_an_svg_with_numbers_scale_and_alt_text() -> None:
    drawn = draw_fence_map({"pasture": SQUARE}, TRACKS, marks_of(EVENTS, TRACKS), "A pasture")
    texts = {each.text for each in ElementTree.fromstring(drawn.svg).iter("{http://www.w3.org/2000/svg}text")}

    assert {"1", "2", "3", "500 m", "pasture", "cow", "goat"} <= texts
    assert drawn.alt.startswith("A pasture. A map with fences pasture and tracks of cow, goat; scale bar 500 m.")
    assert "3: cow EXIT pasture" in drawn.alt


@pytest.mark.parametrize(("fences", "tracks"), [({"pasture": SQUARE}, {}), ({}, {"cow": [(0, 17.6, 59.8)]})])
def test_fences_without_tracks_or_a_single_place_can_be_drawn(fences: dict, tracks: dict) -> None:  # type: ignore[type-arg]
    assert "Events: none." in draw_fence_map(fences, tracks, [], "title").alt


def test_a_map_without_fences_and_tracks_is_rejected() -> None:
    with pytest.raises(ValueError, match="needs a fence or a track"):
        draw_fence_map({}, {}, [], "title")


def test_outside_a_notebook_the_table_and_the_description_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    fence_map({"pasture": SQUARE}, TRACKS, EVENTS, "A pasture")

    out = capsys.readouterr().out
    assert out.startswith("number  time (s)")
    assert "1: cow ENTER pasture" in out


@pytest.mark.parametrize(("most_m", "length_m"), [(70, 50), (50, 50), (10, 10), (0.3, 0.2), (4999, 2000)])
def test_scale_lengths_are_round_numbers(most_m: float, length_m: float) -> None:
    assert round_length(most_m) == pytest.approx(length_m)
