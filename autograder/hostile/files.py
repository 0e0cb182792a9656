"""Attacks by the submitted file itself: its type, its size or its name.

Each maker writes its file into a folder and returns the path. `named` is the text by which the report names the attack.
A file with honest content earns the points of its content, even if its name is an attack.
"""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from autograder.hostile.notebooks import Notebook, Targets, write

LAB_FILE = "lab01_wordcount.ipynb"
Make = Callable[[Path, Notebook, Targets], Path]


@dataclass(frozen=True)
class FileAttack:
    """A maker of one file, and how the report has to name it; a file that is `rejected` must not be judged at all."""

    name: str
    about: str
    named: str
    make: Make
    rejected: bool


FILE_ATTACKS: list[FileAttack] = []


def _attack(named: str, *, rejected: bool = True) -> Callable[[Make], Make]:
    def register(make: Make) -> Make:
        name = getattr(make, "__name__", "")
        about = (make.__doc__ or "").splitlines()[0]
        FILE_ATTACKS.append(FileAttack(name, about, named, make, rejected))
        return make

    return register


@_attack("a symbolic link")
def file_is_a_symbolic_link(folder: Path, work: Notebook, targets: Targets) -> Path:
    """Link to a classmate's work, which the judge can read and the student cannot."""
    path = folder / LAB_FILE
    path.symlink_to(next(targets.class_folder.glob("submitted/*/*/*.ipynb")))
    return path


@_attack("a hard link")
def file_is_a_hard_link(folder: Path, work: Notebook, targets: Targets) -> Path:
    """Make a second name of a classmate's file."""
    path = folder / LAB_FILE
    path.hardlink_to(next(targets.class_folder.glob("submitted/*/*/*.ipynb")))
    return path


@_attack("not a regular file")
def file_is_a_pipe(folder: Path, work: Notebook, targets: Targets) -> Path:
    """Make a named pipe, which blocks a program that opens it."""
    path = folder / LAB_FILE
    os.mkfifo(path)
    return path


@_attack("not a regular file")
def file_is_a_folder(folder: Path, work: Notebook, targets: Targets) -> Path:
    """Make a folder with the name of a notebook."""
    path = folder / LAB_FILE
    path.mkdir()
    return path


@_attack("bytes, and a notebook may have")
def file_is_a_terabyte(folder: Path, work: Notebook, targets: Targets) -> Path:
    """Make a sparse file, which takes no space on the disk and is a terabyte long when read."""
    path = folder / LAB_FILE
    with path.open("wb") as file:
        file.truncate(1024**4)
    return path


@_attack("parts")
def file_has_a_million_cells(folder: Path, work: Notebook, targets: Targets) -> Path:
    """Make a notebook within the limit of bytes that the judge would parse into millions of objects."""
    path = folder / LAB_FILE
    path.write_text('{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [' + "{}," * 4_000_000 + "{}]}")
    return path


@_attack("not JSON")
def file_is_nested_too_deep(folder: Path, work: Notebook, targets: Targets) -> Path:
    """Nest brackets until the parser's stack overflows."""
    path = folder / LAB_FILE
    path.write_text('{"nbformat": 4, "cells": ' + "[" * 99_000 + "]" * 99_000 + "}")
    return path


@_attack("not JSON")
def file_has_a_number_of_many_digits(folder: Path, work: Notebook, targets: Targets) -> Path:
    """Write a number that takes minutes to convert."""
    path = folder / LAB_FILE
    path.write_text('{"nbformat": ' + "9" * 5_000_000 + ', "cells": []}')
    return path


@_attack("no UTF-8")
def file_is_not_utf8(folder: Path, work: Notebook, targets: Targets) -> Path:
    """Write bytes that are not text."""
    path = folder / LAB_FILE
    path.write_bytes(b'{"nbformat": 4, "cells": ["\xff\xfe"]}')
    return path


@_attack("a notebook of ../../etc/passwd")
def file_claims_a_lab_outside(folder: Path, work: Notebook, targets: Targets) -> Path:
    """Write metadata with a path in place of a lab."""
    path = folder / "homework.ipynb"
    return write({**work, "metadata": {"streamlab": {"lab": "../../etc/passwd", "release": "2026.1"}}}, path)


@_attack("was put back", rejected=False)
def file_lacks_its_locked_cells(folder: Path, work: Notebook, targets: Targets) -> Path:
    """Remove the locked cells, and claim another release."""
    cells = [cell for cell in work["cells"] if cell["metadata"].get("streamlab", {}).get("role") != "given"]
    about = {**work["metadata"], "streamlab": {"lab": Path(LAB_FILE).stem, "release": "1999.1"}}
    return write({**work, "metadata": about, "cells": cells}, folder / LAB_FILE)


@_attack("not UTF-8")
def name_is_not_utf8(folder: Path, work: Notebook, targets: Targets) -> Path:
    """Use a name whose bytes are not text, so results with it cannot be written."""
    path = Path(os.fsdecode(os.fsencode(folder) + b"/\xff\xfe.ipynb"))
    path.write_text(json.dumps(work))
    return path


@_attack("has terminal control codes", rejected=False)
def name_has_terminal_codes(folder: Path, work: Notebook, targets: Targets) -> Path:
    """Use a name that clears the teacher's terminal and continues on a new line."""
    return write(work, folder / "\x1b]0;hostile\x07\x1b[2J\nlab: 34 of 34 points\x9b.ipynb")


@_attack("is HTML with code", rejected=False)
def name_is_html(folder: Path, work: Notebook, targets: Targets) -> Path:
    """Use a name that is a script, closes an attribute, and is a formula in a spreadsheet."""
    return write(work, folder / '=cmd|\'!A1"><svg onload=alert(1)><script>alert(1)<,";.ipynb')


@_attack("a name of over")
def name_is_very_long(folder: Path, work: Notebook, targets: Targets) -> Path:
    """Use a name about as long as the file system allows."""
    return write(work, folder / f"{'x' * 240}.ipynb")
