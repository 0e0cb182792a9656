"""A package gets the code that its tasks need; a task that calls one outside the package is left out."""

import pytest

from autograder.portfolio.module_text import import_lines, module_text
from autograder.portfolio.selection import Selection
from autograder.portfolio.units import units_of
from streamlab.notebooks.labfile import LabCell

SETUP = """\
import re
import heapq
from collections import Counter, deque
from streamlab import check, session, stage

spark = session("lab01_wordcount")
TOP = {"é": 1}; LIMIT = 2  # of both
TOP["b"] = 2; LIMIT += 1; TOP["c"] = LIMIT  # later"""


def task(name: str, body: str) -> LabCell:
    return LabCell("code", f"def {name}(x):\n    # mine\n    return {body}", "task", name)


def selected(cells: dict[str, list[LabCell]], own: list[str]) -> Selection:
    selection = Selection({lab: units_of(of_lab) for lab, of_lab in cells.items()}, own)
    selection.select(own)
    return selection


def test_a_module_has_the_tasks_as_written_and_only_what_they_need_of_the_other_cells() -> None:
    helper = LabCell("code", "print('tried')\n@staticmethod\ndef helper(x):\n    return Counter(x)")
    broken = LabCell("code", "def helper(x, x):\n    pass")
    others = [LabCell("code", SETUP, "given", "setup"), broken, helper]
    cells = [*others, task("f", "helper(x), TOP"), task("g", "deque(x)")]

    selection = selected({"lab01": cells}, ["lab01/f"])

    text = module_text("Lab", selection.modules["lab01"], selection.units["lab01"])
    assert text.split("\n\n\n") == [
        '"""Lab."""',
        "from collections import Counter",
        'TOP = {"é": 1}',
        "LIMIT = 2  # of both",
        'TOP["b"] = 2',
        "LIMIT += 1",
        'TOP["c"] = LIMIT  # later',
        "@staticmethod\ndef helper(x):\n    return Counter(x)",
        "def f(x):\n    # mine\n    return helper(x), TOP\n",
    ]


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        (task("f", "later(x)"), "uses later, which only a notebook has"),
        (task("f", "spark.range(x)"), "uses spark, which only a notebook has"),
        (task("f", "g(x)"), "calls g, which is not among your passing tasks as it is now"),
        (task("f", "early(x)"), "calls early, which is not among your passing tasks as it is now"),
        (LabCell("code", "%time x = 3\ndef f(x):\n    return x", "task", "f"), "has a line that only a notebook runs"),
    ],
)
def test_a_task_that_needs_more_than_a_package_has_is_left_out(cell: LabCell, why: str) -> None:
    cells = {"lab01": [task("early", "x")], "lab02": [LabCell("code", SETUP, "given", "setup"), cell, task("g", "x")]}

    selection = selected(cells, ["lab02/f"])

    assert selection.tasks == []
    assert selection.left_out["lab02/f"].startswith(why)


def test_a_task_of_an_earlier_lab_comes_with_the_one_that_calls_it() -> None:
    own_line = LabCell("code", "early = stage('lab01').early")  # as a notebook gets it
    cells = {"lab01": [task("early", "x"), task("other", "x")], "lab02": [own_line, task("f", "early(x)")]}
    selection = Selection({lab: units_of(of_lab) for lab, of_lab in cells.items()}, ["lab01/early", "lab02/f"])

    selection.select(["lab02/f"])

    assert selection.tasks == ["lab01/early", "lab02/f"]
    text = module_text("Lab", selection.modules["lab02"], selection.units["lab02"])
    assert "from .lab01 import early" in text
    assert "stage" not in text


def test_imports_have_one_line_for_each_module_and_long_ones_are_broken() -> None:
    long = [("streamlab.a", f"a_rather_long_name_{at}") for at in range(4)]

    lines = import_lines([("", "re"), ("operator", "sub"), *long, ("operator", "add as plus")])

    assert lines[:2] == ["import re", "from operator import add as plus, sub"]
    assert lines[2].splitlines()[:2] == ["from streamlab.a import (", "    a_rather_long_name_0,"]
