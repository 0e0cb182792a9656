"""What one task of a grading job does on the worker that Spark gave it to: look whether it can judge here, then judge.

Runs in a Python worker of a Spark executor, with the kit of that machine. What it finds wrong with the machine comes
back as a value: an exception would have Spark try again. Keeps out: the job (autograder.grading.cluster_backend).
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
from autograder.grading.parcel import Kit, Parcel, kit_of, laid_out
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
    """This machine cannot judge; the text names it and says why."""

    why: str


@dataclass(frozen=True)
class Fit:
    """This machine can judge; how much memory it has left."""

    host: str
    left_mb: int


def looked_at(kit: Kit, level: str, _: Iterable[int]) -> Iterator[Fit | Unfit]:
    """For a probe, one partition on each executor: whether it can judge."""
    yield _answer(kit, level, lambda: Fit(socket.gethostname(), memory_left() // MIB))


def judged(parcel: Parcel) -> Checked | Unfit:
    """Judge one submission by its checks, in a sandbox of this machine."""
    return _answer(parcel.kit, parcel.level, lambda: _judged(parcel))


def measured(kit: Kit, order: ThroughputOrder) -> ThroughputResult | Unfit:
    """Run one throughput check, both sides on this machine."""
    request = Request(ROOT, _course(), order.lab)
    return _answer(kit, order.level, lambda: LocalBackend().measured(order, request, lambda text: None))


def _judged(parcel: Parcel) -> Checked:
    course, lab = _course(), parcel.kit.lab
    request = Request(ROOT, course, lab, seed=parcel.seed, rejected_earlier=parcel.rejected_earlier)
    how = Circumstances(course, parcel.level, parcel.seed)
    with tempfile.TemporaryDirectory(prefix="streamlab-submission-") as folder:
        checked = checked_by_backend(laid_out(parcel, Path(folder)), request, how, lambda text: None)
    if checked.driven is not None:  # rows were judged here, and may be megabytes
        checked.driven.outcomes = {}
    return replace(checked, submission=None, worker=socket.gethostname())


@cache
def _course() -> Course:
    return load_course(ROOT)


def _answer(kit: Kit, level: str, work: Callable[[], T]) -> T | Unfit:
    _temporary_files_go_with_the_job()
    try:
        why = _another_kit(kit) or _no_isolation(level)
        return Unfit(f"worker {socket.gethostname()} {why}") if why else work()
    except (SandboxUnavailable, CourseError) as problem:
        return Unfit(f"worker {socket.gethostname()} cannot judge: {problem}")


def _another_kit(kit: Kit) -> str | None:
    mine = kit_of(ROOT, kit.lab)
    return None if mine == kit else f"has the kit {mine}, and here it is {kit}: give both the same one"


def _no_isolation(level: str) -> str | None:
    try:
        choose_level(level)
        return None
    except SandboxUnavailable as problem:
        if not in_environments_container():
            return f"cannot judge: {problem}"
        why = str(problem).partition(";")[0]
        return f"cannot judge: {why}; start the cluster with docker/compose.grading.yml, too"


def _temporary_files_go_with_the_job() -> None:
    """Use the executor's own folder, which Spark's worker removes however the executor ended."""
    folders = os.environ.get("SPARK_EXECUTOR_DIRS")
    if folders:
        tempfile.tempdir = folders.split(os.pathsep)[0]
