"""Collects an archive for one lab: whose files, which one counts, and what changes in submitted/."""

import os
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, timedelta
from pathlib import Path

from autograder.classroom.folder import Classroom
from autograder.classroom.policy_file import policy_of
from autograder.intake import digest_of
from autograder.record.collection import set_timestamp
from autograder.record.course_site import collected as records
from autograder.record.course_site.archive import SiteArchive
from autograder.record.course_site.choice import Choice, Notebook, Unpacker
from autograder.record.course_site.collected import Collected
from autograder.record.course_site.roster import Roster, students_of
from autograder.record.course_site.teams import Team, teams_of

NEW, REPLACES, UNCHANGED, KEPT = "new", "replaces older work", "unchanged", "kept"
DOWNLOAD_TAKES_AT_MOST = timedelta(minutes=10)
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
    """Collect the archive at `path`; raises `BadArchive`, and `PolicyError` for a mistake in the class's groups."""
    roster, groups = Roster(students_of(classroom)), policy_of(classroom).groups.get(lab, ())
    with (
        SiteArchive(path) as archive,
        tempfile.TemporaryDirectory(prefix=".collecting-", dir=classroom.folder) as scratch,
    ):
        found = Collection(left_out=dict(archive.rejected))
        teams = teams_of(archive.entries, site, roster, groups, found.left_out)
        unpacker = Unpacker(archive, classroom, lab, Path(scratch))
        has_times = _has_submission_times(site, archive)
        before = records.load(classroom, lab)
        now = dict(before)
        for team in teams:
            choice = unpacker.chosen(site, team.all_files)
            found.left_out |= choice.others
            for student in team.members if choice.notebook else ():
                one = _delivery(classroom, lab, site, student, team, choice, before.get(student), has_times)
                found.taken.append(one.taken(choice.notebooks))
                found.left_out.pop(one.now.entry, None)  # each member's own copy
                if not dry_run:
                    now |= one.deliver()
        if not dry_run:
            records.keep(classroom, lab, now)
    found.taken.sort(key=lambda each: each.student)
    found.without = sorted({each.id for each in roster.students} - {each.student for each in found.taken})
    return found


def _has_submission_times(site: str, archive: SiteArchive) -> bool:
    """Return whether the archive's times are those of submission, which Canvas and new releases of Moodle omit."""
    times = [each.time for each in archive.entries]
    return site == "moodle" and bool(times) and max(times) - min(times) > DOWNLOAD_TAKES_AT_MOST


def _delivery(
    classroom: Classroom,
    lab: str,
    site: str,
    student: str,
    team: Team,
    choice: Choice,
    before: Collected | None,
    has_times: bool,
) -> "_Delivery":
    """Return the delivery of a team's notebook to one member, under whose own name the site has it if possible."""
    own = {file.entry.name for file in team.files.get(student, ())}
    notebook = next((each for each in choice.copies if each.file.entry.name in own), choice.copies[0])
    file = notebook.file
    is_own = file.entry.name in own
    now = Collected(
        site,
        file.entry.name,
        file.upload,
        file.entry.time.astimezone(UTC).isoformat(),
        has_times,
        notebook.sha256,
        file.is_late,
        file.returned_as if is_own else None,
    )
    return _Delivery(classroom.submitted / student / lab / f"{lab}.ipynb", student, notebook, now, before)


class _Delivery:
    """One student's notebook on its way to submitted/."""

    def __init__(
        self, target: Path, student: str, notebook: Notebook, now: Collected, before: Collected | None
    ) -> None:
        self._target, self._folder = target, target.parent
        self.student, self.notebook, self.now, self.before = student, notebook, now, before
        self.outcome, self.reason = self._outcome()

    def taken(self, count: int) -> Taken:
        """Return the row of the table."""
        file = self.notebook.file
        remarks = [self.reason] if self.reason else []
        remarks += ["of the group"] * (self.now.returned_as is None)
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
            set_timestamp(self._folder, self.notebook.file.entry.time.astimezone(UTC))
            draft = self._folder / f".{self._target.name}.partial"
            shutil.copyfile(self.notebook.path, draft)
            draft.chmod(0o600)
            os.replace(draft, self._target)
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
