"""The map names every part with its owner, in shapes and in words, and its boxes do not overlap."""

import re
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from autograder.course import load_course
from streamlab.lab09_system.parts import NOT_YET, PARTS, REFERENCE, TASKS, VIRTUAL_TASKS, YOURS, name_of
from streamlab.lab09_system.system_map import NARROW, STYLE, WIDE, Layout, Place, in_words, system_map

ROOT = Path(__file__).resolve().parents[3]
LAYOUTS = pytest.mark.parametrize("layout", [WIDE, NARROW], ids=["wide", "narrow"])
OWNERS = {TASKS[0]: YOURS, TASKS[1]: REFERENCE}


@LAYOUTS
def test_the_map_is_well_formed_and_has_each_task_once_with_its_owner(layout: Layout) -> None:
    drawn = ElementTree.fromstring(system_map(OWNERS, layout))
    titles = [each.text or "" for each in drawn.iter("{http://www.w3.org/2000/svg}title")]

    assert [title.partition(",")[0] for title in titles] == [name_of(task) for task in TASKS]
    assert [title.rpartition(": ")[2] for title in titles] == [YOURS, REFERENCE, *[NOT_YET] * (len(TASKS) - 2)]


def test_the_marks_of_the_owners_differ_without_colour() -> None:
    shapes = [re.findall("<(circle|path)", system_map(dict.fromkeys(TASKS, owner))) for owner in (YOURS, REFERENCE)]

    assert shapes[0] != shapes[1] != re.findall("<(circle|path)", system_map({}))


def test_the_map_in_words_says_whose_each_task_is() -> None:
    assert "Phones, tills: deliver (yours). Connector: admit (reference). Log: PartitionLog (not yet)." in in_words(
        OWNERS
    )


def test_a_page_that_has_the_style_leaves_it_out() -> None:
    assert STYLE in system_map({})
    assert "<style>" not in system_map({}, styled=False)


@LAYOUTS
def test_boxes_are_on_the_map_and_overlap_only_the_box_that_surrounds_them(layout: Layout) -> None:
    outside = {part.box for part in PARTS if not part.inside}
    pairs = [(a, b) for a, b in combinations(layout.places, 2) if (a in outside) == (b in outside)]

    assert set(layout.places) == {part.box for part in PARTS}
    assert [pair for pair in pairs if _overlap(*(layout.places[each] for each in pair))] == []
    assert all(
        each.x + each.width <= layout.width and each.y + each.height <= layout.height for each in layout.places.values()
    )


def _overlap(a: Place, b: Place) -> bool:
    return a.x < b.x + b.width and b.x < a.x + a.width and a.y < b.y + b.height and b.y < a.y + a.height


def test_the_parts_are_tasks_of_the_course() -> None:
    labs = load_course(ROOT).labs
    missing = [task for task in TASKS if task.split("/")[1] not in labs[task.split("/")[0]].tasks]

    assert missing == []
    assert set(VIRTUAL_TASKS) <= set(TASKS)
