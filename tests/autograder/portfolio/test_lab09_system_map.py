"""The map of a package marks its tasks, and highlights the parts that have some."""

import re
from pathlib import Path
from xml.etree import ElementTree

from autograder.course import load_course
from autograder.portfolio.lab09_system_map import map_picture

COURSE = load_course(Path(__file__).resolve().parents[3])


def test_only_the_parts_with_tasks_of_the_package_are_highlighted() -> None:
    svg, words = map_picture(COURSE, ["lab01_wordcount/words", "lab01_wordcount/deliver"])  # words is in no box

    ElementTree.fromstring(svg)
    assert set(re.findall(r'class="[^"]* here" data-box="(\w+)"', svg)) == {"route", "sources"}
    assert "deliver (yours)" in words
    assert "admit (not yet)" in words
