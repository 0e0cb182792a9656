"""Packs one lab as a template repository for GitHub: the starter, the student's kit, a workflow, and a guide.

It holds no solutions and no secret, so what its workflow says about a notebook is advice.
"""

import re
from dataclasses import replace
from pathlib import Path

from autograder.course import Course
from autograder.pack.archive import PackSummary, students_files, written, zipped
from autograder.pack.contents import Packed

TEMPLATES = Path(__file__).with_name("github")
KIT = "kit"
IGNORED = f"{KIT}/.venv*\n{KIT}/work/\n__pycache__/\n.ipynb_checkpoints/\n"


def pack_for_github(root: Path, course: Course, lab: str, to: Path) -> PackSummary:
    """Write the repository of one lab to the file `to`; raises PackRejected."""
    kit = students_files(root, course)
    own = f"labs/{lab}/"
    starter = [replace(file, name=f"{lab}/{file.name.removeprefix(own)}") for file in kit if file.name.startswith(own)]
    files = [
        Packed(".github/workflows/check.yml", False, _filled_in("check.yml", lab)),
        Packed("README.md", False, _filled_in("README.md", lab)),
        Packed(".gitignore", False, IGNORED.encode()),
        *starter,
        *(replace(file, name=f"{KIT}/{file.name}") for file in kit),
    ]
    return written(to, zipped(sorted(files, key=lambda file: file.name), ""), len(files))


def _filled_in(template: str, lab: str) -> bytes:
    """Return a template with the lab's name in place of LAB."""
    return re.sub(r"\bLAB\b", lab, (TEMPLATES / template).read_text(encoding="utf-8")).encode()
