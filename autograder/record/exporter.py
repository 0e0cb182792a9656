"""The exporter through which nbgrader reads submissions: intake checks the file, then the notebook is rebuilt.

A file that intake rejects is recorded as the released notebook with the reason. Every student gets a mark, and no file
can stop the grading of a class.
"""

from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from traitlets.log import get_logger

from autograder.classroom.folder import Classroom
from autograder.intake import Rejected, released_cells, take_in_file
from autograder.record.collection import irregular_files, set_aside_of
from autograder.record.reconstruction import rebuilt, rejected, with_open_questions
from streamlab.notebooks.recognition import recognized, unclear_questions


class IntakeExporter(NotebookExporter):
    """nbconvert's NotebookExporter, with intake for files in submitted/; other files are read as usual."""

    def from_filename(self, filename: str, resources: Any = None, **kw: Any) -> tuple[NotebookNode, Any]:
        """Return the notebook and nbconvert's resources."""
        classroom = Classroom.of_this_kit()
        path = Path(filename)
        if classroom.submitted not in path.absolute().parents:
            return super().from_filename(filename, resources, **kw)
        resources = resources if resources is not None else {}
        resources["metadata"] = {"name": path.stem, "path": str(path.parent)}
        notebook = recorded_notebook(path, path.stem, classroom)
        return self.from_notebook_node(notebook, resources, **kw)


def recorded_notebook(path: Path, lab: str, classroom: Classroom) -> NotebookNode:
    """Return the notebook that nbgrader records for the file at `path`: rebuilt, or the released one if rejected."""
    released = nbformat.read(classroom.root / "labs" / lab / f"{lab}.ipynb", as_version=4)
    kit = released_cells(classroom.root, lab)
    linked = [each for each in path.parents if each != classroom.folder and each.is_symlink()]
    try:
        if linked:
            raise Rejected(f"{path.name}: its folder is a symbolic link; put the folder itself in its place", lab)
        cells = recognized(take_in_file(path, lab).cells, kit)
        return with_open_questions(rebuilt(released, cells), unclear_questions(cells, kit))
    except Rejected as problem:
        questions = [cell.name for cell in kit if cell.role == "written"]
        return with_open_questions(
            rejected(released, str(problem)), dict.fromkeys(questions, "the file could not be read")
        )


def set_irregular_files_aside(assignment: str, student: str, notebooks: list[str]) -> None:
    """Move links and other irregular files to set_aside/, unchanged; nbgrader calls this before it copies a submission.

    nbgrader would copy the target of a link. Also logs why a submission is not graded, of which nbgrader shows only a
    traceback. It ignores exceptions from a hook, so this one must work for all names.
    """
    classroom = Classroom.of_this_kit()
    for folder in {Path(each).parent for each in notebooks}:
        for path in irregular_files(folder):
            target = set_aside_of(classroom, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            path.rename(target)
    if why_not := classroom.handed_in_by(student, assignment).why_not:
        get_logger().error("not graded: %s: %s", student, why_not)
