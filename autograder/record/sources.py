"""The notebooks with solutions from which nbgrader releases labs: source/LAB/LAB.ipynb in the class's folder.

They are built from solutions/LAB/LAB.py. Their folder must hold no other files, since nbgrader would release them, too.
"""

import logging
from pathlib import Path

import nbformat

from autograder.builder import SourceError, reference_notebook
from autograder.classroom.folder import Classroom
from autograder.classroom.policy_file import policy_of


def refresh_sources(classroom: Classroom) -> None:
    """Write the source notebooks that are missing, or that differ from the solutions.

    A lab whose solution and course.yml disagree keeps its source notebook, with a warning, so that the other labs can
    be graded.
    """
    for lab in classroom.course.labs:
        try:
            refresh_source(classroom, lab)
        except SourceError as problem:
            more = f" (and {len(problem.problems) - 1} more)" if len(problem.problems) > 1 else ""
            logging.getLogger(__name__).warning("%s%s; `./lab build` lists what to fix", problem.problems[0], more)


def refresh_source(classroom: Classroom, lab: str) -> None:
    """Write the source notebook of `lab` if it differs from the solution; raises SourceError if that breaks a rule."""
    if (classroom.root / "solutions" / lab / f"{lab}.py").is_file():
        _refresh(classroom, lab)


def source_notebook(classroom: Classroom, lab: str) -> Path:
    """Return the path of the source notebook of `lab`."""
    return classroom.folder / "source" / lab / f"{lab}.ipynb"


def _refresh(classroom: Classroom, lab: str) -> None:
    path = source_notebook(classroom, lab)
    course = policy_of(classroom).graded_course(classroom.course)
    text = nbformat.writes(reference_notebook(classroom.root, course, lab)) + "\n"
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
