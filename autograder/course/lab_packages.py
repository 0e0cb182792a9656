"""Packages that only some labs need: the locks that list them, and those missing in this environment.

course.yml names the locks of a lab; a class of streamlab.services names the lock of a server.
`autograder.cli.lab_locks` installs them.
"""

from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from packaging.requirements import Requirement

from autograder.course.load import CourseError
from autograder.course.model import Course
from streamlab.services.catalogue import KINDS, kind_of


def lock_of_service(name: str) -> str | None:
    """Return the lock that contains the program of a service; None if requirements.lock contains it."""
    return kind_of(name).lock


def users_of_locks(course: Course) -> dict[str, list[str]]:
    """Map each lock to the labs and the services that need it.

    Example: {"requirements-databases.lock": ["lab06_enrichment", "redis", "postgres"]}
    """
    users: dict[str, list[str]] = {}
    for lab in course.labs:
        for lock in course.locks_of(lab):
            users.setdefault(lock, []).append(lab)
    for service in KINDS:
        if lock_name := lock_of_service(service):
            users.setdefault(lock_name, []).append(service)
    return users


def locks_for_judging(course: Course, lab: str) -> list[str]:
    """Return the locks of a lab and of its services."""
    service_locks = [lock for each in course.labs[lab].services if (lock := lock_of_service(each))]
    return list(dict.fromkeys([*course.locks_of(lab), *service_locks]))


def missing_packages(root: Path, lock: str) -> list[str]:
    """Return the packages of `root/lock` for this machine that this environment lacks or has in another version.

    Raises CourseError if the lock does not exist.
    Example: missing_packages(root, "requirements-databases.lock") -> ["onnxruntime 1.31.1", "redis 8.1.0"]
    """
    try:
        text = (root / lock).read_text(encoding="utf-8")
    except OSError:
        raise CourseError(f"{lock}: not found in {root}; a lab or a service of this course needs it") from None
    return [f"{name} {pinned}" for name, pinned in _pinned(text) if _installed_version(name) != pinned]


@cache
def _pinned(text: str) -> list[tuple[str, str]]:
    """Return name and version of each requirement whose marker matches this Python and this machine."""
    lines = [line.removesuffix("\\").strip() for line in text.splitlines() if line[:1].isalnum()]
    requirements = [Requirement(line) for line in lines]
    matching = [each for each in requirements if each.marker is None or each.marker.evaluate()]
    return [(each.name, str(each.specifier).removeprefix("==")) for each in matching]


def _installed_version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
