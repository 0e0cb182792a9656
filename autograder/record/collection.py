"""Collect from nbgrader's exchange: regular files only, each from its rightful owner, at the time it really came.

nbgrader's own collect follows links, takes any student's word for whose work it is, and for when it was handed in.
"""

import os
import pwd
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from nbgrader.exchange.default import ExchangeCollect

CLOCKS_MAY_DIFFER = timedelta(minutes=5)
LONG_AGO = datetime(1970, 1, 1)  # nbgrader's times are UTC and do not say so


class SafeCollect(ExchangeCollect):
    """nbgrader's ExchangeCollect, which rejects what is not plainly the student's own file."""

    def _path_to_record(self, path: str) -> dict[str, Any]:
        """The submission at `path`; a rejected one counts as older than any other and is not copied."""
        record: dict[str, Any] = super()._path_to_record(path)
        why = why_rejected(Path(path), record["username"])
        if why:
            self.log.error("REFUSED %s: %s", record["filename"], why)
            return {**record, "rejected": True, "timestamp": LONG_AGO}
        came = arrived(Path(path))
        if came - _with_zone(record["timestamp"]) > CLOCKS_MAY_DIFFER:
            self.log.warning("%s says an earlier time than it came at; it counts as of %s", record["filename"], came)
            record["timestamp"] = came.replace(tzinfo=None)
        return record

    def copy_files(self) -> None:
        """Copy what was not rejected; where the time was corrected, the copy says so."""
        self.src_records: list[dict[str, Any]] = [each for each in self.src_records if not each.get("rejected")]
        super().copy_files()
        for record in self.src_records:
            folder = self.coursedir.format_path(
                self.coursedir.submitted_directory, record["username"], self.coursedir.assignment_id
            )
            _set_timestamp(Path(folder), _with_zone(record["timestamp"]))

    def do_copy(self, src: str, dest: str, log: Any = None) -> None:
        """Copy with links as links (there are none: that was checked), then look again at what was copied."""
        super().do_copy(src, dest, log)
        for path in strange_files(Path(dest)):
            self.log.error("REFUSED %s: it became something else than a regular file", path)
            path.unlink()


def why_rejected(folder: Path, student: str) -> str | None:
    """None for a folder of regular files that all belong to `student`; else what is wrong, with the file's name."""
    status = os.lstat(folder)
    if not stat.S_ISDIR(status.st_mode):
        return "not a folder"
    owner = _user(status.st_uid)
    if owner != student:
        return f"handed in for {student}, but it belongs to {owner}"
    for path in _everything_in(folder):
        found = os.lstat(path)
        if not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
            return f"{path.name} is no regular file"
        if stat.S_ISREG(found.st_mode) and found.st_nlink > 1:
            return f"{path.name} is a hard link"
        if found.st_uid != status.st_uid:
            return f"{path.name} belongs to {_user(found.st_uid)}"
    return None


def strange_files(folder: Path) -> list[Path]:
    """Everything below `folder` that is neither a folder nor a regular file with one name."""
    strange = []
    for path in _everything_in(folder):
        status = os.lstat(path)
        regular = stat.S_ISREG(status.st_mode) and status.st_nlink == 1
        if not regular and not stat.S_ISDIR(status.st_mode):
            strange.append(path)
    return strange


def arrived(folder: Path) -> datetime:
    """When the folder was last changed by the kernel's own clock, which its owner cannot set back."""
    return datetime.fromtimestamp(max(os.lstat(each).st_ctime for each in [folder, *_everything_in(folder)]), UTC)


def _everything_in(folder: Path) -> list[Path]:
    return [Path(where, name) for where, folders, files in os.walk(folder) for name in [*folders, *files]]


def _user(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"user {uid}"


def _with_zone(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _set_timestamp(folder: Path, moment: datetime) -> None:
    file = folder / "timestamp.txt"
    if file.exists():
        file.chmod(0o644)
        file.write_text(moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f UTC"))
