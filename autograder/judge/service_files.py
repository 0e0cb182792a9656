"""What the services of a lab need from a network, fetched before a sandbox opens: there is none inside.

Keeps out: starting services (the drives do, in the sandbox).
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from autograder.course import Course
from autograder.course.lab_packages import locks_for_judging, missing_packages
from autograder.sandbox import SandboxUnavailable
from streamlab.java import MissingPrerequisite
from streamlab.services.catalogue import kind_of
from streamlab.spark import kafka_connector


def must_have_packages(root: Path, course: Course, lab: str) -> None:
    """Raise `SandboxUnavailable` with the next step where packages of a lab are missing: no learner loses points."""
    for lock in locks_for_judging(course, lab):
        if missing := missing_packages(root, lock):
            raise SandboxUnavailable(f"{lab} needs {missing[0]}, which is not installed; `./lab start {lab}` does that")


def fetch_for(lab: str, services: Sequence[str], on_progress: Callable[[str], None]) -> None:
    """Have the jars of all `services`, and those by which Spark speaks to Kafka.

    Raises `SandboxUnavailable` with the reason where they cannot be had.
    """
    for name in services:
        try:
            kind_of(name).fetch(on_progress)
            if name == "kafka":
                kafka_connector.fetch(on_progress)
        except MissingPrerequisite as problem:
            raise SandboxUnavailable(f"{lab} needs {name}: {problem}") from None
