"""A cluster in virtual time with a master and a manager: ticks of one second, and whole numbers throughout.

A message wants `cpu` thousandths of a worker for `busy_s` seconds. A worker with more demand than capacity divides its
CPU in proportion to the demand. Does not judge the master and the manager.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from streamlab.lab07_irm.datatypes import Order, Plan, Seen


class Job(NamedTuple):
    """A message that arrives at `at_s`."""

    at_s: float
    image: str
    cpu: int
    busy_s: int


@dataclass(frozen=True)
class Setup:
    """A cluster: how long workers and engines take to start, when idle engines leave, and which load is measured.

    `measures`: "wanted", the CPU that engines want, or "used", the CPU that they get (less on a crowded worker).
    """

    workers: int = 5
    boot_s: int = 0
    start_s: int = 2
    idle_s: int = 5
    capacity: int = 1000
    measures: str = "wanted"


class Second(NamedTuple):
    """One second of a cluster; `scheduled` and `measured` hold the CPU of each worker."""

    now_s: int
    waiting: int
    engines: int
    on: int
    wanted: int
    scheduled: list[int]
    measured: list[int]


@dataclass
class Run:
    """The result of a run: a row for each second, and the second in which each message arrived and finished."""

    seconds: list[Second] = field(default_factory=list)
    finished: dict[str, int] = field(default_factory=dict)
    arrived: dict[str, float] = field(default_factory=dict)

    def over_time(self, what: str) -> list[tuple[int, int]]:
        """Return (second, value) of one field of `Second`, such as "waiting"."""
        return [(each.now_s, getattr(each, what)) for each in self.seconds]


@dataclass
class _Engine:
    name: str
    image: str
    worker: int
    up_at: int
    up: bool = False
    message: str | None = None
    left: int = 0
    idle_since: int = 0


def simulate(jobs: Iterable[Job], master: Any, manager: Any, setup: Setup | None = None, until_s: int = 3600) -> Run:
    """Play jobs until all have finished, no engine is left and at most one worker is on, or until `until_s`.

    master: like the lab's Master; manager: has `tick(seen) -> Plan`. Messages get the names m0, m1, … in the order of
    their arrival.
    """
    return _Cluster(jobs, master, manager, setup or Setup()).run(until_s)


class _Cluster:
    def __init__(self, jobs: Iterable[Job], master: Any, manager: Any, setup: Setup) -> None:
        self.master, self.manager, self.setup, self.out = master, manager, setup, Run()
        self.jobs = {f"m{number}": job for number, job in enumerate(sorted(jobs))}
        self.out.arrived = {name: job.at_s for name, job in self.jobs.items()}
        self.images = sorted({job.image for job in self.jobs.values()})
        self.coming = list(reversed(self.jobs))
        self.engines: dict[str, _Engine] = {}
        self.ended: list[str] = []
        self.ready_at: list[int] = []  # of each worker that is on
        self.now = 0

    def run(self, until_s: int) -> Run:
        for self.now in range(until_s):
            measured, loads = self._work()
            while self.coming and self.jobs[self.coming[-1]].at_s <= self.now:
                message = self.coming.pop()
                self._obey(self.master.offer(message, self.jobs[message].image))
            self._start_and_end_engines()
            self._tick(measured, loads)
            if len(self.out.finished) == len(self.jobs) and not self.engines and len(self.ready_at) <= 1:
                break
        return self.out

    def _work(self) -> tuple[Counter[int], dict[str, list[tuple[int, int]]]]:
        """Do one second of work; return the CPU of each worker, and the loads of each image."""
        busy = [engine for engine in self.engines.values() if engine.message is not None]
        demand = Counter[int]()
        for engine in busy:
            demand[engine.worker] += self._wants(engine)
        measured, loads = Counter[int](), defaultdict[str, Counter[tuple[int, str]]](Counter)
        for engine in busy:
            wants, most = self._wants(engine), self.setup.capacity
            share = wants if demand[engine.worker] <= most else wants * most // demand[engine.worker]
            measured[engine.worker] += min(share, engine.left)
            engine.left -= min(share, engine.left)
            loads[engine.image][engine.worker, "engines"] += 1
            loads[engine.image][engine.worker, "cpu"] += wants if self.setup.measures == "wanted" else share
        for engine in sorted(busy, key=lambda each: each.worker):
            if engine.left == 0:
                message, engine.message, engine.idle_since = engine.message, None, self.now
                self._obey(self.master.done(engine.name, message))
        return measured, {image: _by_worker(counts) for image, counts in loads.items()}

    def _wants(self, engine: _Engine) -> int:
        return self.jobs[engine.message or ""].cpu

    def _start_and_end_engines(self) -> None:
        for engine in list(self.engines.values()):
            if not engine.up and engine.up_at <= self.now:
                engine.up, engine.idle_since = True, self.now
                self._obey(self.master.idle(engine.name, engine.image, engine.worker))
            elif engine.up and engine.message is None and self.now - engine.idle_since >= self.setup.idle_s:
                self._obey(self.master.leaving(engine.name))

    def _tick(self, measured: Counter[int], loads: dict[str, list[tuple[int, int]]]) -> None:
        ready = sum(at <= self.now for at in self.ready_at)
        waiting = {image: self.master.waiting(image) for image in self.images}
        ended, self.ended = self.ended, []
        plan = self.manager.tick(Seen(self.now, waiting, loads, ended, len(self.ready_at), ready, self.setup.workers))
        for start in plan.starts:
            up_at = self.now + self.setup.start_s
            self.engines[start.engine] = _Engine(start.engine, start.image, start.worker, up_at)
        booted = self.now + self.setup.boot_s
        self.ready_at = self.ready_at[: plan.on] + [booted] * (plan.on - len(self.ready_at))
        self._record(sum(waiting.values()), plan, measured)

    def _record(self, waiting: int, plan: Plan, measured: Counter[int]) -> None:
        scheduled = Counter(dict(enumerate(plan.scheduled)))
        of_workers = [[cpu[worker] for worker in range(self.setup.workers)] for cpu in (scheduled, measured)]
        self.out.seconds.append(
            Second(self.now, waiting, len(self.engines), len(self.ready_at), plan.wanted, *of_workers)
        )

    def _obey(self, orders: Sequence[Order]) -> None:
        for order in orders:
            message, engine = order.message or "", self.engines.get(order.engine or "")
            if order.what in ("push", "hand") and engine:
                engine.message, engine.left = message, self.jobs[message].cpu * self.jobs[message].busy_s
            elif order.what == "store":
                self._obey(self.master.stored(message))
            elif order.what == "forget":
                self.out.finished[message] = self.now
            elif order.what == "wait":
                self.coming.append(message)
                return
            elif order.what == "leave" and engine:
                self.ended.append(engine.name)
                del self.engines[engine.name]


def _by_worker(counts: Counter[tuple[int, str]]) -> list[tuple[int, int]]:
    workers = sorted({worker for worker, _ in counts})
    return [(counts[worker, "engines"], counts[worker, "cpu"]) for worker in workers]
