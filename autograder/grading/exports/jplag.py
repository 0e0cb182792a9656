"""Writes the code of the task cells as JPlag reads it: one folder for each student, and one with the released starter.

JPlag ignores what two submissions have in common with the starter, its "base code", which is a folder next to theirs.

Rules: https://github.com/jplag/JPlag/blob/main/docs/1.-How-to-Use-JPlag.md
"""

import re
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

from autograder.classroom.folder import Classroom
from autograder.intake import Rejected, released_cells, take_in_file
from streamlab.notebooks.labfile import LabCell
from streamlab.notebooks.recognition import recognized

FORMAT = "jplag"
BASE_CODE = "base-code"
_MAGIC = re.compile(r"^(?=[%!])", re.MULTILINE)


def write_code(classroom: Classroom, lab: str, folder: Path, name_of: Callable[[str], str]) -> tuple[int, list[str]]:
    """Write the code of the class to `folder`, which is replaced; return how many students it has, and why others not.

    `name_of` returns the name of a student's folder.
    """
    released = released_cells(classroom.root, lab)
    draft = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(draft, ignore_errors=True)
    left_out: list[str] = []
    count = 0
    _write(draft / BASE_CODE, lab, released)
    for each in classroom.handed_in(lab)[0]:
        try:
            cells = recognized(take_in_file(each.notebook, lab).cells, released)
        except Rejected as problem:
            left_out.append(f"{each.student}: {problem}")
            continue
        _write(draft / name_of(each.student), lab, cells)
        count += 1
    shutil.rmtree(folder, ignore_errors=True)
    draft.replace(folder)
    return count, left_out


def _write(folder: Path, lab: str, cells: Iterable[LabCell]) -> None:
    folder.mkdir(parents=True)
    code = [_MAGIC.sub("# ", each.source) for each in cells if each.role == "task" and each.kind == "code"]
    (folder / f"{lab}.py").write_text("\n\n\n".join(code) + "\n", encoding="utf-8", errors="backslashreplace")
