"""Installs packages that only some labs need, when such a lab is first started, judged or tested.

In the kit's own .venv, a lock also needs its stamp: an interrupted installation leaves packages that look complete.
`autograder.course.lab_packages` finds the packages; `autograder.cli.installation` installs them.
"""

import hashlib
import importlib
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from autograder.cli.context import ROOT, UserError, course, user_error_for
from autograder.course import CourseError
from autograder.course.lab_packages import lock_of_service, locks_for_judging, missing_packages, users_of_locks

INSTALLATION = Path(__file__).resolve().parent / "installation.py"


def ensure_packages_of(labs: Iterable[str]) -> None:
    """Install the missing packages of these labs; raises UserError if that fails."""
    this_course = course()
    ensure_locks(dict.fromkeys(lock for lab in labs for lock in locks_for_judging(this_course, lab)))


def ensure_packages_of_services(names: Iterable[str]) -> None:
    """Install the missing packages of these services; raises UserError if that fails."""
    ensure_locks(dict.fromkeys(lock for name in names if (lock := lock_of_service(name))))


def ensure_all_packages() -> None:
    """Install the missing packages of every lab and every service; raises UserError if that fails."""
    ensure_locks(users_of_locks(course()))


def ensure_locks(locks: Iterable[str], root: Path = ROOT) -> None:
    """Install each lock that has missing packages or an incomplete installation; raises UserError if that fails."""
    for lock in locks:
        if _missing(root, lock) or _is_incomplete(root, lock):
            _install(root, lock)
        if still := _missing(root, lock):
            raise UserError(f"{still[0]} of {lock} is missing after the installation; delete .venv and try again")


def services_without_packages(names: Iterable[str]) -> list[str]:
    """Return those of the services whose packages are not installed."""
    return [name for name in names if (lock := lock_of_service(name)) and _missing(ROOT, lock)]


@user_error_for(CourseError)
def _missing(root: Path, lock: str) -> list[str]:
    return missing_packages(root, lock)


def _is_incomplete(root: Path, lock: str) -> bool:
    """Return whether a lock in .venv has no right stamp; False where only the owner could change that."""
    if not _is_own(root) or not os.access(sys.prefix, os.W_OK):
        return False
    try:
        return _stamp_path(root, lock).read_text(encoding="utf-8", errors="replace").strip() != _stamp(root, lock)
    except FileNotFoundError:
        return True


def _is_own(root: Path) -> bool:
    """Return whether this Python is that of the kit's .venv, not of an environment that the user created."""
    return Path(sys.prefix).resolve() == (root / ".venv").resolve()


def _stamp_path(root: Path, lock: str) -> Path:
    return root / ".venv" / f"streamlab-stamp-{Path(lock).stem.removeprefix('requirements-')}"


def _stamp(root: Path, lock: str) -> str:
    return f"{hashlib.sha256((root / lock).read_bytes()).hexdigest()}\n{root}"


def _install(root: Path, lock: str) -> None:
    """Run installation.py, which adds the lock to .venv; never change an environment that the user created."""
    if not _is_own(root):
        how = f"{sys.executable} -m pip install --require-hashes --no-deps -r {lock}"
        raise UserError(f"{_missing(root, lock)[0]} of {lock} is not installed in {sys.prefix}; `{how}` installs it")
    if not os.access(sys.prefix, os.W_OK):
        raise UserError(f"packages of {lock} are missing, and {sys.prefix} is not writable; its owner can add them")
    stamp_path = _stamp_path(root, lock)
    if _missing(root, lock):
        stamp_path.unlink(missing_ok=True)  # it is wrong
    command: list[str | Path] = [sys.executable, "-I", INSTALLATION, root, lock, stamp_path.name, _stamp(root, lock)]
    if code := subprocess.run(command, stdout=sys.stderr).returncode:
        raise SystemExit(code)
    importlib.invalidate_caches()
