"""`new_lab` writes a complete, linted lab into the course, or it writes nothing."""

from pathlib import Path

import pytest

from autograder.builder import BadName, SourceError, new_lab, stale
from autograder.builder.new_lab import with_lab
from autograder.course import load_course
from tests.autograder.builder.small_course import SmallCourse, assert_no_change_by_ruff, files

README = "<!-- generated: labs -->\n<!-- /generated -->\n"


@pytest.fixture
def root(small: SmallCourse) -> Path:
    """The small course with a README; its own lab is built."""
    (small.root / "README.md").write_text(README)
    return small.root


def test_a_new_lab_is_in_the_course_built_and_in_the_readme(root: Path) -> None:
    before = files(root)

    new_lab(root, "lab02_joins", 'Joins: "two" streams')

    lab = load_course(root).labs["lab02_joins"]
    assert (lab.title, list(lab.tasks)) == ('Joins: "two" streams', ["joins_hot_keys"])
    assert [each for each in stale(root) if "lab02_joins" in each or "README" in each] == []
    assert "[lab02_joins]" in (root / "README.md").read_text()
    assert all(files(root)[name] == text for name, text in before.items() if name not in ("course.yml", "README.md"))


def test_a_new_lab_contains_no_word_of_the_template(root: Path) -> None:
    new_lab(root, "lab02_resampling")

    new_files = {name: text for name, text in files(root).items() if "lab02" in name}
    assert len(new_files) == 14
    assert not any(
        word in text for text in new_files.values() for word in ("sample", "lab00", "Lab 0", "Title of the lab")
    )
    assert "# # Lab 2 · Resampling\n" in new_files["solutions/lab02_resampling/lab02_resampling.py"]


def test_yaml_keywords_may_be_names_and_titles(root: Path) -> None:
    new_lab(root, "lab02_on", "No")

    assert load_course(root).labs["lab02_on"].title == "No"
    assert list(load_course(root).labs["lab02_on"].tasks) == ["on_hot_keys"]


@pytest.mark.parametrize("lab", ["lab02_x", "lab99_sixteen_letters_"])
def test_a_new_lab_needs_no_change_by_ruff(root: Path, lab: str) -> None:
    new_lab(root, lab)

    assert_no_change_by_ruff(root, lab)


@pytest.mark.parametrize(
    ("lab", "title", "message"),
    [
        ("joins", "", "expected lab, two digits, _ and a topic: lab10_example"),
        ("lab2_joins", "", "not a lab name"),
        ("lab02_Joins", "", "not a lab name"),
        ("lab02_" + 17 * "a", "", "not a lab name"),
        ("../lab02_joins", "", "not a lab name"),
        ("lab01_joins", "", "course.yml has lab01_small; choose another number than 01"),
        ("lab02_joins", "two\nlines", "expected a title of one line"),
        ("lab02_joins", "a | b", "without |"),
        ("lab02_joins", 61 * "a", "at most 60 characters"),
        ("lab02_taken", "", "solutions/lab02_taken exists"),
    ],
)
def test_a_bad_name_is_a_one_line_error_and_writes_nothing(root: Path, lab: str, title: str, message: str) -> None:
    (root / "solutions" / "lab02_taken").mkdir()
    before = files(root)

    with pytest.raises(BadName) as problem:
        new_lab(root, lab, title)

    assert message in str(problem.value)
    assert "\n" not in str(problem.value)
    assert files(root) == before


def test_a_task_name_that_another_lab_has_is_rejected(root: Path) -> None:
    new_lab(root, "lab02_joins")

    with pytest.raises(BadName, match="joins_hot_keys, but lab02_joins has it"):
        new_lab(root, "lab03_joins")


def test_a_lab_that_cannot_be_built_leaves_no_files(root: Path) -> None:
    (root / "README.md").write_text("<!-- generated: unknown -->\n<!-- /generated -->\n")
    before = files(root)

    with pytest.raises(SourceError):
        new_lab(root, "lab02_joins")

    assert files(root) == before


@pytest.mark.parametrize(
    ("course", "expected"),
    [
        ("labs:\n  a: 1 # one\n", "labs:\n  a: 1 # one\n\n  b:\n    c: 2\n"),
        ("labs:\n  a: 1", "labs:\n  a: 1\n\n  b:\n    c: 2\n"),
        ("labs:\n  a: 1\n  # on\n\n# of all\nx: 3\n", "labs:\n  a: 1\n  # on\n\n  b:\n    c: 2\n\n# of all\nx: 3\n"),
        ("labs:\n    a:\n        d: 1\n", "labs:\n    a:\n        d: 1\n\n    b:\n      c: 2\n"),
    ],
    ids=["comments stay", "no end of line", "keys after the labs", "another indent"],
)
def test_an_entry_becomes_the_last_lab_and_the_rest_is_unchanged(course: str, expected: str) -> None:
    assert with_lab(course, "b:\n  c: 2\n") == expected
