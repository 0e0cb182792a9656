"""Writes the student's kit: collects its files, looks for leaks, and zips so that equal inputs give equal bytes.

`contents` lists the files; `leaks` finds what they must not hold.
"""

import hashlib
import io
import json
import os
import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath

from autograder.builder import SourceError, stale
from autograder.course import Course
from autograder.judge.reference_figures import FILE, REFERENCE
from autograder.pack.contents import NotPackable, Packed, files_to_pack
from autograder.pack.leaks import leaks_in
from autograder.pack.oracles import recorded_oracles
from autograder.pack.student_readme import student_readme

EARLIEST = datetime(1990, 1, 1)
ZIP_STEP_S = 2  # the resolution of a zip's times
ZIP_STEPS = 30 * 365 * 86_400 // ZIP_STEP_S  # until December 2019, so no time is in the future
UNIX = 3
REGULAR_FILE = 0o100000


class PackRejected(Exception):
    """The kit cannot be packed; nothing was written. `problems` has a line for each reason, with the file's name."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


@dataclass(frozen=True)
class PackSummary:
    """The archive that was written: its path, number of files and size."""

    path: Path
    files: int
    size_bytes: int

    def __str__(self) -> str:
        return f"{self.path}: {self.files} files, {self.size_bytes / 1000:,.0f} kB"


def default_name(course: Course) -> str:
    """Return the default file name: streamlab-2026.1-students.zip."""
    return f"{folder_name(course)}-students.zip"


def pack_kit(root: Path, course: Course, to: Path) -> PackSummary:
    """Write the student's kit of `root` to the file `to`, atomically; raises PackRejected."""
    files = students_files(root, course)
    return written(to, zipped(files, folder_name(course)), len(files))


def students_files(root: Path, course: Course) -> list[Packed]:
    """Return the files of the student's kit of `root`, sorted by name; raises PackRejected."""
    try:
        files = files_to_pack(root, course)
        readme = (root / "README.md").read_text(encoding="utf-8")
        text = student_readme(readme, course, [file.name for file in files])
    except NotPackable as problem:
        raise PackRejected([str(problem)]) from None
    files.append(Packed("README.md", False, text.encode()))
    if problems := leaks_in(files, root, course) or out_of_date(root):
        raise PackRejected(problems)
    return sorted([*files, *_answers(root, course, files), *_seconds(root, course)], key=lambda file: file.name)


def written(to: Path, content: bytes, files: int, mode: int = 0o666) -> PackSummary:
    """Write an archive of so many files to `to`, atomically, with a mode that the umask restricts further."""
    partial = to.with_name(f".{to.name}.partial")
    partial.unlink(missing_ok=True)
    with open(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(content)
    os.replace(partial, to)
    return PackSummary(to, files, len(content))


def write_files(files: Iterable[Packed], folder: Path) -> None:
    """Write files with their modes to a folder, which may be new."""
    for file in files:
        path = folder / file.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)
        path.chmod(file.mode)


def _answers(root: Path, course: Course, files: list[Packed]) -> list[Packed]:
    """Return the files that replace the oracles in the kit; this takes seconds, so it comes last."""
    try:
        answers = recorded_oracles(root, course, files)
    except NotPackable as problem:
        raise PackRejected([str(problem)]) from None
    if problems := leaks_in(answers, root, course):
        raise PackRejected(problems)
    return answers


def _seconds(root: Path, course: Course) -> Iterator[Packed]:
    """Yield the times of the reference that the last verification of each lab measured."""
    for lab in course.labs:
        path = root / "autograder/stages" / lab / "verified.json"
        found = json.loads(path.read_text(encoding="utf-8")).get(REFERENCE) if path.exists() else None
        if found:
            yield Packed(f"autograder/stages/{lab}/{FILE}", False, json.dumps(found, indent=1).encode())


def zipped(files: list[Packed], folder: str) -> bytes:
    """Return a zip with all files in one folder ("": at the top); it does not reveal when or by whom it was made."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as writer:
        for file in files:
            about = zipfile.ZipInfo(str(PurePosixPath(folder, file.name)), _time_of(file.content))
            about.create_system = UNIX
            about.compress_type = zipfile.ZIP_DEFLATED
            about.external_attr = (REGULAR_FILE | file.mode) << 16
            writer.writestr(about, file.content)
    return archive.getvalue()


def _time_of(content: bytes) -> tuple[int, int, int, int, int, int]:
    """Return a time that depends on the content only, so that a corrected file differs in time from the old one.

    Python keeps using the bytecode of a source whose time and size are unchanged.
    """
    steps = int.from_bytes(hashlib.sha256(content).digest()[:8], "big") % ZIP_STEPS
    at = EARLIEST + timedelta(seconds=steps * ZIP_STEP_S)
    return at.year, at.month, at.day, at.hour, at.minute, at.second


def out_of_date(root: Path) -> list[str]:
    """Return a sentence for each generated file that is not what its source gives."""
    try:
        return stale(root)
    except SourceError as problem:
        return problem.problems


def folder_name(course: Course) -> str:
    """Return the name of the archive's only folder, which also starts the archive's name: streamlab-2026.1."""
    return re.sub(r"[^a-z0-9.]+", "-", f"{course.course}-{course.release}".lower()).strip("-.")
