"""The map names every part with its owner, in shapes and in words, and its boxes do not overlap."""

import re
from itertools import combinations
from xml.etree import ElementTree

import pytest

from streamlab.views.system_map import (
    NARROW,
    NOT_YET,
    PARTS,
    REFERENCE,
    WIDE,
    YOURS,
    Layout,
    Owner,
    Place,
    in_words,
    system_map,
)

LAYOUTS = pytest.mark.parametrize("layout", [WIDE, NARROW], ids=["wide", "narrow"])
TASKS = {"sources": ["lab01_a/send"], "log": ["lab02_b/append", "lab02_b/read"], "job": ["lab03_c/run"]}
OWNERS: dict[str, Owner] = {"lab01_a/send": YOURS, "lab02_b/append": REFERENCE}


@LAYOUTS
def test_the_map_is_well_formed_and_has_each_task_once_with_its_owner(layout: Layout) -> None:
    drawn = ElementTree.fromstring(system_map(TASKS, OWNERS, layout, (), ""))
    titles = [each.text or "" for each in drawn.iter("{http://www.w3.org/2000/svg}title")]

    assert titles == ["send, Lab 1: yours", "append, Lab 2: reference", "read, Lab 2: not yet", "run, Lab 3: not yet"]


def test_the_marks_of_the_owners_differ_without_colour() -> None:
    def shapes(owner: Owner) -> list[str]:
        return re.findall("<(circle|path)", system_map(TASKS, dict.fromkeys(OWNERS, owner), WIDE, (), ""))

    assert shapes(YOURS) != shapes(REFERENCE) != shapes(NOT_YET)


def test_a_task_that_does_not_run_is_in_italics_and_the_legend_says_why() -> None:
    drawn = system_map(TASKS, {}, WIDE, ["lab02_b/read"], "simulated")

    assert drawn.count('class="absent"') == 3
    assert "in italics: simulated here" in drawn


def test_the_map_in_words_says_whose_each_task_is() -> None:
    said = in_words(TASKS, OWNERS)

    assert "Phones, tills: send (yours). Connector: given. Log: append (reference), read (not yet)." in said


@LAYOUTS
def test_boxes_are_on_the_map_and_overlap_only_the_box_that_surrounds_them(layout: Layout) -> None:
    assert set(layout.places) == {part.box for part in PARTS}
    assert _overlapping(layout) == []
    assert max(each.x + each.width for each in layout.places.values()) <= layout.width
    assert max(each.y + each.height for each in layout.places.values()) <= layout.height


def _overlapping(layout: Layout) -> list[tuple[str, str]]:
    """Return the pairs of boxes that overlap, without those of which one surrounds the other."""
    outside = {part.box for part in PARTS if not part.inside}
    pairs = [(a, b) for a, b in combinations(layout.places, 2) if (a in outside) == (b in outside)]
    return [pair for pair in pairs if _overlap(*(layout.places[each] for each in pair))]


def _overlap(a: Place, b: Place) -> bool:
    return a.x < b.x + b.width and b.x < a.x + a.width and a.y < b.y + b.height and b.y < a.y + a.height
