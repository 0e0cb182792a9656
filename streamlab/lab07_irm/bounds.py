"""Lower bounds for the worker-seconds of a run in virtual time, with ideal packing or with knowledge of the future."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from streamlab.lab07_irm.clock import Job, Run

LeastWorkers = Callable[[Sequence[int], int], int]


def whole_workers(sizes: Sequence[int], capacity: int = 1000) -> int:
    """Return the sum of the sizes in whole workers, rounded up: no packing needs fewer."""
    return math.ceil(sum(sizes) / capacity)


def ideal_worker_s(run: Run, capacity: int = 1000) -> int:
    """Return the worker-seconds of the same work in each second of a run, on the fewest workers that can do it.

    This is a bound for this run. Messages wait as long as they do in the run, and no packing of the work needs fewer
    worker-seconds, however engines move.
    """
    return sum(math.ceil(sum(each.measured) / capacity) for each in run.seconds)


def clairvoyant_worker_s(jobs: Sequence[Job], least_workers: LeastWorkers, capacity: int = 1000) -> int:
    """Return the least worker-seconds for a manager that knows all messages in advance and lets none of them wait.

    The result is the sum over all seconds of `least_workers(sizes, capacity)` for the messages that run. It is a bound
    for every schedule that starts each message in the second of its arrival with the CPU it wants, even if workers boot
    at once and engines move. A schedule that lets messages wait may take less, but never less than all work divided by
    `capacity`.
    """
    running: defaultdict[int, list[int]] = defaultdict(list)  # second -> sizes
    for (at_s, cpu, busy_s), count in Counter((math.ceil(job.at_s), job.cpu, job.busy_s) for job in jobs).items():
        for second in range(at_s, at_s + busy_s):
            running[second] += [cpu] * count
    return sum(least_workers(sizes, capacity) for sizes in running.values())
