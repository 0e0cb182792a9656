"""Small notebooks of a release, with the metadata that the builder and nbgrader give them."""

import json
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.utils import compute_checksum

from autograder.builder.notebook import WRITE_HERE
from autograder.releases.carry_over import CarriedOver, carried_over
from autograder.releases.old_notebook import read_old

LAB = "lab99_tiny"
GRADED = {"check": (True, False, True), "written": (True, True, False), "task": (False, True, False)}


def cell(role: str, name: str, source: str, kind: str = "code") -> NotebookNode:
    """Return a released cell with a role."""
    make = nbformat.v4.new_code_cell if kind == "code" else nbformat.v4.new_markdown_cell
    grade, solution, locked = GRADED.get(role, (False, False, True))
    found = make(source, id=f"{role}-{name}")
    found.metadata = NotebookNode(
        streamlab=NotebookNode(role=role, name=name),
        nbgrader=NotebookNode(
            grade=grade, solution=solution, locked=locked, grade_id=f"{role}-{name}", points=1, schema_version=3
        ),
    )
    found.metadata.nbgrader.checksum = compute_checksum(found)
    return found


def task(name: str, parameters: str = "n", todo: str = "return it") -> NotebookNode:
    """Return a task with its stub."""
    return cell(
        "task", name, f'def {name}({parameters}):\n    """Say."""\n    raise NotImplementedError("{name}: {todo}")'
    )


def question(name: str, text: str = "**Why?**") -> NotebookNode:
    """Return a written question."""
    return cell("written", name, text + WRITE_HERE, "markdown")


def prose(number: int, text: str) -> NotebookNode:
    """Return a cell of prose."""
    return nbformat.v4.new_markdown_cell(text, id=f"prose-{number}")


def added(source: str, kind: str = "code") -> NotebookNode:
    """Return a cell that a learner added."""
    return nbformat.v4.new_code_cell(source) if kind == "code" else nbformat.v4.new_markdown_cell(source)


def solved(unsolved: NotebookNode, source: str) -> NotebookNode:
    """Return a cell with another source, which keeps its metadata."""
    return NotebookNode({**unsolved, "source": source})


def notebook(*cells: NotebookNode, release: str = "2026.2") -> NotebookNode:
    """Return a notebook of a release."""
    found = nbformat.v4.new_notebook(cells=list(cells))
    found.metadata.streamlab = NotebookNode(lab=LAB, release=release)
    return found


def carry(old: NotebookNode, released: NotebookNode) -> CarriedOver:
    """Carry the bytes of an old notebook over."""
    return carried_over(read_old(json.dumps(old).encode(), Path(f"{LAB}.ipynb"), released), released)
