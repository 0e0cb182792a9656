"""Judge on the workers of a Spark cluster: grading runs as Spark jobs, and each task starts one sandbox.

Each submission is a job with one task, so its result arrives as soon as it is judged. If a worker dies, Spark retries
its tasks on another worker, and each submission still gives one result. The workers are probed before the first
submission, and each task checks its worker again. `autograder.grading.cluster_worker` has the code of the tasks.
"""

import re
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from autograder.course import Course
from autograder.grading import cluster_worker
from autograder.grading.cluster_worker import Fit, Unfit
from autograder.grading.parcel import Kit, kit_of, packed
from autograder.intake import Rejected, take_in
from autograder.intake.reading import digest_of_bytes
from autograder.judge.request import Checked, OnProgress, Request, ThroughputOrder
from autograder.judge.results import Circumstances
from autograder.judge.throughput import ThroughputResult
from autograder.sandbox import SandboxUnavailable
from streamlab.java import MissingPrerequisite
from streamlab.spark import cluster as standalone
from streamlab.spark import cluster_sessions, sessions
from streamlab.spark.jvm import SparkDidNotStart

if TYPE_CHECKING:
    from pyspark import SparkContext

SETTINGS = {
    "spark.executor.cores": "1",  # one submission per executor: what one does to its executor affects no other
    "spark.task.maxFailures": "4",
    "spark.speculation": "false",  # no submission is judged twice at the same time
}
CORES_LIMIT_S, START_LIMIT_S, NO_WORKER_LIMIT_S, POLL_INTERVAL_S = 10.0, 60.0, 120.0, 0.2
GUIDE = 'see "A class that outgrows one machine" in docs/instructors.md'
RESUME = "finished results are saved; run the same command again to continue"
_LOST = re.compile(
    r"failed (\d+) times, most recent failure: Lost task \S+ in stage \S+ \(TID \d+\) \((\S+) [^)]*\): (.*)"
)
_PYTHON_ERROR = re.compile(r"^(?:[\w.]+\.)?(\w+(?:Error|Exception)): (.+)$", re.MULTILINE)
Order = TypeVar("Order")
Answer = TypeVar("Answer")


class ClusterUnfit(SandboxUnavailable):
    """Raised if the cluster cannot judge, or no longer can; the text says why and what to do."""


class WorkersLost(RuntimeError):
    """Raised if every worker that tried to judge a submission ended or failed."""


@contextmanager
def workers_of(master: str, lab: str, course: Course, root: Path, level: str, most: int | None) -> "Iterator[Cluster]":
    """Yield the cluster at `master` as a backend for `lab`, with all free cores, or `most` of them.

    Raises `ClusterUnfit` before anything is judged if the cluster has no master, no worker, too few free cores, a
    different kit, no sandbox or too little memory.
    """
    before = signal.getsignal(signal.SIGINT)
    try:
        cluster_sessions.must_answer(master, "start the cluster, or grade without --master on this machine")
        slots = _free_slots(master, most)
        with sessions.job_on(master, f"grading {lab}", SETTINGS | {"spark.cores.max": str(slots)}) as context:
            found = Cluster(context, master, kit_of(root, lab), level)
            with found:
                found.probe_all(slots, course.limits_of(lab).memory_mb)
                yield found
    except (SparkDidNotStart, MissingPrerequisite) as problem:
        raise ClusterUnfit(str(problem)) from None
    finally:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, before)


class Cluster:
    """A backend (autograder.judge.request.Backend) that judges `slots` submissions at once."""

    def __init__(self, context: "SparkContext", master: str, kit: Kit, level: str) -> None:
        self.context, self.master, self.kit, self._level = context, master, kit, level
        self.slots = 0
        self._ended_because: str | None = None
        self._closed = threading.Event()

    def __enter__(self) -> "Cluster":
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, self._interrupted)
        threading.Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closed.set()

    def level(self, asked: str | None) -> str:
        """Return the sandbox level that all workers use."""
        return self._level

    def checked(self, path: Path, request: Request, how: Circumstances, on_progress: OnProgress) -> Checked:
        """Run intake here, where the submission was handed in, and have a worker run the checks."""
        try:
            submission = take_in(path, request.course, request.root, request.lab)
            parcel = packed(path, self.kit, request.course, request.root, how.sandbox, how.seed)
            if digest_of_bytes(parcel.notebooks[self.kit.lab]) != submission.digest:
                raise Rejected(f"{path.name}: the file changed while it was read", submission.lab)
        except Rejected as rejected:
            return Checked(path.name, rejected=rejected)
        return replace(self._run(cluster_worker.judged, parcel), submission=submission)

    def measured(self, order: ThroughputOrder, request: Request, on_progress: OnProgress) -> ThroughputResult:
        """Have a worker run one throughput check; the judge ensures that nothing else runs meanwhile."""
        on_progress("runs on a worker")
        return self._run(partial(cluster_worker.measured, self.kit), order)

    def probe_all(self, slots: int, memory_mb: int) -> None:
        """Wait for the executors and probe each; raises `ClusterUnfit` if one cannot judge."""
        self.slots = self._executors_within(START_LIMIT_S, slots)
        probe = partial(cluster_worker.probe, self.kit, self._level)
        partitions = self.context.parallelize(range(self.slots), self.slots).barrier()  # all at once: one on each
        try:
            answers: list[Fit | Unfit] = partitions.mapPartitions(probe).collect()
        except Exception as problem:
            why = f"the workers of {self.master} cannot run this kit: {_why(problem)}"
            raise ClusterUnfit(f"{why}; install the same kit under the same path on each, {GUIDE}") from None
        for each in answers:
            if isinstance(each, Unfit):
                raise ClusterUnfit(f"{each.why}; {GUIDE}")
        _must_have_memory([each for each in answers if isinstance(each, Fit)], memory_mb)

    def _run(self, work: Callable[[Order], Answer | Unfit], order: Order) -> Answer:
        """Run `work` as a job with one task."""
        self._must_not_have_ended()
        try:
            [answer] = self.context.parallelize([order], 1).map(work).collect()
        except Exception as problem:
            self._must_not_have_ended()
            raise WorkersLost(_why(problem)) from None
        if isinstance(answer, Unfit):
            raise ClusterUnfit(f"{answer.why}; {RESUME}")
        return answer

    def _must_not_have_ended(self) -> None:
        if self._ended_because is None and self._java().isStopped():
            self._ended_because = f"{self.master} has ended the grading session"
        if self._ended_because:
            raise ClusterUnfit(f"{self._ended_because}; {RESUME}")

    def _end(self, why: str) -> None:
        """Cancel all running jobs, and start no more."""
        self._ended_because = why
        self.context.cancelAllJobs()

    def _interrupted(self, *_: object) -> None:
        self._end("grading was interrupted")
        raise KeyboardInterrupt

    def _watch(self) -> None:
        """End grading if the cluster has had no worker for too long: Spark would wait for one, and report nothing."""
        last_seen_s = time.monotonic()
        while not self._closed.wait(1.0):
            with suppress(Exception):
                if self._executors():
                    last_seen_s = time.monotonic()
                elif time.monotonic() - last_seen_s > NO_WORKER_LIMIT_S:
                    self._end(f"{self.master} has had no worker for {NO_WORKER_LIMIT_S:g} s")

    def _executors_within(self, limit_s: float, wanted: int) -> int:
        """Return the number of executors, as soon as `wanted` have started or `limit_s` has passed."""
        deadline_s = time.monotonic() + limit_s
        while (count := self._executors()) < wanted:
            if time.monotonic() > deadline_s:
                break
            time.sleep(POLL_INTERVAL_S)
        if not count:
            raise ClusterUnfit(f"no worker of {self.master} started within {limit_s:g} s; the master's page shows why")
        return count

    def _executors(self) -> int:
        return 0 if self._java().isStopped() else int(self._java().getExecutorMemoryStatus().size()) - 1  # the driver

    def _java(self) -> Any:
        return self.context._jsc.sc()


def _free_slots(master: str, most: int | None) -> int:
    """Return how many submissions the cluster can take at once: `most` if given, otherwise one per free core.

    Raises `ClusterUnfit` if too few cores become free within CORES_LIMIT_S.
    """
    deadline_s = time.monotonic() + CORES_LIMIT_S
    while True:
        found = _workers_at(master)
        free = found.cores_free
        if free >= (most or found.cores):
            return most or free
        if time.monotonic() > deadline_s or (most or 0) > found.cores:
            break
        time.sleep(POLL_INTERVAL_S)
    if free and not most:
        return free
    advice = "end other applications on it" + (", or ask for fewer --workers" if most else "")
    raise ClusterUnfit(f"{master} has {free} of {found.cores} cores free, and grading needs {most or 1}: {advice}")


def _workers_at(master: str) -> standalone.Workers:
    page = cluster_sessions.page_of(master)
    try:
        found = standalone.workers_of(page)
    except (OSError, ValueError) as problem:
        raise ClusterUnfit(
            f"the master's page {page} does not answer ({problem}): set STREAMLAB_MASTER_PAGE to its address"
        ) from None
    if not found.alive:
        raise ClusterUnfit(f"{master} answers but has no workers: start one")
    return found


def _must_have_memory(found: list[Fit], memory_mb: int) -> None:
    """Raise `ClusterUnfit` if a machine has too little memory for the submissions that it judges at once."""
    for host, count in Counter(each.host for each in found).items():
        left_mb = min(each.left_mb for each in found if each.host == host)
        if left_mb < count * memory_mb:
            at_once = "a submission" if count == 1 else f"each of {count} submissions at once"
            fewer = "" if count == 1 else ", or ask for fewer --workers"
            why = f"worker {host} has {left_mb:,} MB left, and {at_once} may use {memory_mb:,}"
            raise ClusterUnfit(f"{why}: give it more memory{fewer}; {GUIDE}")


def _why(problem: Exception) -> str:
    """Return the cause of a failed job in one line, from Spark's message."""
    java = getattr(problem, "java_exception", None)
    text = str(java.getMessage() if java is not None else problem)
    errors = _PYTHON_ERROR.findall(text)
    lost = _LOST.search(text)
    cause = ": ".join(errors[-1]) if errors else (lost[3] if lost else text).splitlines()[0]
    return f"{lost[1]} workers ended or failed, the last on {lost[2]}: {cause}"[:300] if lost else cause[:300]
