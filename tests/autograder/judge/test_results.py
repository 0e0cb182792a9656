"""A results object holds the points of its lab."""

from pathlib import Path

from autograder.course import load_course
from autograder.course.model import Lab
from autograder.intake import Submission
from autograder.judge.cell_digests import digest_of_source
from autograder.judge.outcomes import Driven
from autograder.judge.results import Circumstances, points_of, results_of
from autograder.judge.verdicts import Verdict
from streamlab.notebooks.labfile import LabCell

ROOT = Path(__file__).resolve().parents[3]

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


def test_each_judged_task_has_the_digest_of_its_cell() -> None:
    lab, source = "lab01_wordcount", "def words(line): ..."
    cells = [LabCell("code", source, "task", "words"), LabCell("code", "count_words = 3", "task", "count_words")]
    verdict = Verdict("words", "no_word_is_empty", "no word is empty", "pass", 1, 1, "Passed.")
    how = Circumstances(load_course(ROOT), "process", "seed")

    results = results_of(Submission(lab, f"{lab}.ipynb", cells), [verdict], [], Driven(), how, 1.0)

    assert results["streamlab"]["digests"]["tasks"] == {"words": digest_of_source(source)}
