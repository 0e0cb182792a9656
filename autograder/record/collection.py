"""Collect from nbgrader's exchange: regular files only, each from its rightful owner, with the true time of arrival.

nbgrader's own collect follows links, trusts the student's claim about whose work it is and when it was handed in, and
stops for the whole class at the first submission that it cannot read.
"""

import fnmatch
import os
import pwd
import shutil
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from nbgrader.exchange import ExchangeError
from nbgrader.exchange.default import ExchangeCollect
from nbgrader.utils import parse_utc

from autograder.classroom.folder import Classroom
from autograder.intake.reading import read_once
from autograder.intake.safe_text import safe
from autograder.record.inbound import RejectedFolder, Rules, copied, survey

CLOCK_TOLERANCE = timedelta(minutes=5)
LONG_AGO = datetime(1970, 1, 1)  # nbgrader's times are UTC, without a time zone
STAMP = "timestamp.txt"
STAMP_BYTES_MAX = 200
STAMP_FORMAT = "%Y-%m-%d %H:%M:%S.%f UTC"
Record = dict[str, Any]


class SafeCollect(ExchangeCollect):
    """nbgrader's ExchangeCollect, restricted to regular files that belong to the student."""

    def _path_to_record(self, path: str) -> Record:
        """Return the submission at `path`; a rejected one counts as older than all others and is not copied."""
        name = os.path.basename(path)
        record: Record = {"username": name.rsplit("+", 3)[0], "filename": name, "timestamp": LONG_AGO, "rejected": True}
        try:
            claimed = parse_utc(name.rsplit("+", 3)[2])
            arrived = self._arrival(Path(path), record["username"])
        except (RejectedFolder, OSError, ValueError, IndexError) as problem:
            self.log.error("rejected %s: %s", *_shown(name, problem))
            return record
        if arrived - with_zone(claimed) > CLOCK_TOLERANCE:
            self.log.warning("%s claims an earlier time than its arrival; it counts as of %s", *_shown(name, arrived))
            claimed = arrived.replace(tzinfo=None)
        return {**record, "timestamp": claimed, "rejected": False}

    def _arrival(self, path: Path, student: str) -> datetime:
        """Return when the folder was last changed; raises `RejectedFolder` if it cannot be collected."""
        return datetime.fromtimestamp(survey(path, self._rules(student)).changed_at, UTC)

    def _rules(self, student: str) -> Rules:
        try:
            uid = pwd.getpwnam(student).pw_uid
        except (KeyError, ValueError):
            raise RejectedFolder(f"handed in for {student!r}, who is not a user of this system") from None
        shared = bool(self.coursedir.groupshared)
        modes = (0o660, 0o2770) if shared else (0o600, 0o700)
        return Rules(uid, 1000 * self.coursedir.max_dir_size, self._is_wanted, *modes)

    def _is_wanted(self, name: str, size: int) -> bool:
        """Return whether nbgrader's settings accept this file or folder."""
        left_out = any(fnmatch.fnmatch(name, pattern) for pattern in self.coursedir.ignore)
        return not left_out and size <= 1000 * self.coursedir.max_file_size

    def copy_files(self) -> None:
        """Copy the accepted submissions one by one; a problem with one does not stop the others."""
        for record in self.src_records:
            if record["rejected"]:
                continue
            try:
                self._collect(record)
            except (RejectedFolder, OSError, ValueError) as problem:
                self.log.error("rejected %s: %s", *_shown(record["filename"], problem))

    def _collect(self, record: Record) -> None:
        student, lab = record["username"], self.coursedir.assignment_id
        target = Path(self.coursedir.format_path(self.coursedir.submitted_directory, student, lab))
        if not self._is_to_be_copied(target, record["timestamp"]):
            self.log.info("nothing new to collect from %s; --update collects newer submissions", student)
            return
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        source = Path(self.inbound_path, record["filename"])
        copied(source, target, self._rules(student), lambda draft: set_timestamp(draft, record["timestamp"]))
        self.log.info("collected %s from %s", lab, student)

    def _is_to_be_copied(self, target: Path, submitted: datetime) -> bool:
        if not target.is_dir():
            return True
        try:
            before = self.coursedir.get_existing_timestamp(str(target))
        except (OSError, ValueError, ExchangeError):
            before = None
        newer = before is None or submitted > before
        return bool((self.update and newer) or (self.before_duedate and submitted != before))


def irregular_files(folder: Path) -> list[Path]:
    """Return everything below `folder` that is neither a folder nor a regular file without further hard links."""
    irregular = []
    for path in (Path(where, name) for where, folders, files in os.walk(folder) for name in [*folders, *files]):
        status = os.lstat(path)
        regular = stat.S_ISREG(status.st_mode) and status.st_nlink == 1
        if not regular and not stat.S_ISDIR(status.st_mode):
            irregular.append(path)
    return irregular


def set_aside_of(classroom: Classroom, path: Path) -> Path:
    """Return where an irregular file in submitted/ is moved before nbgrader copies the submission."""
    return classroom.folder / "set_aside" / path.relative_to(classroom.submitted)


def collected_at(folder: Path) -> datetime:
    """Return the time that counts for a collected submission; without one, when its folder was last changed."""
    try:
        stamp = read_once(folder / STAMP, STAMP_BYTES_MAX).decode("ascii")
        return datetime.strptime(stamp.strip(), STAMP_FORMAT).replace(tzinfo=UTC)
    except ValueError:  # not collected from the exchange, or not a regular file
        return datetime.fromtimestamp(os.lstat(folder).st_mtime, UTC)


def _shown(*values: object) -> list[str]:
    """Return values as safe text for one log line: a student's file name cannot control the terminal."""
    return [safe(str(each), 200) for each in values]


def with_zone(moment: datetime) -> datetime:
    """Return a time with its zone; nbgrader's are UTC without one."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def set_timestamp(folder: Path, moment: datetime) -> None:
    """Write the time that counts, and replace a timestamp file of the student's."""
    file = folder / STAMP
    if file.is_dir():
        shutil.rmtree(file)
    file.unlink(missing_ok=True)
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as stamp:
        stamp.write(with_zone(moment).astimezone(UTC).strftime(STAMP_FORMAT))
