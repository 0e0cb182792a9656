"""Turns a path into the cells that will be judged, with the locked cells as they were released.

It neither runs nor renders anything from the file.
"""

from dataclasses import dataclass, field, replace
from pathlib import Path

from autograder.course import Course
from autograder.intake.reading import Rejected, digest_of_bytes, read_once
from streamlab.notebooks.labfile import LabCell, LabFile, UnreadableLab, lab_of_bytes, read_lab
from streamlab.notebooks.recognition import (
    defined_names,
    plain,
    recognized,
    runs,
    unclear_questions,
    without_spare_stubs,
)

CELLS_SHARED_MAX = 2  # of notebooks of different labs


@dataclass(frozen=True)
class Submission:
    """The cells of a lab that are judged, with notes on the file as a whole.

    `digest` is the digest of exactly the bytes from which the cells were read.
    """

    lab: str
    name: str
    cells: list[LabCell]
    notes: list[str] = field(default_factory=list)
    digest: str = ""


def take_in(path: Path, course: Course, root: Path, lab: str | None = None) -> Submission:
    """Read `path` as a submission for `lab`, or for the lab that its metadata, its name or its cells state.

    Raises `Rejected` if the file cannot be judged.
    """
    guess = lab or next((each for each in course.labs if path.stem.startswith(each)), None)
    try:
        content = read_once(path)
    except Rejected as problem:
        raise Rejected(str(problem), guess, problem.digest) from None
    digest = digest_of_bytes(content)
    try:
        file = lab_of_bytes(content, path)
        if file.lab is None and path.suffix == ".ipynb":
            file = replace(file, lab=_lab_by_cells(file, course, root, guess))
        name = _lab_of(file, path, course, lab, guess)
        return _submission(file, name, path, course, root, digest)
    except (Rejected, UnreadableLab) as problem:
        known_lab = problem.lab if isinstance(problem, Rejected) else guess
        raise Rejected(str(problem), known_lab, digest) from None


def take_in_file(path: Path, lab: str | None) -> LabFile:
    """Return the cells of `path` unchanged. Raises `Rejected` if it is not a regular file or not a notebook."""
    try:
        return lab_of_bytes(read_once(path), path)
    except (Rejected, UnreadableLab) as problem:
        raise Rejected(str(problem), lab) from None


def _submission(file: LabFile, lab: str, path: Path, course: Course, root: Path, digest: str) -> Submission:
    cells, notes = file.cells, _about_the_release(file, course)
    if path.suffix == ".ipynb":
        released = released_cells(root, lab)
        own = recognized(cells, released)
        unclear = unclear_questions(own, released)
        cells, more = _locked_cells_as_released(own, released, file.release == course.release)
        cells = without_spare_stubs(cells, released)
        notes += [*more, *_about_doubled_tasks(own, released)]
        notes += [f"The question {name} needs manual grading: {why}." for name, why in unclear.items()]
    return Submission(lab, path.name, cells, notes, digest)


def released_cells(root: Path, lab: str) -> list[LabCell]:
    """Return the cells of a lab's notebook as the kit releases it; none if the kit has no such notebook."""
    path = root / "labs" / lab / f"{lab}.ipynb"
    return read_lab(path).cells if path.exists() else []


def _about_doubled_tasks(cells: list[LabCell], released: list[LabCell]) -> list[str]:
    """Return a sentence for each task that several cells define, untouched stubs aside."""
    own = set(map(id, without_spare_stubs(cells, released)))
    numbers: dict[str, list[int]] = {cell.name or "": [] for cell in released if cell.role == "task"}
    for number, cell in enumerate(cells, 1):
        for name in defined_names(cell.source) & numbers.keys() if id(cell) in own and runs(cell) else ():
            numbers[name].append(number)
    return [
        f"{name} is defined in cells {', '.join(map(str, at[:-1]))} and {at[-1]} of the notebook; the last one counts."
        for name, at in numbers.items()
        if len(at) > 1
    ]


def _lab_of(file: LabFile, path: Path, course: Course, asked: str | None, guess: str | None) -> str:
    declared = file.lab if path.suffix == ".ipynb" else (file.lab if file.lab in course.labs else None)
    if asked and declared and declared != asked:
        raise Rejected(f"{path.name}: a notebook of {declared}, not of {asked}", asked)
    name = asked or declared or guess
    if name is None:
        raise Rejected(f"{path.name}: does not say which lab it belongs to; name the lab with --lab", None)
    if name not in course.labs:
        raise Rejected(f"{path.name}: no lab {name} in this course; its labs are {', '.join(course.labs)}", None)
    return name


def _lab_by_cells(file: LabFile, course: Course, root: Path, guess: str | None) -> str | None:
    """Return the lab that most of the cells are from, or None if it may be the one that is expected."""
    sources = {plain(cell.source) for cell in file.cells}
    same = {lab: sum(plain(cell.source) in sources for cell in released_cells(root, lab)) for lab in course.labs}
    best = max(same, key=same.__getitem__)
    return best if same[best] > CELLS_SHARED_MAX and not same.get(guess or "") else None


def _about_the_release(file: LabFile, course: Course) -> list[str]:
    if file.release and file.release != course.release:
        return [f"The notebook is of release {file.release}; it was judged by release {course.release}."]
    return []


def _locked_cells_as_released(
    cells: list[LabCell], released: list[LabCell], is_of_this_release: bool
) -> tuple[list[LabCell], list[str]]:
    """Restore the given cells, which are locked: replace a changed cell, and put a missing one where it was."""
    given = {cell.name: cell for cell in released if cell.role == "given"}
    kept: list[LabCell] = []
    notes: list[str] = []
    for cell in cells:
        original = given.get(cell.name) if cell.role == "given" else None
        if original and (plain(cell.source), cell.kind) != (plain(original.source), original.kind):
            what = "was changed" if is_of_this_release else "differs from that of this release"
            what = what if cell.kind == original.kind else f"was turned into a {cell.kind} cell"
            notes.append(f"The locked cell {cell.label} {what}; it was judged as released.")
            cell = replace(cell, source=original.source, kind=original.kind)
        kept.append(cell)
    missing = _put_back(kept, list(given.values()))
    return kept, notes + [f"The locked cell {cell.label} was missing; it was put back." for cell in missing]


def _put_back(cells: list[LabCell], given: list[LabCell]) -> list[LabCell]:
    """Insert each missing given cell after the one before it, on which it may depend; return the missing ones."""
    missing, after = [], 0
    for cell in given:
        at = next((at for at, each in enumerate(cells) if (each.role, each.name) == ("given", cell.name)), None)
        if at is None:
            at = after
            cells.insert(at, cell)
            missing.append(cell)
        after = at + 1
    return missing
