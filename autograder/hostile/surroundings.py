"""Everything outside the sandboxes that must not change: a class, the teacher's home, temporary files, processes.

The class is made for the trial, with a gradebook, a secret and a classmate's work as targets of attacks.
"""

import hashlib
import json
import os
import secrets
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from autograder.hostile.notebooks import Notebook, Targets
from autograder.sandbox.levels import uids_of_sandboxes

EXIT_GRACE_S = 5.0


@dataclass(frozen=True)
class Outside:
    """The targets of a trial, and the folder of its temporary files."""

    targets: Targets
    temporary: Path

    def fingerprint(self) -> dict[str, str]:
        """Return a fingerprint (mode, owner, content) of every file that an attack may target, by path."""
        places = [self.targets.class_folder, self.targets.teachers_home]
        return {str(path): _file_fingerprint(path) for place in places for path in [place, *sorted(place.rglob("*"))]}

    def left_behind(self) -> list[str]:
        """Return sentences on files and processes that outlived their sandboxes, after `EXIT_GRACE_S` at most."""
        end = time.monotonic() + EXIT_GRACE_S
        while (alive := self._processes()) and time.monotonic() < end:
            time.sleep(0.05)
        files = [f"left {path.name} among the temporary files" for path in sorted(self.temporary.iterdir())]
        return files + [f"left the process {each} behind" for each in alive]

    def _processes(self) -> list[str]:
        uids = uids_of_sandboxes() - {os.getuid()}
        children = {child.pid for child in psutil.Process().children(recursive=True)}
        return [
            f"{process.pid} ({process.info['name']})"
            for process in psutil.process_iter(["name", "uids", "status"])
            if process.info["status"] != psutil.STATUS_ZOMBIE
            and (process.pid in children or _runs_as(process, uids) or self._has_mark(process.pid))
        ]

    def _has_mark(self, pid: int) -> bool:
        try:
            return f"HOSTILE_MARK={self.targets.mark}".encode() in Path(f"/proc/{pid}/environ").read_bytes()
        except OSError:
            return False


def _runs_as(process: psutil.Process, uids: set[int]) -> bool:
    own = process.info["uids"]
    return own is not None and own.real in uids


def _file_fingerprint(path: Path) -> str:
    status = path.lstat()
    content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
    return f"{status.st_mode:o} {status.st_uid} {hashlib.sha256(content).hexdigest()}"


@contextmanager
def outside(kit: Path, honest: Notebook) -> Iterator[Outside]:
    """Make a class and a home below the kit's work/, and use a new temporary folder in the block."""
    with (
        tempfile.TemporaryDirectory(prefix="hostile-", dir=_outside_tmp(kit / "work")) as folder,
        tempfile.TemporaryDirectory(prefix="streamlab-hostile-") as temporary,
    ):
        home = _home(Path(folder) / "home")
        targets = Targets(_class(Path(folder) / "class", honest), home, kit, mark=secrets.token_hex(8))
        before, tempfile.tempdir = tempfile.tempdir, temporary
        os.chmod(temporary, 0o755)
        try:
            yield Outside(targets, Path(temporary))
        finally:
            tempfile.tempdir = before


def _outside_tmp(folder: Path) -> Path:
    """Make and return `folder`; return /var/tmp if it is below /tmp, since a sandbox has its own writable /tmp."""
    folder.mkdir(exist_ok=True)
    return Path("/var/tmp") if Path("/tmp") in folder.resolve().parents else folder


def _class(folder: Path, honest: Notebook) -> Path:
    classmate = folder / "submitted" / "alice" / "lab01_wordcount"
    classmate.mkdir(parents=True)
    (classmate / "lab01_wordcount.ipynb").write_text(json.dumps(honest), encoding="utf-8")
    (folder / "secret").write_text(secrets.token_hex(32))
    (folder / "feedback" / "alice").mkdir(parents=True)
    with closing(sqlite3.connect(folder / "gradebook.db")) as gradebook:
        gradebook.execute("create table grade (student text, auto_score real, manual_score real, needs_manual_grade)")
        gradebook.execute("insert into grade values ('alice', 31, 5, 0), ('mallory', 0, 0, 0)")
        gradebook.commit()
    return folder


def _home(folder: Path) -> Path:
    for name in (".jupyter/jupyter_config.json", ".ipython/profile_default/startup/README", ".bashrc"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("the teacher's own\n")
    return folder
