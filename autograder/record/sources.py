"""The notebooks with solutions that nbgrader releases labs from: source/LAB/LAB.ipynb in the class's folder.

They are made from solutions/LAB/LAB.py; nothing else may lie beside them, since nbgrader releases it, too.
"""

from pathlib import Path

import nbformat

from autograder.builder import reference_notebook
from autograder.classroom.folder import Classroom


def refresh_sources(classroom: Classroom) -> None:
    """Write the source notebooks that are missing or not what the solutions give."""
    for lab in classroom.course.labs:
        if (classroom.root / "solutions" / lab / f"{lab}.py").is_file():
            _refresh(classroom, lab)


def source_notebook(classroom: Classroom, lab: str) -> Path:
    """Where the source notebook of `lab` is."""
    return classroom.folder / "source" / lab / f"{lab}.ipynb"


def _refresh(classroom: Classroom, lab: str) -> None:
    path = source_notebook(classroom, lab)
    text = nbformat.writes(reference_notebook(classroom.root, classroom.course, lab)) + "\n"
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
