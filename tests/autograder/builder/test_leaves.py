"""Only a leaf can be a bonus task: a sentence names each use in another cell, drive or lab."""

from pathlib import Path

import pytest

from autograder.builder import SourceError, build
from autograder.builder.leaves import broken_leaves
from autograder.builder.rules import broken_rules
from autograder.course import load_course
from tests.autograder.builder.small_course import SmallCourse

USED = "lab01_small: bonus task halve is used by {}; only leaves can be bonus"


@pytest.fixture
def bonus(small: SmallCourse) -> SmallCourse:
    """Return the small course with `halve`, its last task, as a bonus task."""
    course = small.root / "course.yml"
    text = (
        course.read_text(encoding="utf-8")
        .replace("points: 9", "points: 6")
        .replace(
            "        checks: {it_halves: 2}\n        throughput: {baseline: slow, threshold: 1.5, points: 1}\n",
            "        checks: {it_halves: 2}\n        bonus: true\n",
        )
    )
    course.write_text(text, encoding="utf-8")
    return small


def broken(small: SmallCourse) -> list[str]:
    return broken_leaves(small.root, load_course(small.root))


def add_drive(root: Path, source: str) -> None:
    folder = root / "autograder/stages/lab01_small/numbers"
    folder.mkdir()
    (folder / "drive.py").write_text(source, encoding="utf-8")


def test_a_leaf_can_be_bonus(bonus: SmallCourse) -> None:
    add_drive(bonus.root, '@drive("halve")\ndef halve(stage, case):\n    return {"half": stage.halve(case["n"])}\n')

    assert broken(bonus) == []
    assert broken_rules(bonus.root, load_course(bonus.root), "lab01_small") == []


@pytest.mark.parametrize(
    ("before", "after", "user"),
    [
        ("    return n + n", "    return 4 * int(halve(n))", "task double"),
        ('check("double")', 'halve(2)\ncheck("double")', "task double"),
        ("from streamlab import check", "from streamlab import check\nhalved = lambda n: halve(n)", "a given cell,"),
        ('print("double(21) is", double(21))', "print(halve(42))", "a given cell, a shown cell"),
    ],
)
def test_a_use_in_another_cell_is_named(bonus: SmallCourse, before: str, after: str, user: str) -> None:
    bonus.change(before, after)

    assert len(found := broken(bonus)) == 1
    assert f"is used by {user}" in found[0]


def test_a_shown_cell_among_the_bonus_tasks_may_use_them(bonus: SmallCourse) -> None:
    bonus.change('# %% check="halve"', '# %% role="show"\nprint(halve(3))\n\n# %% check="halve"')

    assert broken(bonus) == []


@pytest.mark.parametrize(
    ("source", "user"),
    [
        ('@drive("double")\ndef double(stage, case):\n    return {"n": stage.halve(4 * case["n"])}\n', "task double"),
        (
            "def helper(stage):\n    return stage.halve(1)\n\n"
            '@drive("double.throughput")\ndef double(stage, case):\n    return {"n": helper(stage)}\n',
            "task double",
        ),
        (
            "def helper(stage):\n    return stage.halve(1)\n\n"
            '@drive("double")\ndef double(stage, case):\n    return {}\n\n'
            '@drive("halve")\ndef halve(stage, case):\n    return {}\n',
            "a given cell, a shown cell or a drive",
        ),
    ],
)
def test_a_use_in_a_drive_is_named(bonus: SmallCourse, source: str, user: str) -> None:
    add_drive(bonus.root, source)

    assert broken(bonus) == [USED.format(user)]


@pytest.mark.parametrize("cell", ['stage("lab01_small").halve(1)', 'earlier("lab01_small").halve(1)'])
def test_a_use_in_a_later_lab_is_named(bonus: SmallCourse, cell: str) -> None:
    course = bonus.root / "course.yml"
    more = "  lab02_more:\n    title: More\n    minutes: 5\n    points: 1\n    builds_on: [lab01_small]\n"
    course.write_text(f"{course.read_text('utf-8')}{more}    tasks: {{more: {{checks: {{right: 1}}}}}}\n", "utf-8")
    source = bonus.root / "solutions/lab02_more/lab02_more.py"
    source.parent.mkdir()
    source.write_text(f'# %% task="more" todo="x"\ndef more():\n    return {cell}\n', encoding="utf-8")

    assert broken(bonus) == [USED.format("task more of lab02_more")]


def test_a_bonus_task_comes_last(bonus: SmallCourse) -> None:
    course = bonus.root / "course.yml"
    text = course.read_text(encoding="utf-8").replace("        bonus: true\n", "")
    text = text.replace("checks: {it_doubles: 2, zero_stays_zero: 1}", "bonus: true\n        checks: {it_doubles: 6}")
    course.write_text(text.replace("points: 6", "points: 5"), encoding="utf-8")

    assert "lab01_small: task halve must come before the bonus tasks" in broken(bonus)


def test_build_reports_a_bonus_task_that_is_no_leaf(bonus: SmallCourse) -> None:
    bonus.change("    return n + n", "    return 4 * int(halve(n))")

    with pytest.raises(SourceError, match="only leaves can be bonus"):
        build(bonus.root)
