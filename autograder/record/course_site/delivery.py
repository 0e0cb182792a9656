"""Collects an archive for one lab: whose files, which one counts, and what changes in submitted/."""

import os
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC
from pathlib import Path

from autograder.classroom.folder import Classroom
from autograder.intake import digest_of
from autograder.record.collection import set_timestamp
from autograder.record.course_site import collected as records
from autograder.record.course_site.archive import BadArchive, Entry, SiteArchive
from autograder.record.course_site.choice import Notebook, Unpacker
from autograder.record.course_site.collected import Collected
from autograder.record.course_site.entry_names import READERS, BadName, SiteFile
from autograder.record.course_site.roster import Roster, UnknownStudent, students_of

NEW, REPLACES, UNCHANGED, KEPT = "new", "replaces older work", "unchanged", "kept"
BY_HAND = "the notebook in submitted/ was put there by hand; remove it to collect this one"


@dataclass(frozen=True)
class Taken:
    """The file that counts for a student, what it means for submitted/, and remarks."""

    student: str
    file: str
    outcome: str
    remarks: tuple[str, ...] = ()


@dataclass
class Collection:
    """What was taken for whom, a reason for each other file by its name, and the students without a file."""

    taken: list[Taken] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    without: list[str] = field(default_factory=list)


def collect(classroom: Classroom, lab: str, path: Path, site: str, *, dry_run: bool = False) -> Collection:
    """Collect the archive at `path`; raises `BadArchive` for an archive that is not one of this site."""
    roster = Roster(students_of(classroom))
    with (
        SiteArchive(path) as archive,
        tempfile.TemporaryDirectory(prefix=".collecting-", dir=classroom.folder) as scratch,
    ):
        found = Collection(left_out=dict(archive.rejected))
        owned = _owned(archive, site, roster, found, path.name)
        unpacker = Unpacker(archive, classroom, lab, Path(scratch))
        before = records.load(classroom, lab)
        now = dict(before)
        for student in sorted(owned):
            choice = unpacker.chosen(site, owned[student])
            found.left_out |= choice.others
            if choice.notebook:
                one = _Delivery(classroom, lab, site, student, choice.notebook, before.get(student))
                found.taken.append(one.taken(choice.notebooks))
                if not dry_run:
                    now |= one.deliver()
        if not dry_run:
            records.keep(classroom, lab, now)
    found.without = sorted({each.id for each in roster.students} - {each.student for each in found.taken})
    return found


def _owned(archive: SiteArchive, site: str, roster: Roster, found: Collection, name: str) -> dict[str, list[SiteFile]]:
    """Return the files of each student, and enter the others into `found`."""
    owned: dict[str, list[SiteFile]] = defaultdict(list)
    known_names = 0
    for entry in archive.entries:
        try:
            file = READERS[site](entry)
            known_names += 1
            owned[roster.owner_on(site, file)].append(file)
        except (BadName, UnknownStudent) as problem:
            found.left_out[entry.name] = str(problem)
    for other in READERS.keys() - {site}:
        if not known_names and any(_reads(other, each) for each in archive.entries):
            raise BadArchive(f"{name}: named as {other.title()} names files; collect it with `--from {other}`")
    return owned


def _reads(site: str, entry: Entry) -> bool:
    try:
        READERS[site](entry)
    except BadName:
        return False
    return True


class _Delivery:
    """One student's notebook on its way to submitted/."""

    def __init__(
        self, classroom: Classroom, lab: str, site: str, student: str, notebook: Notebook, before: Collected | None
    ) -> None:
        self.student, self.notebook, self.before = student, notebook, before
        self._folder = classroom.submitted / student / lab
        self._target = self._folder / f"{lab}.ipynb"
        file = notebook.file
        self.now = Collected(
            site,
            file.entry.name,
            file.upload,
            file.entry.time.astimezone(UTC).isoformat(),
            notebook.sha256,
            file.is_late,
            file.returned_as,
        )
        self.outcome, self.reason = self._outcome()

    def taken(self, count: int) -> Taken:
        """Return the row of the table."""
        file = self.notebook.file
        remarks = [self.reason] if self.reason else []
        remarks += ["late"] * file.is_late
        remarks += ["renamed"] * (file.name != self._target.name)
        remarks += [f"one of {count} notebooks"] * (count > 1)
        remarks += ["the released notebook, unchanged"] * self.notebook.is_untouched
        remarks += [f"the judge cannot read it: {self.notebook.fault}"] * bool(self.notebook.fault)
        return Taken(self.student, file.entry.name, self.outcome, tuple(remarks))

    def deliver(self) -> dict[str, Collected]:
        """Put the notebook into submitted/ if it is new there; return what to remember."""
        if self.outcome == KEPT or self._is_older():
            return {}
        if self.outcome in (NEW, REPLACES):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.notebook.path.chmod(0o600)
            set_timestamp(self._folder, self.notebook.file.entry.time.astimezone(UTC))
            os.replace(self.notebook.path, self._target)
        return {self.student: self.now}

    def _outcome(self) -> tuple[str, str]:
        for each in (self._folder.parent, self._folder):
            if os.path.lexists(each) and (each.is_symlink() or not each.is_dir()):
                return KEPT, f"{each} is not a folder; put a folder in its place"
        if not os.path.lexists(self._target):
            return NEW, ""
        there = digest_of(self._target)
        if there == self.notebook.sha256:
            return UNCHANGED, ""
        if self.before is None or there != self.before.sha256:
            return KEPT, BY_HAND
        if self._is_older():
            return KEPT, f"{self.before.entry!r} is newer, from an archive that was collected before"
        return REPLACES, ""

    def _is_older(self) -> bool:
        """Return whether the file is older than the one that was collected before."""
        if self.before is None or self.before.site != self.now.site:
            return False
        if self.now.site == "canvas":
            return self.now.upload < self.before.upload
        return (self.now.time, self.now.upload) < (self.before.time, self.before.upload)


def outcomes(taken: Sequence[Taken]) -> dict[str, int]:
    """Return how many files had which outcome, without outcomes that did not occur."""
    return {
        each: count for each in (NEW, REPLACES, UNCHANGED, KEPT) if (count := sum(one.outcome == each for one in taken))
    }
