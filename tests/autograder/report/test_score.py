"""The score counts out of the lab's points and lists the points that are not included."""

from typing import Any

import pytest

from autograder.report.score import Score, score_of

LAB = {"lab": 60, "manual": 6, "throughput": {"SlidingSum": 3}, "tasks_not_judged": 0}


@pytest.mark.parametrize(
    ("most", "measured", "words"),
    [
        (54, ["SlidingSum"], "Not included: manual grading (6 points)."),
        (51, [], "Not included: throughput checks that were not run (3 points), manual grading (6 points)."),
        (53, ["SlidingSum"], "Not included: 1 point still to be judged, manual grading (6 points)."),
    ],
)
def test_the_denominator_is_the_points_of_the_lab_even_if_not_all_checks_were_judged(
    most: float, measured: list[str], words: str
) -> None:
    score = score_of(35, most, LAB, measured)

    assert (score.points, score.max_points, score.in_words) == (35, 60, words)


def test_for_single_tasks_their_points_are_the_denominator_and_the_rest_of_the_lab_is_listed() -> None:
    about = {"lab": 60, "manual": 6, "throughput": {"SlidingSum": 3}, "tasks_not_judged": 47}

    score = score_of(4, 4, about, [])

    assert score.max_points == 7
    assert (
        score.in_words
        == "Not included: throughput checks that were not run (3 points), the rest of the lab (53 points)."
    )


@pytest.mark.parametrize(
    "about", [{}, {"lab": "sixty"}, {"lab": -1}, {"lab": True}, {"lab": float("nan")}, {"throughput": [1]}]
)
def test_results_without_the_points_of_their_lab_count_out_of_their_maximum(about: dict[str, Any]) -> None:
    assert score_of(3, 5, about, []) == Score(3, 5)


def test_the_score_of_a_lab_without_questions_and_throughput_checks_includes_all_points() -> None:
    assert score_of(5, 10, {"lab": 10}, []).in_words == ""
