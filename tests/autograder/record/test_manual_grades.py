"""A manual grade stays, and is requested again only if what it was given for has changed."""

import pytest

from tests.autograder.record.recording import grade_manually, graded

WRONG = "def double(n):\n    return 7"
ALSO_WRONG = "def double(n):\n    return 8"
RIGHT = "def double(n):\n    return n + n"


def test_a_manual_grade_survives_a_second_grading_and_is_not_needed_again(tiny_class, recorder) -> None:
    tiny_class.hand_in("ada", why="Because of the log.")
    graded(tiny_class, recorder)
    grade_manually(recorder, "ada", 2.5)

    marks = graded(tiny_class, recorder)

    assert marks["ada"].points == 4 + 2.5
    assert not marks["ada"].needs_manual_grade


def test_a_manual_grade_of_a_changed_answer_stays_and_needs_manual_grading_again(tiny_class, recorder) -> None:
    tiny_class.hand_in("ada", why="Because of the log.")
    graded(tiny_class, recorder)
    grade_manually(recorder, "ada", 2.5)
    tiny_class.hand_in("ada", why="Because of something else.")

    marks = graded(tiny_class, recorder)

    assert marks["ada"].written[0].points == 2.5
    assert marks["ada"].written[0].changed_since
    assert marks["ada"].needs_manual_grade


@pytest.mark.parametrize(
    ("before", "after", "flagged"),
    [
        (WRONG, f"{WRONG}  # sorry", False),
        (WRONG, RIGHT, True),
        (RIGHT, WRONG, True),
        (WRONG, ALSO_WRONG, True),  # 0 points, too, but the manual grade was for another answer
    ],
    ids=["same result", "better", "worse", "same points"],
)
def test_a_manual_grade_of_a_check_stays_and_needs_manual_grading_again_if_the_judge_finds_something_else(
    tiny_class, recorder, before: str, after: str, flagged: bool
) -> None:
    tiny_class.hand_in("ada", double=before)
    graded(tiny_class, recorder)
    grade_manually(recorder, "ada", 1.5, "check-double")
    tiny_class.hand_in("ada", double=after)

    mark = graded(tiny_class, recorder)["ada"]

    assert (mark.points, mark.needs_manual_grade) == (2 + 1.5, flagged)
    assert [each.points for each in mark.written if each.changed_since] == [1.5] * flagged


def test_a_manual_grade_of_a_check_is_requested_until_it_is_given_again(tiny_class, recorder) -> None:
    tiny_class.hand_in("ada", double=WRONG)
    graded(tiny_class, recorder)
    grade_manually(recorder, "ada", 1.5, "check-double")
    tiny_class.hand_in("ada")
    graded(tiny_class, recorder)
    still_flagged = graded(tiny_class, recorder)["ada"]

    grade_manually(recorder, "ada", 1.5, "check-double")
    mark = graded(tiny_class, recorder)["ada"]

    assert still_flagged.needs_manual_grade
    assert (mark.points, mark.needs_manual_grade) == (2 + 1.5, False)
