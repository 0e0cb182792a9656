"""The tasks of a grading job: each one checks whether its worker can judge, and then judges.

The code runs in a Python worker of a Spark executor, with the kit of that machine. If the machine cannot judge, the
task returns `Unfit` as a value, since Spark would retry a task that raises an exception.
"""

import os
import socket
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TypeVar

from autograder.classroom.folder import ROOT
from autograder.course import Course, CourseError, load_course
from autograder.grading.parcel import Kit, Parcel, kit_of, unpacked
from autograder.judge.batch import checked_by_backend
from autograder.judge.local_backend import LocalBackend
from autograder.judge.request import Checked, Request, ThroughputOrder
from autograder.judge.results import Circumstances
from autograder.judge.throughput import ThroughputResult
from autograder.sandbox import SandboxUnavailable, choose_level
from autograder.sandbox.environment import in_environments_container
from autograder.sandbox.memory_left import memory_left

MIB = 1024 * 1024
T = TypeVar("T")


@dataclass(frozen=True)
class Unfit:
    """A machine that cannot judge; `why` names the machine and the reason."""

    why: str


@dataclass(frozen=True)
class Fit:
    """A machine that can judge, with the memory that it has left."""

    host: str
    left_mb: int


def probe(kit: Kit, level: str, _: Iterable[int]) -> Iterator[Fit | Unfit]:
    """Yield whether this executor can judge; runs as one partition on each executor."""
    yield _answer(kit, level, lambda: Fit(socket.gethostname(), memory_left() // MIB))


def judged(parcel: Parcel) -> Checked | Unfit:
    """Run the checks on one submission, in a sandbox on this machine."""
    return _answer(parcel.kit, parcel.level, lambda: _judged(parcel))


def measured(kit: Kit, order: ThroughputOrder) -> ThroughputResult | Unfit:
    """Run one throughput check, with both sides on this machine."""
    request = Request(ROOT, _course(), order.lab)
    return _answer(kit, order.level, lambda: LocalBackend().measured(order, request, lambda text: None))


def _judged(parcel: Parcel) -> Checked:
    course, lab = _course(), parcel.kit.lab
    request = Request(ROOT, course, lab, seed=parcel.seed, rejected_earlier=parcel.rejected_earlier)
    circumstances = Circumstances(course, parcel.level, parcel.seed)
    with tempfile.TemporaryDirectory(prefix="streamlab-submission-") as folder:
        checked = checked_by_backend(unpacked(parcel, Path(folder)), request, circumstances, lambda text: None)
    if checked.driven is not None:  # the rows are judged already, and may be megabytes
        checked.driven.outcomes = {}
    return replace(checked, submission=None, worker=socket.gethostname())


@cache
def _course() -> Course:
    return load_course(ROOT)


def _answer(kit: Kit, level: str, work: Callable[[], T]) -> T | Unfit:
    _use_the_executors_folder()
    try:
        why = _different_kit(kit) or _no_isolation(level)
        return Unfit(f"worker {socket.gethostname()} {why}") if why else work()
    except (SandboxUnavailable, CourseError) as problem:
        return Unfit(f"worker {socket.gethostname()} cannot judge: {problem}")


def _different_kit(kit: Kit) -> str | None:
    mine = kit_of(ROOT, kit.lab)
    return None if mine == kit else f"has kit {mine}, expected {kit}: install the same kit on both machines"


def _no_isolation(level: str) -> str | None:
    try:
        choose_level(level)
        return None
    except SandboxUnavailable as problem:
        if not in_environments_container():
            return f"cannot judge: {problem}"
        why = str(problem).partition(";")[0]
        return f"cannot judge: {why}; start the cluster with docker/compose.grading.yml as well"


def _use_the_executors_folder() -> None:
    """Put temporary files into the executor's folder, which Spark's worker removes even if the executor was killed."""
    folders = os.environ.get("SPARK_EXECUTOR_DIRS")
    if folders:
        tempfile.tempdir = folders.split(os.pathsep)[0]
