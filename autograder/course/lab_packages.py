"""Packages that only some labs need: what a lock holds, and what of it is not installed in this environment.

course.yml names the locks of a lab, a class of streamlab.services the lock of a server. Installing them:
autograder.cli.lab_locks.
"""

from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from packaging.requirements import Requirement

from autograder.course.load import CourseError
from autograder.course.model import Course
from streamlab.services.catalogue import KINDS, kind_of


def lock_of_service(name: str) -> str | None:
    """The lock that brings the program of a service; None where requirements.lock does."""
    return kind_of(name).lock


def users_of_locks(course: Course) -> dict[str, list[str]]:
    """Each lock, with the labs and the services that need it.

    Example: {"requirements-lab06.lock": ["lab06_enrichment", "redis", "postgres"]}
    """
    users: dict[str, list[str]] = {}
    for lab in course.labs:
        for lock in course.locks_of(lab):
            users.setdefault(lock, []).append(lab)
    for service in KINDS:
        if of_service := lock_of_service(service):
            users.setdefault(of_service, []).append(service)
    return users


def locks_for_judging(course: Course, lab: str) -> list[str]:
    """The locks of a lab and of its services."""
    of_services = [lock for each in course.labs[lab].services if (lock := lock_of_service(each))]
    return list(dict.fromkeys([*course.locks_of(lab), *of_services]))


def missing_packages(root: Path, lock: str) -> list[str]:
    """What `root/lock` names for this machine and this environment lacks, or has in another version.

    Raises CourseError if there is no such lock.
    Example: missing_packages(root, "requirements-lab06.lock") -> ["onnxruntime 1.31.1", "redis 8.1.0"]
    """
    try:
        text = (root / lock).read_text(encoding="utf-8")
    except OSError:
        raise CourseError(f"{lock}: not found in {root}; a lab or a service of this course needs it") from None
    return [f"{name} {wanted}" for name, wanted in _pinned(text) if _installed(name) != wanted]


@cache
def _pinned(text: str) -> list[tuple[str, str]]:
    """Name and version of each requirement whose marker fits this Python and this machine."""
    lines = [line.removesuffix("\\").strip() for line in text.splitlines() if line[:1].isalnum()]
    found = [Requirement(line) for line in lines]
    fitting = [each for each in found if each.marker is None or each.marker.evaluate()]
    return [(each.name, str(each.specifier).removeprefix("==")) for each in fitting]


def _installed(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
