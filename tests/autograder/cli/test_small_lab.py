"""`small_lab` writes one task with the fewest files, and leaves no word of its template."""

from pathlib import Path

import pytest

from autograder.builder import BadName, stale
from autograder.cli.small_lab import small_lab
from autograder.course import load_course
from tests.autograder.builder.small_course import SmallCourse, assert_no_change_by_ruff, files

LAB = "lab02_resampling"
WRITTEN = {
    f"autograder/stages/{LAB}/__init__.py",
    f"autograder/stages/{LAB}/hints.yml",
    *(f"autograder/stages/{LAB}/skew/{name}.py" for name in ("__init__", "checks", "drive", "mutants", "oracle")),
    f"labs/{LAB}/{LAB}.ipynb",
    f"solutions/{LAB}/{LAB}.py",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The small course."""
    return SmallCourse(tmp_path).root


def test_a_small_lab_has_no_more_files_than_it_needs_and_is_built(root: Path) -> None:
    before = files(root)

    small_lab(root, LAB, 'Joins: "two" streams')

    lab = load_course(root).labs[LAB]
    assert (lab.title, list(lab.tasks), lab.written) == ('Joins: "two" streams', ["resampling_hot_keys"], {})
    assert files(root).keys() - before.keys() == WRITTEN
    assert not any(LAB in each for each in stale(root))


def test_a_small_lab_contains_no_word_of_either_template(root: Path) -> None:
    small_lab(root, LAB)

    texts = [text for name, text in files(root).items() if LAB in name]
    assert not any(word in text for text in texts for word in ("sample", "lab00", "Lab 0", "Title of the lab"))
    assert not any("invariant" in text for text in texts)


def test_a_small_lab_needs_no_change_by_ruff(root: Path) -> None:
    small_lab(root, LAB)

    assert_no_change_by_ruff(root, LAB)


def test_a_bad_name_writes_nothing(root: Path) -> None:
    before = files(root)

    with pytest.raises(BadName, match="lab01_small; choose another number"):
        small_lab(root, "lab01_joins")

    assert files(root) == before
