"""A class of the tiny lab: its released notebook, a written question, and a way to hand work in."""

import dataclasses
from pathlib import Path

import nbformat

from autograder.classroom.folder import Classroom
from autograder.judge.request import Request
from autograder.record.reconstruction import rebuilt
from streamlab.notebooks.labfile import LabCell, read_lab

LAB = "lab99_tiny"
SOURCE = '''"""Tiny."""

# %% [markdown]
# # Tiny

# %% role="given" name="setup"
from streamlab import check

# %% task="double" todo="return twice the number"
def double(n: int) -> int:
    """Twice `n`."""
    ### BEGIN SOLUTION
    return n + n
    ### END SOLUTION


# %% check="double"
check("double")

# %% task="triple" todo="return three times the number"
def triple(n: int) -> int:
    """Three times `n`."""
    ### BEGIN SOLUTION
    return 3 * n
    ### END SOLUTION


# %% check="triple"
check("triple")

# %% [markdown] written="why"
# **Why?** Worth {points} points.
'''


class TinyClass:
    """The class's folder, and methods to hand in work."""

    def __init__(self, classroom: Classroom) -> None:
        self.classroom = classroom
        self.released = nbformat.read(classroom.root / "labs" / LAB / f"{LAB}.ipynb", as_version=4)
        self.right = [
            cell for cell in read_lab(classroom.root / "solutions" / LAB / f"{LAB}.py").cells if cell.role == "task"
        ]

    def request(self) -> Request:
        """Return the request that judges the class."""
        return Request(self.classroom.root, self.classroom.course, LAB, throughput=False)

    def hand_in(self, student: str, *added: LabCell, **answers: str) -> Path:
        """Hand in right work with some answers replaced (`why` is the written one) and cells added; return its path."""
        if "why" in answers:
            added = (LabCell("markdown", answers["why"], "written", "why"), *added)
        cells = [dataclasses.replace(cell, source=answers.get(cell.name or "", cell.source)) for cell in self.right]
        return self.hand_in_notebook(student, rebuilt(self.released, [*cells, *added]))

    def hand_in_notebook(self, student: str, notebook: nbformat.NotebookNode) -> Path:
        """Hand in any notebook; return its path."""
        path = self.classroom.submitted / student / LAB / f"{LAB}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, path)
        (path.parent / "timestamp.txt").write_text("2026-11-20 10:00:00.000000 UTC")
        return path
