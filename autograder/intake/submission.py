"""From a path to the cells that will be judged, with the locked cells as they were released.

Nothing of the file is run or rendered here. Keeps out: the sandbox.
"""

import os
import stat
from dataclasses import dataclass, field, replace
from pathlib import Path

from autograder.course import Course
from autograder.intake.safe_text import safe
from streamlab.notebooks.labfile import NOTEBOOK_BYTES_MAX, LabCell, LabFile, UnreadableLab, read_lab

NAME_BYTES_MAX = 200
PARTS_MAX = 500_000
SENTENCE_CHARS = 300


class Rejected(ValueError):
    """The file cannot be judged; the text says why, fit for a terminal. `lab` is what could be told of its lab."""

    def __init__(self, why: str, lab: str | None = None) -> None:
        super().__init__(safe(why, SENTENCE_CHARS))
        self.lab = lab


@dataclass(frozen=True)
class Submission:
    """What is judged: a lab's cells, and what has to be said about the file as a whole."""

    lab: str
    name: str
    cells: list[LabCell]
    notes: list[str] = field(default_factory=list)


def take_in(path: Path, course: Course, root: Path, lab: str | None = None) -> Submission:
    """Read `path` as a submission for `lab` (else for the lab that its metadata or its name tells)."""
    guess = lab or (path.stem if path.stem in course.labs else None)
    file = take_in_file(path, guess)
    name = _lab_of(file, path, course, lab, guess)
    cells, notes = file.cells, _about_the_release(file, course)
    if path.suffix == ".ipynb":
        cells, more = _locked_cells_as_released(cells, _released(root, name))
        notes += more
    return Submission(name, path.name, cells, notes)


def take_in_file(path: Path, lab: str | None) -> LabFile:
    """The cells of `path` as they stand in the file, if it is a regular file and a notebook; raises `Rejected`."""
    try:
        _only_a_regular_file(path)
        _not_of_too_many_parts(path)
        return read_lab(path)
    except (Rejected, UnreadableLab) as problem:
        raise Rejected(str(problem), lab) from None


def _only_a_regular_file(path: Path) -> None:
    try:
        path.name.encode("utf-8")
        status = os.lstat(path)
    except UnicodeEncodeError:
        raise Rejected(f"{path.name!a}: the file's name is not UTF-8") from None
    except OSError as problem:
        raise Rejected(f"{path.name[:80]}: cannot be read ({problem.strerror})") from None
    if len(path.name.encode()) > NAME_BYTES_MAX:
        raise Rejected(f"{path.name[:40]}…: a name of over {NAME_BYTES_MAX} bytes")
    if stat.S_ISLNK(status.st_mode):
        raise Rejected(f"{path.name}: a symbolic link; hand in the file itself")
    if not stat.S_ISREG(status.st_mode):
        raise Rejected(f"{path.name}: not a regular file")
    if status.st_nlink > 1:
        raise Rejected(f"{path.name}: a hard link (the file has {status.st_nlink} names); hand in a copy")


def _not_of_too_many_parts(path: Path) -> None:
    """Reject a file of which a parser would make millions of objects; one over the size limit is left to `read_lab`."""
    if path.stat().st_size > NOTEBOOK_BYTES_MAX:
        return
    content = path.read_bytes()
    parts = content.count(b"{") + content.count(b"[")
    if parts > PARTS_MAX:
        raise Rejected(f"{path.name}: {parts:,} parts, and a notebook may have {PARTS_MAX:,}; clear its outputs")


def _lab_of(file: LabFile, path: Path, course: Course, asked: str | None, guess: str | None) -> str:
    told = file.lab if path.suffix == ".ipynb" else (file.lab if file.lab in course.labs else None)
    if asked and told and told != asked:
        raise Rejected(f"{path.name}: a notebook of {told}, not of {asked}", asked)
    name = asked or told or guess
    if name is None:
        raise Rejected(f"{path.name}: it does not say which lab it is; name it with --lab", None)
    if name not in course.labs:
        raise Rejected(f"{path.name}: no lab {name} in this course; there are {', '.join(course.labs)}", None)
    return name


def _about_the_release(file: LabFile, course: Course) -> list[str]:
    if file.release and file.release != course.release:
        return [f"The notebook is of release {file.release}; it was judged by release {course.release}."]
    return []


def _released(root: Path, lab: str) -> list[LabCell]:
    path = root / "labs" / lab / f"{lab}.ipynb"
    return read_lab(path).cells if path.exists() else []


def _locked_cells_as_released(cells: list[LabCell], released: list[LabCell]) -> tuple[list[LabCell], list[str]]:
    """Given cells are locked: a changed one is put back, a missing one is put in front."""
    given = {cell.name: cell for cell in released if cell.role == "given"}
    kept, notes, there = [], [], set()
    for cell in cells:
        original = given.get(cell.name) if cell.role == "given" else None
        if original and cell.source.strip() != original.source.strip():
            notes.append(f"The locked cell {cell.label} was changed; it was judged as released.")
            cell = replace(cell, source=original.source)
        there.add(cell.name if cell.role == "given" else None)
        kept.append(cell)
    missing = [cell for name, cell in given.items() if name not in there]
    notes += [f"The locked cell {cell.label} was missing; it was put back." for cell in missing]
    return missing + kept, notes
