"""Reads from a source what only the builder needs: its path, the lines of a task's solution, the text of its stub.

`streamlab.notebooks.labfile` splits a source into cells; `rules` checks them.
"""

from pathlib import Path

from streamlab.notebooks.labfile import LabCell, read_lab

BEGIN = "### BEGIN SOLUTION"
END = "### END SOLUTION"


def source_path(root: Path, lab: str) -> Path:
    """Return the path of the source of `lab`: solutions/lab01_wordcount/lab01_wordcount.py."""
    return root / "solutions" / lab / f"{lab}.py"


def read_source(root: Path, lab: str) -> list[LabCell]:
    """Return the cells of the source of `lab`, in order."""
    return read_lab(source_path(root, lab)).cells


def todo(cell: LabCell) -> str:
    """Return the instruction in the stub of a task; empty if the source has none."""
    return cell.options.get("todo", "").strip()


def shown_lines(cell: LabCell) -> list[str]:
    """Return the lines that stay in the student's notebook.

    Example: `def f():`, BEGIN, `return 1`, END -> ["def f():"]
    """
    return [line for line, solution in _marked(cell) if not solution]


def solution_lines(cell: LabCell) -> list[str]:
    """Return the lines between the markers."""
    return [line for line, solution in _marked(cell) if solution]


def _marked(cell: LabCell) -> list[tuple[str, bool]]:
    """Return each line that is not a marker, and whether it belongs to a solution."""
    marked, inside = [], False
    for line in cell.source.split("\n"):
        if BEGIN in line or END in line:
            inside = BEGIN in line
        else:
            marked.append((line, inside))
    return marked
