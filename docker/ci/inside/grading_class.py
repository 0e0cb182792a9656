"""Make a class of four for Lab 1, or check its grades: two right, one with two mistakes, one that only attacks.

Usage, in the container lab: python - make | look <grading_class.py
"""

import sys
from collections import Counter

import nbformat

from autograder.builder.notebook import reference_notebook
from autograder.classroom.cached_results import load
from autograder.classroom.folder import ROOT, Classroom
from autograder.record.gradebook import Recorder
from autograder.verify.variants import mutants_of
from streamlab.notebooks.labfile import read_lab

LAB = "lab01_wordcount"
MUTANTS = ("words__case_kept", "count_words__counts_lines")
KILLS = "import os, signal\nos.kill(-1, signal.SIGKILL)"

classroom = Classroom.of_this_kit()
checks = {name: points for task in classroom.course.labs[LAB].core.values() for name, points in task.checks.items()}
cells = read_lab(ROOT / "solutions" / LAB / f"{LAB}.py").cells
stage = ROOT / "autograder" / "stages" / LAB
wrong = [each for each in mutants_of(stage, classroom.course.labs[LAB].tasks, cells) if each.name in MUTANTS]
killed = {name for mutant in wrong for name in mutant.killed_by}
EXPECTED = {
    "ada": sum(checks.values()),
    "ben": sum(checks.values()),
    "cleo": sum(points for name, points in checks.items() if name not in killed),
    "dora": 0.0,
}


def solved(answers: dict[str, str]) -> nbformat.NotebookNode:
    """Return the reference's notebook with other answers to some tasks."""
    notebook = reference_notebook(ROOT, classroom.course, LAB)
    for cell in notebook.cells:
        cell.source = answers.get(cell.metadata.get("streamlab", {}).get("name"), cell.source)
    return notebook


def attacking() -> nbformat.NotebookNode:
    """Return the starter with a cell that kills every process it can reach."""
    notebook = nbformat.read(ROOT / "labs" / LAB / f"{LAB}.ipynb", as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(KILLS))
    return notebook


def hand_in(student: str, notebook: nbformat.NotebookNode) -> None:
    """Write a notebook as a collected submission."""
    path = classroom.submitted / student / LAB / f"{LAB}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)


def make() -> None:
    """Hand in all four submissions."""
    hand_in("ada", solved({}))
    hand_in("ben", solved({}))
    hand_in("cleo", solved({mutant.task: mutant.code for mutant in wrong}))
    hand_in("dora", attacking())


def look() -> None:
    """Check that each result is stored and recorded once, with the expected points."""
    stored = {path.stem: load(path) for path in (classroom.folder / "results" / LAB).glob("*.json")}
    recorded = [(each.student, each.judged_points) for each in Recorder(classroom).marks(LAB).students]
    assert sorted(recorded) == sorted(EXPECTED.items()), f"expected {EXPECTED}, recorded {recorded}"
    assert {student: each and each.results["score"] for student, each in stored.items()} == EXPECTED, stored
    workers = Counter(each.results["streamlab"]["timing"]["worker"] for each in stored.values() if each)
    print(f"graded: 4 students, each recorded once with the expected points; judged on {dict(workers)}")


{"make": make, "look": look}[sys.argv[1]]()
