"""The final check of a student's notebook: it has no line of a solution, no hidden test and no unfilled placeholder.

It compares texts, so it does not depend on how the notebook was built.
"""

import json
from pathlib import Path

from autograder.builder.notebook import INVARIANTS
from autograder.builder.source import read_source, shown_lines, solution_lines
from streamlab.notebooks.labfile import LabCell

MARKERS = ("BEGIN SOLUTION", "END SOLUTION", "BEGIN HIDDEN TESTS", "END HIDDEN TESTS", "MARK SCHEME", INVARIANTS)


def leaks(root: Path, lab: str, notebook: str) -> list[str]:
    """Return a sentence for each part of a notebook that a student must not see.

    Example: labs/lab01_wordcount/lab01_wordcount.ipynb: still has BEGIN SOLUTION
    """
    where = f"labs/{lab}/{lab}.ipynb"
    cells = json.loads(notebook)["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells)
    found = [f"{where}: still has {marker}" for marker in MARKERS if marker in text]
    lines = {line.strip() for line in text.split("\n")}
    found += [f"{where}: has a line of a solution: {line}" for line in _secret(root, lab) if line in lines]
    found += [f"{where}: cell {cell['id']} has outputs" for cell in cells if cell.get("outputs")]
    return found


def _secret(root: Path, lab: str) -> list[str]:
    """Return the lines that occur in a solution and nowhere else in the source."""
    cells = read_source(root, lab)
    public = {line.strip() for cell in cells for line in shown_lines(cell)}
    return sorted(line for line in _solutions(cells) - public if line)


def _solutions(cells: list[LabCell]) -> set[str]:
    return {line.strip() for cell in cells for line in solution_lines(cell)}
