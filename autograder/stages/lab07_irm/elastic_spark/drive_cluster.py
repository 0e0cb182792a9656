"""Executors of the session's cluster: a few for jobs, or as many as a scaler decides."""

import threading
import time
from typing import Any

from autograder.inside.patience import gave_up, wait_until
from autograder.inside.rows import Rows, type_name
from streamlab.granted_time import own_deadline
from streamlab.lab07_irm.datatypes import Decision
from streamlab.spark.executors import Executors

POLL_S = 0.2
COME_S = 75.0  # for executors and their Python workers to start, on a busy machine
UNASKED_S = 5.0  # while tasks wait and the scaler requests no executor
GO_S = 15.0  # for executors to leave after the last task
FEW = 2


def with_executors(context: Any) -> None:
    """Request some executors, and wait for the first one."""
    executors = Executors(context)
    executors.request(FEW)
    wait_until(lambda: bool(executors.running()), COME_S, _pause)


def followed(scaler: Any, context: Any, tasks: int, task_s: float) -> Rows:
    """Start without executors, run a job of `tasks` tasks, and follow the scaler's decisions until none is left."""
    executors = Executors(context)
    executors.request(0)
    wait_until(
        lambda: not executors.retire([each.id for each in executors.running()]) and not executors.running(),
        COME_S,
        _pause,
    )
    job = _Job(context, tasks, task_s)
    began_s, most = time.monotonic(), 0
    comes, unasked, goes = own_deadline(COME_S), own_deadline(UNASKED_S), None
    while goes is None or not goes.is_over:
        now_s, running = time.monotonic() - began_s, executors.running()
        most = max(most, len(running))
        decision = scaler.decide(now_s, executors.waiting(), running)
        if not isinstance(decision, Decision):
            job.cancel()
            return {"returned": type_name(decision)}
        if decision.retire:
            executors.retire(decision.retire)
        executors.request(decision.total)
        if decision.total or not executors.waiting():
            unasked = own_deadline(UNASKED_S)
        if goes is None and (job.is_over or comes.is_over or unasked.is_over):
            goes = own_deadline(GO_S)
            if not job.is_over:
                gave_up(UNASKED_S)
            job.cancel()
        if goes is not None and not running:
            break
        _pause()
    else:
        gave_up(GO_S)
    return {"done": job.done, "failed": job.failed(), "most": most, "left": len(executors.running())}


def _pause() -> None:
    time.sleep(POLL_S)


class _Job:
    """A job in a thread, whose tasks sleep."""

    GROUP = "followed by a scaler"

    def __init__(self, context: Any, tasks: int, task_s: float) -> None:
        self._context, self.done = context, 0
        self._thread = threading.Thread(target=self._run, args=(tasks, task_s), daemon=True)
        self._thread.start()

    @property
    def is_over(self) -> bool:
        return not self._thread.is_alive()

    def cancel(self) -> None:
        """Stop a job that no executor runs; repeat that, as the job may begin after the first try."""
        deadline = own_deadline(GO_S)
        while not self.is_over and not deadline.is_over:
            self._context.cancelJobGroup(self.GROUP)
            self._thread.join(POLL_S)

    def failed(self) -> int:
        """Return how many tasks failed."""
        tracker = self._context.statusTracker()
        jobs = [tracker.getJobInfo(each) for each in tracker.getJobIdsForGroup(self.GROUP)]
        stages = [tracker.getStageInfo(each) for job in jobs if job for each in job.stageIds]
        return sum(stage.numFailedTasks for stage in stages if stage)

    def _run(self, tasks: int, task_s: float) -> None:
        def slept(number: int) -> int:
            time.sleep(task_s)
            return 1

        self._context.setJobGroup(self.GROUP, "tasks that sleep")
        try:
            self.done = sum(self._context.parallelize(range(tasks), tasks).map(slept).collect())
        except Exception:  # the job was cancelled: too few tasks were done
            self.done = 0
