"""The map of the labs highlights the parts of one lab with more than colour, and grows with their tasks."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from autograder.course import load_course
from streamlab.views.labs_map import labs_in_words, labs_map

COURSE = load_course(Path(__file__).resolve().parents[3])
TASKS = COURSE.tasks_of_parts()
SVG = "{http://www.w3.org/2000/svg}"


def drawn(lab: str) -> ElementTree.Element:
    return ElementTree.fromstring(labs_map(TASKS, lab))


@pytest.mark.parametrize("lab", COURSE.labs)
def test_a_lab_has_a_marked_corner_and_the_names_of_its_tasks_in_each_of_its_parts(lab: str) -> None:
    here = [box for box in drawn(lab).iter(f"{SVG}g") if "here" in box.get("class", "")]
    names = {text.text for box in here for text in box.iter(f"{SVG}text") if text.get("class") == "name"}

    assert names == {name for name, task in COURSE.labs[lab].tasks.items() if task.part}
    assert all(len(list(box.iter(f"{SVG}path"))) == 1 for box in here)


@pytest.mark.parametrize("lab", ["", *COURSE.labs])
def test_boxes_do_not_overlap_and_texts_are_inside_their_boxes(lab: str) -> None:
    boxes = [box for box in drawn(lab).iter(f"{SVG}g") if box.get("class", "").startswith("box")]
    outer = [_edges(box) for box in boxes if "inner" not in box.get("class", "")]

    assert not any(_overlap(a, b) for at, a in enumerate(outer) for b in outer[:at])
    for box in boxes:
        _, top, _, bottom = _edges(box)
        assert all(top < float(text.get("y", "0")) < bottom for text in box.iter(f"{SVG}text"))


def test_tasks_that_pass_have_another_mark_than_the_others() -> None:
    drawn_map = labs_map(TASKS, "lab03_log", passed={"lab03_log/Segment"})

    assert drawn_map.count('class="full"') == 1
    assert drawn_map.count('class="mark"') == sum(bool(task.part) for task in COURSE.labs["lab03_log"].tasks.values())


def test_numbers_of_neighbouring_labs_are_written_as_a_range() -> None:
    tasks = {"log": [f"lab0{number}_topic/task" for number in (1, 2, 3, 5, 6, 9)]}

    assert "Log: Labs 1–3, 5, 6, 9." in labs_in_words(tasks)


def test_the_map_in_words_names_the_tasks_of_a_lab_by_part() -> None:
    words = labs_in_words(TASKS, "lab03_log")

    assert re.search("Lab 3 builds tasks of .*Log: Segment, PartitionLog, ReplicatedPartition; ", words)


def _edges(box: ElementTree.Element) -> tuple[float, float, float, float]:
    frame = box.find(f"{SVG}rect")
    assert frame is not None
    x, y, width, height = (float(frame.get(name, "0")) for name in ("x", "y", "width", "height"))
    return x, y, x + width, y + height


def _overlap(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
