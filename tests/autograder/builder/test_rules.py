"""Each mistake in a source is reported in one line with its file and line number."""

import pytest

from autograder.builder.rules import broken_rules
from autograder.course import load_course
from tests.autograder.builder.small_course import SmallCourse

MISTAKES = [
    ("\n    ### BEGIN SOLUTION\n    return n + n", "\n    return n + n", 13, "needs one ### BEGIN SOLUTION and, after"),
    ("\n    ### END SOLUTION\n\n\n# %% role=", "\n\n\n# %% role=", 13, "found: BEGIN SOLUTION"),
    ('print("double(21)', '### BEGIN SOLUTION\nprint("double(21)', 21, "a solution outside a task"),
    (' todo="return half"', "", 33, 'task halve has no stub text; add `todo="what to do"`'),
    ('todo="return half"', 'todo="halve: return half"', 33, "starts with its name; remove it, the builder adds it"),
    ('"""Half of `n`."""', 'raise NotImplementedError("later")', 33, "task halve has its own stub"),
    ('task="halve"', 'task="halves"', 33, "unknown task halves; course.yml has double, halve"),
    ('# %% task="halve"', '# %% task="double"', 33, "task double appears twice; the first is on line 13"),
    ("def halve(", "def halved(", 33, "task halve defines halved, not halve"),
    ('# %% check="halve"\ncheck("halve")', "", 1, 'no check cell for halve, which course.yml has; add `# %% check="'),
    ('check("halve")', 'check("double")', 41, "must end with check(\"halve\"); it ends with check('double')"),
    ('check("halve")', 'seen\ncheck("halve")', 41, "seen is from another shown cell; import or define it here"),
    ('check("halve")', 'ok = check("halve")', 41, 'must end with check("halve")'),
    ('written="why"', 'written="how"', 44, "unknown written how; course.yml has why"),
    ('role="show"', 'role="extra"', 21, 'unknown role "extra"; expected given, task, show, check, written'),
    ('# %% role="show"', "# %%", 21, "a code cell has no role"),
    ('# %% [markdown] written="why"', '# %% written="why"', 44, 'a code cell cannot be "written"'),
    ('# %% role="show"', '# %% role="show" colour="red"', 21, "unknown `colour=`; expected check, name, role"),
    ('name="setup"', 'name="set up"', 10, '"set up" is not a name'),
    ("print(", "print((", 22, "invalid Python"),
    ("print(", "x" * 89 + "; print(", 21, "a line of 125 columns in a code cell; a line has at most 88"),
    ("print(", "x = 1\n" * 30 + "print(", 21, "a cell of 31 lines; a cell has at most 30"),
    ('# %% task="halve"', '# %% role="given" name="two"\n' + "x = 1\n" * 51 + '# %% task="halve"', 33, "at most 50"),
    ("# You see:", "# word\n" * 30 + "# You see:", 24, "lines; a cell has at most 30"),
    (
        "# %% [markdown]\n# You",
        "# %% [markdown]\n# a\n\n" * 54 + "# %% [markdown]\n# You",
        206,
        "63 cells; a notebook has",
    ),
]


@pytest.mark.parametrize(("before", "after", "line", "sentence"), MISTAKES)
def test_a_mistake_is_one_line_with_its_file_and_line_number(
    small: SmallCourse, before: str, after: str, line: int, sentence: str
) -> None:
    small.change(before, after)

    found = broken_rules(small.root, load_course(small.root), "lab01_small")

    place = f"solutions/lab01_small/lab01_small.py:{line}: "
    assert any(each.startswith(place) and sentence in each for each in found), found
    assert not any("\n" in each for each in found)


def test_a_valid_source_breaks_no_rule(small: SmallCourse) -> None:
    assert broken_rules(small.root, load_course(small.root), "lab01_small") == []


def test_all_mistakes_are_reported_at_once_in_the_order_of_their_lines(small: SmallCourse) -> None:
    for before, after in [('check("halve")', "pass"), ('role="show"', 'role="extra"'), (' todo="return half"', "")]:
        small.change(before, after)

    found = broken_rules(small.root, load_course(small.root), "lab01_small")

    assert [int(each.split(":")[1]) for each in found] == [21, 33, 41]


def test_the_solution_of_a_task_does_not_count_towards_the_length_of_its_cell(small: SmallCourse) -> None:
    small.change("    return n + n", "    n = n\n" * 40 + "    return n + n")

    assert broken_rules(small.root, load_course(small.root), "lab01_small") == []


def test_the_error_for_a_missing_source_gives_the_next_step(small: SmallCourse) -> None:
    small.source_path.unlink()

    assert broken_rules(small.root, load_course(small.root), "lab01_small") == [
        "solutions/lab01_small/lab01_small.py: course.yml has lab01_small, but this file is missing; "
        "`./lab new lab01_small` starts one"
    ]
