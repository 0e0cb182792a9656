"""States and their transitions, and a table of numbers, as pictures."""

from xml.etree import ElementTree

import pytest

from streamlab.views.heat_map import draw_heat_map
from streamlab.views.state_diagram import HEIGHT, WIDTH, Arrow, state_diagram, states_in_words

SVG = "{http://www.w3.org/2000/svg}"
PLACES = {"sent": (0, 0), "lost & found": (1, 0), "done": (1, 1)}
ARROWS = [
    Arrow("sent", "sent", "wait"),
    Arrow("sent", "lost & found", "fault"),
    Arrow("lost & found", "sent", "retry"),
    Arrow("lost & found", "done", "receipt"),
]


def test_each_state_has_a_box_and_each_transition_an_arrow_with_its_label() -> None:
    drawn = ElementTree.fromstring(state_diagram("A letter", PLACES, ARROWS))

    texts = [text.text for text in drawn.iter(f"{SVG}text")]
    assert texts == ["sent", "lost & found", "done", "wait", "fault", "retry", "receipt"]
    assert len([path for path in drawn.iter(f"{SVG}path") if path.get("class") == "edge"]) == len(ARROWS)


def test_opposite_arrows_do_not_lie_on_each_other() -> None:
    drawn = state_diagram("A letter", PLACES, ARROWS[1:3])

    there, back = (part.split('"')[1] for part in drawn.split('class="edge" d=')[1:])
    assert there.split()[-1] != back.split()[-1]


@pytest.mark.parametrize("place", [(1, 0), (0, 1), (1, 1), (2, 1), (1, 3)])
def test_every_arrow_ends_at_the_edge_of_its_box(place: tuple[int, int]) -> None:
    there_and_back = [Arrow("sent", "done", "go"), Arrow("done", "sent", "return")]

    drawn = ElementTree.fromstring(state_diagram("A letter", {"sent": (0, 0), "done": place}, there_and_back))

    boxes = [box for box in drawn.iter(f"{SVG}rect") if box.get("class") is None]
    x, y = (float(boxes[1].attrib[name]) for name in "xy")
    path = next(each for each in drawn.iter(f"{SVG}path") if each.get("class") == "edge")
    tip_x, tip_y = map(float, path.attrib["d"].split("L")[1].split())
    outside = max(x - tip_x, tip_x - x - WIDTH, y - tip_y, tip_y - y - HEIGHT)
    assert outside == pytest.approx(0, abs=0.1)


def test_the_alt_text_names_every_transition() -> None:
    assert states_in_words("A letter", ARROWS[:2]) == "A letter. sent to sent: wait; sent to lost & found: fault."


def test_a_small_table_shows_its_numbers_and_its_alt_text() -> None:
    picture = draw_heat_map([[10, 21], [22, 10]], "memory", "reader", "Distances", "two nodes, 21 and 22 apart")

    assert ">22<" in picture.svg
    assert "two nodes, 21 and 22 apart" in picture.svg


def test_a_large_table_shows_no_numbers() -> None:
    assert ">77<" not in draw_heat_map([[77] * 2] * 30, "x", "y", "Large", "30 rows").svg
