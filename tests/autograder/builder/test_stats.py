"""What a lab asks of a learner, counted from its source."""

import re
from pathlib import Path

import pytest

from autograder.builder.source import read_source
from autograder.builder.stats import stats_of
from autograder.course import load_course
from tests.autograder.builder.small_course import SmallCourse

ROOT = Path(__file__).parents[3]
COURSE = load_course(ROOT)
MOST_WORDS = 2_800
MOST_WORDS_BEFORE_THE_FIRST_TASK = 300


@pytest.mark.parametrize("lab", COURSE.labs)
def test_a_lab_is_not_too_long_to_read(lab: str) -> None:
    prose = "\n".join(each.source for each in read_source(ROOT, lab) if each.role is None)

    assert stats_of(ROOT, COURSE, lab).words <= MOST_WORDS
    assert len(re.split("### Tasks? 1 ", prose)[0].split()) <= MOST_WORDS_BEFORE_THE_FIRST_TASK


def test_core_bonus_given_words_and_lines_are_counted(small: SmallCourse) -> None:
    course = small.root / "course.yml"
    text = course.read_text(encoding="utf-8").replace(
        "      halve:\n",
        "      twice:\n        step_of: double\n        checks: {right: 1}\n      halve:\n        bonus: true\n",
    )
    text = text.replace("        throughput: {baseline: slow, threshold: 1.5, points: 1}\n", "").replace(
        "points: 9", "points: 7"
    )
    course.write_text(text, encoding="utf-8")
    small.change('# %% task="halve"', '# %% role="given" name="two"\nTWO = 2\n\n# %% task="halve"')

    stats = stats_of(small.root, load_course(small.root), "lab01_small")

    assert stats._asdict() == {
        "lab": "lab01_small",
        "core": 2,
        "steps": 1,
        "bonus": 1,
        "given": 1,
        "points": 7,
        "minutes": "~10",
        "words": stats.words,
        "optional": 0,
        "lines": 1,
    }


def test_prose_docstrings_and_comments_are_counted_but_not_code_and_solutions(small: SmallCourse) -> None:
    before = stats_of(small.root, load_course(small.root), "lab01_small").words
    small.change("    return n + n", "    # these four words more\n    return n + n")
    small.change('print("double(21)', 'print("double(21)" if 1 == 1 else "twice", 0, "double(21)')
    unchanged = stats_of(small.root, load_course(small.root), "lab01_small").words
    small.change("It takes", "Now it really takes")
    longer = stats_of(small.root, load_course(small.root), "lab01_small").words

    assert (unchanged, longer) == (before, before + 2)
