"""Judge files: intake, drive, check, throughput check, results; several at once where asked, throughput checks always
alone.

Where that happens is a `Place`: this machine, or the workers of a cluster (autograder.grading.cluster_backend).
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from autograder.checks import StageChecks, load_stage
from autograder.checks.agreement import agree
from autograder.course import Course, CourseError, Lab
from autograder.intake import Rejected, Submission, take_in
from autograder.judge.chain import Chain, JudgedEarlier, Link, chain_for
from autograder.judge.driver import Driver
from autograder.judge.jobs import PUBLIC_SEED, plan_for
from autograder.judge.outcomes import Driven
from autograder.judge.results import Circumstances, results_of, results_of_rejected
from autograder.judge.service_files import fetch_for
from autograder.judge.throughput import ThroughputResult, measure_throughput, not_measured
from autograder.judge.verdicts import Verdict, judge_check
from autograder.sandbox import SandboxUnavailable, choose_level
from streamlab.notebooks.labfile import LabCell

OnProgress = Callable[[str], None]
THROUGHPUT_OFF = "Throughput checks were switched off; their points are not counted."


@dataclass(frozen=True)
class ThroughputOrder:
    """One throughput check to be run: whose cells, in which task's throughput check, behind which isolation, on
    inputs from which seed."""

    lab: str
    task: str
    cells: list[LabCell]
    level: str
    seed: str


class Backend(Protocol):
    """Where submissions are judged."""

    def level(self, asked: str | None) -> str:
        """The sandbox level to use there; raises `SandboxUnavailable`."""

    def checked(self, path: Path, request: "Request", how: Circumstances, on_progress: OnProgress) -> "Checked":
        """Take one submission in and judge it by its checks; anything it raises is a fault of the judge's own."""

    def measured(self, order: ThroughputOrder, request: "Request", on_progress: OnProgress) -> ThroughputResult:
        """Run one throughput check."""


class LocalBackend:
    """Judges in sandboxes of this machine."""

    def level(self, asked: str | None) -> str:
        """The level that works here."""
        return choose_level(asked)

    def checked(self, path: Path, request: "Request", how: Circumstances, on_progress: OnProgress) -> "Checked":
        """Intake, drive, check."""
        return _drive_and_check(path, request, how, on_progress)

    def measured(self, order: ThroughputOrder, request: "Request", on_progress: OnProgress) -> ThroughputResult:
        """Both sides here."""
        rule, throughput = (
            request.course.labs[order.lab].tasks[order.task].throughput,
            load_stage(order.lab).throughput_of(order.task),
        )
        assert rule is not None
        assert throughput is not None
        return measure_throughput(
            throughput,
            rule,
            order.lab,
            order.cells,
            level=order.level,
            root=request.root,
            limits=request.course.limits_of(order.lab),
            seed=order.seed,
            on_progress=on_progress,
        )


@dataclass(frozen=True)
class Request:
    """What to judge and how. `lab` is asked of notebooks that do not say it; `tasks` narrows, for `./lab check`.

    `refused_earlier` says of labs that this one builds on why their notebooks were rejected where they were handed in.
    """

    root: Path
    course: Course
    lab: str | None = None
    seed: str = PUBLIC_SEED
    throughput: bool = True
    sandbox: str | None = None
    workers: int = 1
    tasks: tuple[str, ...] = ()
    place: Backend = field(default_factory=LocalBackend)
    rejected_earlier: Mapping[str, str] = field(default_factory=dict)


def judge_files(
    paths: list[Path], request: Request, on_progress: OnProgress = lambda text: None
) -> list[dict[str, Any]]:
    """One results object for each path, in the order given; a file that cannot be judged gets its own."""
    return judge_all([(path, request) for path in paths], request.workers, on_progress)


def judge_all(
    orders: Sequence[tuple[Path, Request]], workers: int = 1, on_progress: OnProgress = lambda text: None
) -> list[dict[str, Any]]:
    """`judge_each`, waited for, in the order given."""
    judged = dict(judge_each(orders, workers, on_progress))
    return [judged[at] for at in range(len(orders))]


def judge_each(
    orders: Sequence[tuple[Path, Request]], workers: int = 1, on_progress: OnProgress = lambda text: None
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Judge each path by a request of its own; gives (position, results object) as soon as one is done.

    Checks run `workers` at a time. Throughput checks come after all checks, one at a time, each with the machine to
    itself.
    """
    levels = {request.sandbox: request.place.level(request.sandbox) for _, request in orders}
    hows = [Circumstances(request.course, levels[request.sandbox], request.seed) for _, request in orders]
    to_measure: list[tuple[int, Checked]] = []
    for at, checked in _all_checked(orders, hows, workers, on_progress):
        if orders[at][1].throughput and checked.rejected is None:
            to_measure.append((at, checked))
        else:
            yield at, _finished(checked, orders[at][1], hows[at], on_progress)
    for at, checked in to_measure:
        yield at, _finished(checked, orders[at][1], hows[at], on_progress)


def _all_checked(
    orders: Sequence[tuple[Path, Request]], hows: list[Circumstances], workers: int, on_progress: OnProgress
) -> Iterator[tuple[int, "Checked"]]:
    """Checked submissions as they come; whoever stops listening early leaves the rest undone."""
    pool = ThreadPoolExecutor(max(1, workers))
    try:
        started = {
            pool.submit(checked_at, path, request, how, on_progress): at
            for at, ((path, request), how) in enumerate(zip(orders, hows, strict=True))
        }
        for done in as_completed(started):
            yield started.pop(done), done.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


@dataclass
class Checked:
    """A submission after its checks and before its throughput check; or why there is none. `worker` of a cluster
    judged it."""

    name: str
    rejected: Rejected | None = None
    submission: Submission | None = None
    driven: Driven | None = None
    chain: Chain = field(default_factory=Chain)
    verdicts: list[Verdict] = field(default_factory=list)
    seconds: float = 0.0
    judge_failed: bool = False
    worker: str = ""


def checked_at(path: Path, request: Request, how: Circumstances, on_progress: OnProgress) -> Checked:
    """The checks of one submission; a fault of the judge's own ends with this submission, not with the class."""
    try:
        return request.place.checked(path, request, how, on_progress)
    except (SandboxUnavailable, CourseError):
        raise
    except Exception as fault:
        return _failed(path.name, request, fault)


def _failed(name: str, request: Request, fault: Exception) -> Checked:
    why = Rejected(f"{name}: the judge itself failed ({type(fault).__name__}: {fault})", request.lab)
    return Checked(name, rejected=why, judge_failed=True)


def _drive_and_check(path: Path, request: Request, how: Circumstances, on_progress: OnProgress) -> Checked:
    began = time.monotonic()
    try:
        submission = take_in(path, request.course, request.root, request.lab)
    except Rejected as rejected:
        if rejected.lab:
            on_progress(str(rejected))
        return Checked(path.name, rejected=rejected)
    stage = load_agreed_stage(submission.lab, request.course)
    lab = request.course.labs[submission.lab]
    fetch_for(submission.lab, lab.services, on_progress)
    tasks = [task for task in lab.tasks if not request.tasks or task in request.tasks]
    chain = chain_for(stage.chain_of(tasks), path, request.root, _judged_earlier(request, how))
    plan = plan_for(stage, request.seed, tasks)
    driver = Driver(
        how.sandbox,
        request.root,
        submission.lab,
        submission.cells,
        plan.jobs,
        request.course.limits_of(submission.lab),
        chain,
        lab.services,
    )
    driven = driver.run(_progress(path.name, tasks, on_progress))
    verdicts = [
        chain.settled(check, judge_check(check, plan.of(check), driven, lab.tasks[task].checks[check.name]))
        for task in tasks
        for check in stage.of_task(task)
    ]
    return Checked(path.name, None, submission, driven, chain, verdicts, time.monotonic() - began)


def _judged_earlier(request: Request, how: Circumstances) -> JudgedEarlier:
    """Judges one task of an earlier lab, in a sandbox of its own; what is wrong with it is the first thing that is."""

    def own(notebook: Path, lab: str, task: str) -> Link:
        if lab in request.rejected_earlier:
            return Link([], request.rejected_earlier[lab])
        earlier = checked_at(
            notebook, replace(request, lab=lab, tasks=(task,), throughput=False), how, lambda text: None
        )
        if earlier.submission is None:
            return Link([], str(earlier.rejected))
        wrong = (each.sentence for each in earlier.verdicts if each.verdict != "pass")
        return Link(earlier.submission.cells, next(wrong, None))

    return own


def _progress(name: str, tasks: list[str], on_progress: OnProgress) -> Callable[[str], None]:
    seen: set[str] = set()

    def done(task: str) -> None:
        if task not in seen:
            seen.add(task)
            on_progress(f"{name}: {task} ({len(seen)} of {len(tasks)})")

    return done


def load_agreed_stage(lab: str, course: Course) -> StageChecks:
    """The stage's checks, once course.yml and checks.py are known to agree."""
    stage = load_stage(lab)
    agree(lab, course.labs[lab], stage)
    return stage


def _finished(checked: Checked, request: Request, how: Circumstances, on_progress: OnProgress) -> dict[str, Any]:
    try:
        return _results(checked, request, how, on_progress)
    except (SandboxUnavailable, CourseError):
        raise
    except Exception as fault:
        return _results(_failed(checked.name, request, fault), request, how, on_progress)


def _results(checked: Checked, request: Request, how: Circumstances, on_progress: OnProgress) -> dict[str, Any]:
    if checked.rejected is not None:
        results = results_of_rejected(checked.name, checked.rejected, how)
        results["streamlab"]["judge_failed"] = checked.judge_failed
        return results
    assert checked.submission is not None
    assert checked.driven is not None
    began = time.monotonic()
    lab = request.course.labs[checked.submission.lab]
    throughput_checks = [
        _measured(task, lab, checked, request, how, on_progress) for task in lab.tasks if lab.tasks[task].throughput
    ]
    seconds = checked.seconds + time.monotonic() - began
    measured = [each for each in throughput_checks if each is not None]
    if not request.throughput and any(lab.tasks[task].throughput for task in lab.tasks):
        checked.driven.notes.append(THROUGHPUT_OFF)
    results = results_of(checked.submission, checked.verdicts, measured, checked.driven, how, seconds, checked.chain)
    if checked.worker:
        results["streamlab"]["timing"]["worker"] = checked.worker
    return results


def _measured(
    task: str, lab: Lab, checked: Checked, request: Request, how: Circumstances, on_progress: OnProgress
) -> ThroughputResult | None:
    rule = lab.tasks[task].throughput
    assert rule is not None
    assert checked.submission is not None
    throughput = load_agreed_stage(checked.submission.lab, request.course).throughput_of(task)
    if throughput is None or not request.throughput or (request.tasks and task not in request.tasks):
        return None
    if any(v.task == task and v.verdict in ("error", "timeout", "skipped") for v in checked.verdicts):
        return not_measured(throughput, rule, f"The throughput check is run once {task} gives an answer to every case.")
    order = ThroughputOrder(checked.submission.lab, task, checked.submission.cells, how.sandbox, request.seed)
    return request.place.measured(
        order, request, lambda text: on_progress(f"{checked.name}: {throughput.title}: {text}")
    )
