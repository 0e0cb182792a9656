"""Decides which of a student's files counts for a lab, and says why the others do not.

The newest notebook of the lab counts: Canvas numbers the uploads. Moodle has times, but those of a new release are the
times of download, so files less than a minute apart are ordered by the number that browsers append ("lab (1).ipynb").
"""

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from autograder.classroom.folder import Classroom
from autograder.classroom.stray_work import ARCHIVES, is_notebook, is_untouched
from autograder.intake import Rejected, take_in, take_in_file
from autograder.record.course_site.archive import BadEntry, SiteArchive
from autograder.record.course_site.entry_names import SiteFile

SAME_TIME = timedelta(minutes=1)


@dataclass(frozen=True)
class Notebook:
    """An unpacked notebook of a student. `fault` says why the judge cannot read it, and gives its checks 0 points."""

    file: SiteFile
    path: Path
    sha256: str
    is_untouched: bool
    fault: str = ""


@dataclass
class Choice:
    """The notebook that counts, if one does, of how many, and a reason for each other file by name.

    `copies` has all notebooks with the same bytes, the one that counts first.
    """

    notebook: Notebook | None = None
    copies: list[Notebook] = field(default_factory=list)
    notebooks: int = 0
    others: dict[str, str] = field(default_factory=dict)


class Unpacker:
    """Unpacks the notebooks of one archive into the folder `scratch`, and keeps those of one lab."""

    def __init__(self, archive: SiteArchive, classroom: Classroom, lab: str, scratch: Path) -> None:
        self._archive, self._classroom, self._lab, self._scratch = archive, classroom, lab, scratch
        self._released = classroom.root / "labs" / lab / f"{lab}.ipynb"
        self._count = 0

    def chosen(self, site: str, files: Iterable[SiteFile]) -> Choice:
        """Return the choice among a student's files."""
        choice, notebooks = Choice(), []
        for file in files:
            try:
                notebooks.append(self._notebook(file))
            except BadEntry as problem:
                choice.others[file.entry.name] = str(problem)
        _choose(choice, site, notebooks, f"{self._lab}.ipynb")
        return choice

    def _notebook(self, file: SiteFile) -> Notebook:
        """Unpack a file; raises `BadEntry` if it is no notebook, or of another lab."""
        if not is_notebook(file.name):
            suffix = Path(file.name).suffix.lower()
            raise BadEntry("an archive; unpack it by hand" if suffix in ARCHIVES else "not a notebook")
        self._count += 1
        path = self._scratch / str(self._count) / f"{self._lab}.ipynb"
        path.parent.mkdir(mode=0o700)
        try:
            digest = self._archive.unpack(file.entry, path)
            return self._taken_in(file, path, digest)
        except BadEntry:
            shutil.rmtree(path.parent)
            raise

    def _taken_in(self, file: SiteFile, path: Path, digest: str) -> Notebook:
        try:
            take_in_file(path, self._lab)
        except Rejected as problem:
            fault = str(problem).removeprefix(f"{path.name}: ")
            return Notebook(file, path, digest, is_untouched=False, fault=fault)
        try:
            take_in(path, self._classroom.course, self._classroom.root, self._lab)
        except Rejected as problem:
            raise BadEntry(str(problem).removeprefix(f"{path.name}: ")) from None
        return Notebook(file, path, digest, is_untouched(path, self._lab, self._released))


def _choose(choice: Choice, site: str, notebooks: Sequence[Notebook], expected_name: str) -> None:
    """Enter the newest notebook with work; only without one, the untouched starter, then a file that cannot be read."""
    choice.notebooks = len(notebooks)
    readable = [each for each in notebooks if not each.fault]
    candidates = [each for each in readable if not each.is_untouched] or readable or list(notebooks)
    newest = _newest(site, candidates, expected_name)
    if len({each.sha256 for each in newest}) > 1:
        names = " and ".join(sorted(repr(each.file.name) for each in newest))
        why = f"which of {names} is newer cannot be told; put the one that counts into submitted/ by hand"
        choice.others |= {each.file.entry.name: why for each in newest}
    elif newest:
        first = newest[0]
        choice.notebook = first
        choice.copies = [first, *(each for each in notebooks if each is not first and each.sha256 == first.sha256)]
        choice.notebooks -= len(choice.copies) - 1
    for each in notebooks:
        if each is not choice.notebook:
            choice.others.setdefault(each.file.entry.name, _why_not(each, choice.notebook))


def _newest(site: str, candidates: Sequence[Notebook], expected_name: str) -> list[Notebook]:
    """Return the newest notebook; several if they cannot be ordered."""
    if not candidates:
        return []
    if site == "moodle":
        latest = max(each.file.entry.time for each in candidates)
        candidates = [each for each in candidates if latest - each.file.entry.time < SAME_TIME]
    last = max(each.file.upload for each in candidates)
    found = [each for each in candidates if each.file.upload == last]
    return [each for each in found if each.file.name == expected_name] or found


def _why_not(other: Notebook, taken: Notebook | None) -> str:
    if other.fault:
        return other.fault
    if taken is None:
        return "see the files next to it"
    if other.sha256 == taken.sha256:
        return f"the same as {taken.file.name!r}"
    return "the released notebook, unchanged" if other.is_untouched else f"older than {taken.file.name!r}"
