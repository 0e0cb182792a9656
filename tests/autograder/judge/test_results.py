"""A results object holds the points of its lab."""

from autograder.course.model import Lab
from autograder.judge.results import points_of

LAB = Lab.model_validate(
    {
        "title": "Sums",
        "minutes": 30,
        "points": 11,
        "tasks": {
            "sliding": {"checks": {"right": 2}, "throughput": {"baseline": "plain", "threshold": 2, "points": 3}},
            "near": {"checks": {"on_the_edge": 1, "far": 1}},
        },
        "written": {"why": 4},
    }
)


def test_points_of_the_whole_lab_questions_and_throughput_checks_are_listed() -> None:
    points = points_of(LAB, {"sliding", "near"})

    assert points == {"lab": 11, "manual": 4, "throughput": {"sliding": 3}, "tasks_not_judged": 0}


def test_tasks_that_were_not_judged_count_with_their_throughput_checks() -> None:
    points = points_of(LAB, {"near"})

    assert points == {"lab": 11, "manual": 4, "throughput": {}, "tasks_not_judged": 5}
