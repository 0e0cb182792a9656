"""Runs nbgrader's generate_assignment on a notebook with solutions, in a temporary course folder.

`builder` writes the result to the repository.
"""

import json
import tempfile
import textwrap
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.apps import NbGraderAPI
from nbgrader.converters import GenerateAssignment
from nbgrader.preprocessors import ClearSolutions
from traitlets.config import Config

LONGEST_STUB = 80  # and at most 8 columns before it


class TaskStubs(ClearSolutions):
    """nbgrader's ClearSolutions, with a separate stub for each task."""

    def preprocess_cell(self, cell: NotebookNode, resources: Any, cell_index: int) -> tuple[NotebookNode, Any]:
        """Replace the solution by a stub that raises; keep a written question, which already says where to write."""
        ours = cell.metadata.get("streamlab", {})
        if ours.get("role") == "written":
            return cell, resources
        if ours.get("role") == "task":
            self.code_stub = {"python": stub(ours["name"], ours.pop("todo"))}
        return super().preprocess_cell(cell, resources, cell_index)  # type: ignore[no-any-return]


def stub(task: str, todo: str) -> str:
    """Return the statement that replaces a task's solution; long texts are wrapped.

    Example: stub("words", "cut the line into words") -> 'raise NotImplementedError("words: cut the line into words")'
    """
    message = f"{task}: {todo}"
    line = f"raise NotImplementedError({_quoted(message)})"
    if len(line) <= LONGEST_STUB:
        return line
    parts = textwrap.wrap(message, LONGEST_STUB - 16, drop_whitespace=False, break_long_words=False)
    return "\n".join(["raise NotImplementedError(", *(f"    {_quoted(part)}" for part in parts), ")"])


def released(notebooks: dict[str, NotebookNode]) -> dict[str, str]:
    """Return the text of each lab's student notebook; raises RuntimeError with nbgrader's log if it rejects one."""
    with tempfile.TemporaryDirectory(prefix="streamlab-build-") as folder:
        course = Path(folder).resolve()
        api = NbGraderAPI(config=_configuration(course))
        return {lab: _released_one(api, course, lab, notebook) for lab, notebook in notebooks.items()}


def _released_one(api: NbGraderAPI, course: Path, lab: str, notebook: NotebookNode) -> str:
    source = course / "with_solutions" / "." / lab / f"{lab}.ipynb"
    source.parent.mkdir(parents=True)
    nbformat.write(notebook, source)
    result = api.generate_assignment(lab)
    if not result["success"]:
        raise RuntimeError(f"nbgrader could not generate {lab}:\n{result.get('log', '')}{result.get('error', '')}")
    text = (course / "released" / lab / f"{lab}.ipynb").read_text(encoding="utf-8")
    nbformat.validate(json.loads(text))
    return text.rstrip("\n") + "\n"


def _configuration(course: Path) -> Config:
    """Return the settings of a course without a gradebook (nbgrader's --no-db), with no folder named `solutions`."""
    config = Config()
    config.CourseDirectory.root = str(course)
    config.CourseDirectory.source_directory = "with_solutions"
    config.CourseDirectory.release_directory = "released"
    config.GenerateAssignment.no_database = True
    config.SaveCells.enabled = False
    config.GenerateAssignment.preprocessors = [
        TaskStubs if step is ClearSolutions else step for step in GenerateAssignment.preprocessors.default()
    ]
    return config


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
