"""Which tasks a variant can change, and which variants can ride together."""

from autograder.verify.variants import Variant, tasks_reached
from streamlab.notebooks.labfile import LabCell

CELLS = [
    LabCell("code", "import re\nLIMIT = 3", "given"),
    LabCell("code", "def words(line):\n    return re.split(LIMIT, line)", "task", "words"),
    LabCell("code", "def helper(line):\n    return words(line)"),
    LabCell("code", "def count(line):\n    return len(helper(line))", "task", "count"),
    LabCell("code", "def other(line):\n    words = line\n    return words", "task", "other"),
    LabCell("code", "other(count('a'))", "show"),
]


def variant(task: str, code: str) -> Variant:
    return Variant(task, f"{task}__m", "about", frozenset(), code)


def test_a_variant_reaches_its_own_task_and_those_that_call_it_by_way_of_a_helper() -> None:
    assert {"words", "count"} <= tasks_reached([variant("words", "def words(line):\n    return []")], CELLS)


def test_a_task_that_uses_nothing_of_a_variant_is_not_reached() -> None:
    reached = tasks_reached([variant("count", "def count(line):\n    return 0")], CELLS)

    assert reached == {"count"}


def test_a_name_that_a_variant_takes_from_a_given_cell_reaches_whoever_uses_it() -> None:
    reached = tasks_reached([variant("other", "LIMIT = 0\ndef other(line):\n    return LIMIT")], CELLS)

    assert reached == {"words", "count", "other"}


def test_an_import_of_a_variant_counts_as_a_definition() -> None:
    reached = tasks_reached([variant("other", "import regex as re\ndef other(line):\n    return re")], CELLS)

    assert "words" in reached


def test_an_import_that_a_given_cell_has_too_changes_nothing() -> None:
    reached = tasks_reached([variant("other", "import re\ndef other(line):\n    return re")], CELLS)

    assert reached == {"other"}


def test_two_variants_reach_what_either_of_them_does() -> None:
    both = [variant("count", "def count(line):\n    return 0"), variant("other", "def other(line):\n    return 0")]

    assert tasks_reached(both, CELLS) == {"count", "other"}
