"""Writes the judge's verdicts into the outputs of the check cells, in place of nbgrader's Execute.

The output of a check cell is the terminal's report, and its value is the points of its task. nbgrader's later steps
(grades, late penalties, feedback, export, form grader) work as in any other course.
No code of a submission runs here; if a submission has no cached result yet, this module calls the judge.
"""

import io
import os
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.preprocessors import NbGraderPreprocessor
from rich.console import Console
from traitlets import Bool, Unicode

from autograder.classroom import cached_results
from autograder.classroom.class_judge import judge_submissions, provenance_now
from autograder.classroom.class_release import OtherRelease, require_release
from autograder.classroom.folder import Classroom
from autograder.classroom.judged_points import TOLERANCE, total_of
from autograder.intake.safe_text import safe
from autograder.judge.request import Request
from autograder.judge.results import extra_credit, open_checks, why_not_judged
from autograder.record.applied_policy import applied
from autograder.record.collection import set_aside_of
from autograder.report import print_checks
from autograder.report.number_formats import points as as_points
from autograder.report.results_view import read_report

COLUMNS = 100
NOTE_CHARS_MAX = 400
OPEN = "open"  # in the metadata of a check cell: the judge could not decide all of its checks
EXTRA_CREDIT = "extra_credit"  # likewise: the points of a bonus task, if they count; nbgrader adds them to the mark


class NotGraded(RuntimeError):
    """Raised if the judge or the machine failed, or if the class began with another release or has other points.

    Nothing is recorded, and nbgrader logs the submission and goes on.
    """


class JudgedVerdicts(NbGraderPreprocessor):
    """Fills the check cells of one submission from its results object."""

    throughput = Bool(True, help="Whether to run throughput checks if no result is cached.").tag(config=True)
    sandbox = Unicode("", help="The sandbox level; empty for the default.").tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Return the notebook with verdicts in its check cells and a summary in front."""
        classroom = Classroom.of_this_kit()
        lab, student = resources["nbgrader"]["assignment"], resources["nbgrader"]["student"]
        by_policy = applied(classroom, lab, student, self._results(classroom, lab, student))
        results = by_policy.results
        _require_same_total(nb, results, lab)
        for cell in nb.cells:
            if cell.cell_type == "code" and utils.is_grade(cell) and not utils.is_solution(cell):
                _fill(cell, results)
        nb.cells.insert(0, _summary(results, by_policy.sentences))
        return nb, resources

    def _results(self, classroom: Classroom, lab: str, student: str) -> dict[str, Any]:
        """Return the cached results of exactly this file; otherwise judge it and save the results."""
        handed_in = classroom.handed_in_by(student, lab)
        found = cached_results.load(classroom.results_of(lab, student))
        now = provenance_now(classroom, lab, handed_in, False)
        if found and found.provenance.same_work(now):
            return found.results
        if handed_in.why_not and not os.path.lexists(set_aside_of(classroom, handed_in.notebook)):
            raise NotGraded(f"{lab} of {student}: {handed_in.why_not}")
        try:
            require_release(classroom, lab)
        except OtherRelease as problem:
            raise NotGraded(str(problem)) from None
        request = Request(
            classroom.root, classroom.course, lab, throughput=self.throughput, sandbox=self.sandbox or None
        )
        self.log.info("judging %s of %s", lab, student)
        (_, result), *_ = judge_submissions(classroom, lab, [handed_in], request)
        if fault := why_not_judged(result.results):
            raise NotGraded(f"{lab} of {student}: {fault}")
        cached_results.keep(classroom.results_of(lab, student), result)
        return result.results


def _require_same_total(nb: NotebookNode, results: dict[str, Any], lab: str) -> None:
    """Raise `NotGraded` if the gradebook, from which nbgrader took the cells' points, has another total."""
    total = total_of(results)
    now = sum(float(cell.metadata.nbgrader.points) for cell in nb.cells if utils.is_grade(cell))
    if total is not None and abs(total - now) > TOLERANCE:
        have = f"judged out of {as_points(total)} points, and the gradebook has {as_points(now)}"
        raise NotGraded(f"{have}; `./lab grade {lab} --again` judges and records everyone by the same points")


def points_of(results: dict[str, Any], task: str) -> float:
    """Return the points of one task, including its throughput check."""
    tests = [test["name"].split("/") for test in results["tests"]]
    scores = [test["score"] for test in results["tests"]]
    return round(sum(score for (_, name, _), score in zip(tests, scores, strict=True) if name == task), 2)


def _fill(cell: NotebookNode, results: dict[str, Any]) -> None:
    task = cell.metadata["streamlab"]["name"]
    verdicts = [each for each in _verdicts(results) if each["task"] == task]
    cell.metadata["streamlab"][OPEN] = any(name.startswith(f"{task}/") for name in open_checks(results))
    cell.metadata["streamlab"][EXTRA_CREDIT] = extra_credit(results, task)
    score = min(points_of(results, task), float(cell.metadata["nbgrader"]["points"]))
    cell.execution_count = 1
    cell.outputs = [
        nbformat.v4.new_output("stream", name="stdout", text=_as_text(verdicts)),
        nbformat.v4.new_output("execute_result", execution_count=1, data={"text/plain": repr(score)}),
    ]


def _verdicts(results: dict[str, Any]) -> list[dict[str, Any]]:
    ours = results["streamlab"]
    return [*ours["checks"], *ours["throughput"]]


def _as_text(verdicts: list[dict[str, Any]]) -> str:
    """Return the verdicts as the terminal shows them, without colour."""
    text = io.StringIO()
    console = Console(file=text, width=COLUMNS, no_color=True, force_terminal=False, soft_wrap=True)
    print_checks(verdicts, console)
    return text.getvalue()


def _summary(results: dict[str, Any], policy: tuple[str, ...]) -> NotebookNode:
    """Return a first cell with points, the class's policy and the judge's notes, as text that no page interprets."""
    ours, report = results["streamlab"], read_report(results)
    score = report.score
    parts = (f"{as_points(score.points)} of {as_points(score.max_points)} points.", score.in_words, report.bonus)
    lines = [" ".join(filter(None, parts))]
    lines += policy
    lines += [f"Sandbox: {ours['sandbox']}. Release: {ours['release']}."]
    lines += [safe(note, NOTE_CHARS_MAX) for note in [*ours["notes"], *ours["limits_hit"]]]
    cell = nbformat.v4.new_code_cell("# What the judge found", id="judged", execution_count=1)
    cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text="\n".join(dict.fromkeys(lines)) + "\n")]
    return cell
