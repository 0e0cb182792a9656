"""Fetches the files that a lab's services need before a sandbox opens, since a sandbox has no network.

Does not start services; the drives do, in the sandbox.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from autograder.course import Course
from autograder.course.lab_packages import locks_for_judging, missing_packages
from autograder.sandbox import SandboxUnavailable
from streamlab.java import MissingPrerequisite
from streamlab.services.catalogue import kind_of
from streamlab.spark import kafka_connector


def require_packages(root: Path, course: Course, lab: str) -> None:
    """Raise `SandboxUnavailable` with the next step if packages of a lab are missing; no learner loses points."""
    for lock in locks_for_judging(course, lab):
        if missing := missing_packages(root, lock):
            raise SandboxUnavailable(
                f"{lab} needs {missing[0]}, which is not installed; `./lab start {lab}` installs it"
            )


def fetch_for(lab: str, services: Sequence[str], on_progress: Callable[[str], None]) -> None:
    """Fetch the jars of all `services`, and Spark's connector if one of them is Kafka.

    Raises `SandboxUnavailable` with the reason if that fails.
    """
    for name in services:
        try:
            kind_of(name).fetch(on_progress)
            if name == "kafka":
                kafka_connector.fetch(on_progress)
        except MissingPrerequisite as problem:
            raise SandboxUnavailable(f"{lab} needs {name}: {problem}") from None
