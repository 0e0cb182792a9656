"""Judges many submissions: runs checks several at a time, and then throughput checks one at a time."""

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from autograder.course import Lab
from autograder.judge.faults import guarded, judge_failed
from autograder.judge.local_backend import backend_of
from autograder.judge.request import Checked, OnProgress, Request, ThroughputOrder
from autograder.judge.results import Circumstances, results_of, results_of_rejected
from autograder.judge.stop import Stop
from autograder.judge.submission_checks import load_agreed_stage
from autograder.judge.throughput import ThroughputResult, not_measured, ungraded


def judge_files(
    paths: list[Path], request: Request, on_progress: OnProgress = lambda text: None
) -> list[dict[str, Any]]:
    """Return one results object for each path, in the order given, also for a file that cannot be judged."""
    return judge_all([(path, request) for path in paths], request.workers, on_progress)


def judge_all(
    orders: Sequence[tuple[Path, Request]], workers: int = 1, on_progress: OnProgress = lambda text: None
) -> list[dict[str, Any]]:
    """Judge all orders as `judge_each` does, and return the results objects in the order given."""
    judged = dict(judge_each(orders, workers, on_progress))
    return [judged[at] for at in range(len(orders))]


def judge_each(
    orders: Sequence[tuple[Path, Request]], workers: int = 1, on_progress: OnProgress = lambda text: None
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Judge each path by its own request; yield (position, results object) as soon as one is done.

    Checks run `workers` at a time. Throughput checks come after all checks, one at a time.
    """
    levels = {request.sandbox: backend_of(request).level(request.sandbox) for _, request in orders}
    stop = Stop()
    circumstances = [Circumstances(each.course, levels[each.sandbox], each.seed, stop) for _, each in orders]
    to_measure: list[tuple[int, Checked]] = []
    for at, checked in _all_checked(orders, circumstances, stop, workers, on_progress):
        if orders[at][1].throughput and checked.rejected is None:
            to_measure.append((at, checked))
        else:
            yield at, _finished(checked, orders[at][1], circumstances[at], on_progress)
    for at, checked in to_measure:
        yield at, _finished(checked, orders[at][1], circumstances[at], on_progress)


def _all_checked(
    orders: Sequence[tuple[Path, Request]],
    circumstances: list[Circumstances],
    stop: Stop,
    workers: int,
    on_progress: OnProgress,
) -> Iterator[tuple[int, Checked]]:
    """Yield checked submissions as they finish; if the caller stops early, end and cancel the remaining ones."""
    pool = ThreadPoolExecutor(max(1, workers))
    try:
        started = {
            pool.submit(checked_by_backend, path, request, how, on_progress): at
            for at, ((path, request), how) in enumerate(zip(orders, circumstances, strict=True))
        }
        for done in as_completed(started):
            yield started.pop(done), done.result()
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)


def checked_by_backend(path: Path, request: Request, how: Circumstances, on_progress: OnProgress) -> Checked:
    """Check one submission on the request's backend."""
    return guarded(
        lambda: backend_of(request).checked(path, request, how, on_progress),
        lambda fault: judge_failed(path.name, request, fault),
    )


def _finished(checked: Checked, request: Request, how: Circumstances, on_progress: OnProgress) -> dict[str, Any]:
    return guarded(
        lambda: _results(checked, request, how, on_progress),
        lambda fault: _results(judge_failed(checked.name, request, fault), request, how, on_progress),
    )


def _results(checked: Checked, request: Request, how: Circumstances, on_progress: OnProgress) -> dict[str, Any]:
    if checked.rejected is not None:
        results = results_of_rejected(checked.name, checked.rejected, how)
        results["streamlab"]["judge_failed"] = checked.judge_failed
        return results
    assert checked.submission is not None
    assert checked.driven is not None
    began = time.monotonic()
    lab = request.course.labs[checked.submission.lab]
    with_rule = [task for task in lab.tasks if lab.tasks[task].throughput]
    found = [_measured(task, lab, checked, request, how, on_progress) for task in with_rule]
    measured = [each for each in found if each is not None]
    seconds = checked.seconds + time.monotonic() - began
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
    unanswered = ("error", "timeout", "skipped")
    if any(v.task == task and v.verdict in unanswered and not v.waits_for for v in checked.verdicts):
        return not_measured(throughput, rule, f"The throughput check runs once {task} gives an answer to every case.")
    if any(v.task == task and v.ungraded for v in checked.verdicts):
        return ungraded(throughput, rule, f"The throughput check did not run, since {task} could not be judged")
    order = ThroughputOrder(checked.submission.lab, task, checked.submission.cells, how.sandbox, request.seed)
    where = f"{checked.name}: {throughput.title}"
    return guarded(
        lambda: backend_of(request).measured(order, request, lambda text: on_progress(f"{where}: {text}")),
        lambda fault: ungraded(throughput, rule, f"The judge itself failed ({type(fault).__name__}: {fault})"[:300]),
    )
