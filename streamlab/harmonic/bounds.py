"""Bounds for the worker-seconds of runs in virtual time: what packing, and what knowledge of the future, can save."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from streamlab.harmonic.clock import Job, Run

LeastWorkers = Callable[[Sequence[int], int], int]


def ideal_worker_s(run: Run, capacity: int = 1000) -> int:
    """Return the worker-seconds of a run that does in each second the same work, on as few workers as can do it.

    A bound for this run: it keeps when messages wait, and no packing of its work takes less, however engines move.
    """
    return sum(math.ceil(sum(each.measured) / capacity) for each in run.seconds)


def clairvoyant_worker_s(jobs: Sequence[Job], least_workers: LeastWorkers, capacity: int = 1000) -> int:
    """Return the least worker-seconds for a manager that knows all messages in advance and lets none of them wait.

    A bound for every schedule that starts each message in the second in which it comes and gives it the CPU it wants,
    also with workers that boot at once and engines that move: in each second, `least_workers(sizes, capacity)` for the
    messages that run. A schedule that lets messages wait may take less, but never less than all work over `capacity`.
    """
    running: defaultdict[int, list[int]] = defaultdict(list)  # second -> sizes
    for (at_s, cpu, busy_s), count in Counter((math.ceil(job.at_s), job.cpu, job.busy_s) for job in jobs).items():
        for second in range(at_s, at_s + busy_s):
            running[second] += [cpu] * count
    return sum(least_workers(sizes, capacity) for sizes in running.values())
