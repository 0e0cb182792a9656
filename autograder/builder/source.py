"""What only the builder knows about a source: where it is, what of a task is solution, what its stub says.

Keeps out: splitting a source into cells (streamlab.notebooks.labfile), whether they are right (`rules`).
"""

from pathlib import Path

from streamlab.notebooks.labfile import LabCell, read_lab

BEGIN = "### BEGIN SOLUTION"
END = "### END SOLUTION"


def source_path(root: Path, lab: str) -> Path:
    """Where the source of `lab` is. Example: solutions/lab01_wordcount/lab01_wordcount.py"""
    return root / "solutions" / lab / f"{lab}.py"


def read_source(root: Path, lab: str) -> list[LabCell]:
    """The cells of the source of `lab`, in order."""
    return read_lab(source_path(root, lab)).cells


def todo(cell: LabCell) -> str:
    """What the stub of a task says is to be done; empty where the source does not say it."""
    return cell.options.get("todo", "").strip()


def shown_lines(cell: LabCell) -> list[str]:
    """The lines that stay in the student's notebook.

    Example: `def f():`, BEGIN, `return 1`, END -> ["def f():"]
    """
    return [line for line, solution in _marked(cell) if not solution]


def solution_lines(cell: LabCell) -> list[str]:
    """The lines between the markers."""
    return [line for line, solution in _marked(cell) if solution]


def _marked(cell: LabCell) -> list[tuple[str, bool]]:
    """Each line that is no marker, and whether it stands in a solution."""
    marked, inside = [], False
    for line in cell.source.split("\n"):
        if BEGIN in line or END in line:
            inside = BEGIN in line
        else:
            marked.append((line, inside))
    return marked
