"""Workloads (messages over time) for clusters in virtual time, and the figures of a run with its bounds."""

from typing import NamedTuple

from streamlab.lab07_irm.bounds import LeastWorkers, clairvoyant_worker_s, ideal_worker_s, whole_workers
from streamlab.lab07_irm.clock import Job, Run

HEADERS = ("makespan", "worker-s", "ideal", "bound", "work", "delay", "longest", "left")  # short, for tables


def thesis() -> list[Job]:
    """Return half an hour with 1,150 messages: periodic work and two bursts, for workers with 8 cores.

    The workload is that of Oliver Stein's master's thesis (2019) on HarmonicIO's resource manager.
    """
    jobs = [Job(at_s, "cpu100time10", 125, 10) for at_s in range(10, 1800, 60) for _ in range(20)]
    jobs += [Job(at_s, "cpu100time30", 125, 30) for at_s in range(30, 1800, 300) for _ in range(20)]
    jobs += [Job(at_s, "cpu100time20", 125, 20) for at_s in range(50, 1800, 100) for _ in range(20)]
    return jobs + [Job(600, "cpu100time40", 125, 40)] * 30 + [Job(1200, "cpu100time40", 125, 40)] * 40


def pictures(count: int = 300, every_s: float = 0.35, cpu: int = 125, busy_s: int = 10) -> list[Job]:
    """Return pictures that arrive at a constant rate; by default, each takes one core of eight for 10 s."""
    return [Job(int(10 + number * every_s), "cells", cpu, busy_s) for number in range(count)]


def burst_then_trickle() -> list[Job]:
    """Return 40 messages at once, then one every 2 s."""
    return [Job(10, "cells", 125, 10)] * 40 + [Job(30 + 2 * number, "cells", 125, 10) for number in range(150)]


class Figures(NamedTuple):
    """The cost of a run, with two bounds (streamlab.lab07_irm.bounds) and the total work (`work_worker_s`).

    Makespan and delays are those of the messages that finished; `left` counts the others.
    """

    makespan_s: int
    worker_s: int
    ideal_worker_s: int
    clairvoyant_worker_s: int
    work_worker_s: float
    delay_p50_s: float
    delay_max_s: float
    left: int


def figures(run: Run, jobs: list[Job], least_workers: LeastWorkers = whole_workers, capacity: int = 1000) -> Figures:
    """Return the figures of a run, with a lower bound for packings. Raises ValueError if no message finished."""
    if not run.finished:
        raise ValueError("expected a run in which at least one message finished, got none")
    delays = sorted(done_s - run.arrived[message] for message, done_s in run.finished.items())
    return Figures(
        max(run.finished.values()),
        sum(each.on for each in run.seconds),
        ideal_worker_s(run, capacity),
        clairvoyant_worker_s(jobs, least_workers, capacity),
        sum(job.cpu * job.busy_s for job in jobs) / capacity,
        delays[len(delays) // 2],
        delays[-1],
        len(jobs) - len(run.finished),
    )
