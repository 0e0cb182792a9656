"""The exporter through which nbgrader reads what students handed in: intake first, then the rebuilt notebook.

A file that intake rejects is recorded as the released notebook with the reason, so that every student gets a mark
and no file can stop the grading of a class.
"""

from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode

from autograder.classroom.folder import Classroom
from autograder.intake import Rejected, take_in_file
from autograder.record.collection import strange_files
from autograder.record.reconstruction import rebuilt, rejected


class ReadsWhatIntakeTakes(NotebookExporter):
    """nbconvert's NotebookExporter for files in submitted/; other files are read as ever."""

    def from_filename(self, filename: str, resources: Any = None, **kw: Any) -> tuple[NotebookNode, Any]:
        """The notebook and nbconvert's resources."""
        classroom = Classroom.of_this_kit()
        path = Path(filename)
        if classroom.submitted not in path.absolute().parents:
            return super().from_filename(filename, resources, **kw)
        resources = resources if resources is not None else {}
        resources["metadata"] = {"name": path.stem, "path": str(path.parent)}
        notebook = as_recorded(path, path.stem, classroom)
        return self.from_notebook_node(notebook, resources, **kw)


def as_recorded(path: Path, lab: str, classroom: Classroom) -> NotebookNode:
    """What is recorded of the file at `path`."""
    released = nbformat.read(classroom.root / "labs" / lab / f"{lab}.ipynb", as_version=4)
    linked = [each for each in path.parents if each != classroom.folder and each.is_symlink()]
    try:
        if linked:
            raise Rejected(f"{path.name}: its folder is a symbolic link; put the folder itself there", lab)
        return rebuilt(released, take_in_file(path, lab).cells)
    except Rejected as problem:
        return rejected(released, str(problem))


def set_strange_files_aside(assignment: str, student: str, notebooks: list[str]) -> None:
    """nbgrader's hook before a submission is copied: links and their like go to set_aside/, as they are.

    nbgrader would copy what a link points to. It swallows what a hook raises, so this one has to work for all names.
    """
    classroom = Classroom.of_this_kit()
    for folder in {Path(each).parent for each in notebooks}:
        for path in strange_files(folder):
            target = classroom.folder / "set_aside" / path.relative_to(classroom.submitted)
            target.parent.mkdir(parents=True, exist_ok=True)
            path.rename(target)
