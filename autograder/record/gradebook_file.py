"""Checks the file of nbgrader's gradebook before nbgrader opens it.

nbgrader takes each failure of SQLite for an old gradebook and recommends to upgrade it, or ends with a traceback. Here,
one sentence says whether the file is locked, damaged or not writable, and what to do.
"""

import os
import pwd
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import psutil

from autograder.course import CourseError
from autograder.intake.safe_text import safe

LOCK_TIMEOUT_S = 5.0
COMMAND_CHARS, PROGRAMS_SHOWN = 60, 3
READ, WRITE = "BEGIN; SELECT count(*) FROM sqlite_master", "BEGIN EXCLUSIVE"


class UnusableGradebook(CourseError):
    """The gradebook exists, but cannot be used; the text says why, and what to do."""


def require_usable(path: Path, *, to_write: bool) -> None:
    """Raise `UnusableGradebook` if there is a gradebook at `path` that cannot be read, or `to_write`, changed."""
    if fault := fault_of(path, to_write=to_write):
        raise UnusableGradebook(fault)


def fault_of(path: Path, *, to_write: bool) -> str | None:
    """Return what is wrong with the gradebook at `path`, and what to do; None if nothing is, or if there is none yet.

    Waits up to 5 s for a lock.
    """
    if not os.path.lexists(path):
        return None
    if not path.is_file():
        return f"{path} is not a file; move it away, and `./lab grade` creates a new gradebook"
    if closed := _without_permission(path, to_write):
        return f"{closed} is not {'writable' if to_write else 'readable'} for {user_name()}; change its permissions"
    try:
        with closing(sqlite3.connect(path, timeout=LOCK_TIMEOUT_S, isolation_level=None)) as database:
            _try(database, WRITE if to_write else READ)
    except sqlite3.OperationalError as problem:
        return _locked(path) if _is_lock(problem) else f"{path} cannot be used ({problem}); check the free space"
    except sqlite3.DatabaseError as problem:
        return _damaged(path, str(problem))
    return None


def _try(database: sqlite3.Connection, statements: str) -> None:
    """Open a transaction, check the whole file, and change nothing."""
    for each in statements.split("; "):
        database.execute(each)
    found = database.execute("PRAGMA quick_check(1)").fetchone()[0]
    database.execute("ROLLBACK")
    if found != "ok":
        raise sqlite3.DatabaseError(" ".join(str(found).split()))


def _without_permission(path: Path, to_write: bool) -> Path | None:
    """Return the file or its folder, in which SQLite writes a journal, if the user lacks the permission."""
    if not to_write:
        return None if os.access(path, os.R_OK) else path
    return next((each for each in (path, path.parent) if not os.access(each, os.R_OK | os.W_OK)), None)


def _is_lock(problem: sqlite3.OperationalError) -> bool:
    return problem.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _locked(path: Path) -> str:
    programs = list(_programs_with(path))
    by = " and ".join(programs[:PROGRAMS_SHOWN]) or "a program of another user or on another machine"
    return f"{path} is locked by {by}; save and close it there, then call this command again"


def _programs_with(path: Path) -> Iterator[str]:
    """Yield the other programs that have the file open, as far as this user may see them."""
    own, real = os.getpid(), os.path.realpath(path)
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if process.pid != own and any(each.path == real for each in process.open_files()):
                yield f"process {process.pid} ({safe(' '.join(process.cmdline()), COMMAND_CHARS)})"


def _damaged(path: Path, why: str) -> str:
    next_step = "restore it from a backup, or move it away: `./lab grade` then creates a new one, without manual grades"
    return f"{path} is damaged ({safe(why, 200)}); {next_step}"


def user_name() -> str:
    """Return the name of this process's user."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:  # a user id without a name, as in a container
        return f"user {os.getuid()}"
