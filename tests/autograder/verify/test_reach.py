"""Reach: the tasks that a version of one task can change."""

import pytest

from autograder.verify.reach import Reach
from streamlab.notebooks.labfile import LabCell

CELLS = [
    LabCell("code", "import re\nLIMIT = 3", "given"),
    LabCell("code", "def words(line):\n    return re.split(LIMIT, line)", "task", "words"),
    LabCell("code", "def helper(line):\n    return words(line)"),
    LabCell("code", "def count(line):\n    return len(helper(line))", "task", "count"),
    LabCell("code", "def other(line):\n    words = line\n    return words", "task", "other"),
    LabCell("code", "other(count('a'))", "show"),
]
REACHED = [
    # its own task, and those that call it through a helper; `other` has a variable of that name: scopes are ignored
    ("def words(line):\n    return []", ["words", "count", "other"]),
    ("def count(line):\n    return 0", ["count"]),
    # a redefined name of a given cell reaches every task that uses it
    ("LIMIT = 0\ndef other(line):\n    return LIMIT", ["words", "count", "other"]),
    # an import is a definition, unless a given cell has the same
    ("import regex as re\ndef other(line):\n    return re", ["words", "count", "other"]),
    ("import re\ndef other(line):\n    return re", ["other"]),
]


@pytest.mark.parametrize(("code", "reached"), REACHED)
def test_code_reaches_the_tasks_that_use_what_it_defines(code: str, reached: list[str]) -> None:
    reach = Reach(CELLS)

    assert reach.tasks(reach.names(code)) == reached
