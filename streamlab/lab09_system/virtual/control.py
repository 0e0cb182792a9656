"""Who leads and runs the job, and which instances run where: the learner's Supervisor, Autoscaler and heal at work."""

from collections.abc import Callable
from typing import Any

from streamlab.lab05_placement.numa.topology import Topology
from streamlab.lab09_system import Packed, RestartRules, ScaleRules
from streamlab.lab09_system.virtual.sources import PARTITIONS

RULES = ScaleRules(busy_percent=70, drain_s=30, quiet_ticks=60, least=2, most=PARTITIONS, size=250)
RESTARTS = RestartRules(lease_ms=3_000, first_ms=1_000, most_ms=8_000, stable_ms=30_000, tries=5)
PER_INSTANCE_PER_S = 250
BOOT_WORKER_S, BOOT_INSTANCE_S, BOOT_JOB_S = 8, 2, 6
SESSION_S, MACHINE_DOWN_S = 4, 60
MACHINES = {f"m{number}": number for number in range(3)}
NEAR = Topology({node: [node] for node in range(3)}, {a: {b: 10 + 11 * (a != b) for b in range(3)} for a in range(3)})


class Leader:
    """The leader and its job. The next leader has the next term; it begins with a Supervisor that knows nothing."""

    def __init__(self, new_supervisor: Callable[..., Any]) -> None:
        self._new_supervisor, self.term, self._start, self._back_s = new_supervisor, 1, 0, 0
        self._supervisor, self._up_s = new_supervisor(("job",), RESTARTS), None

    _up_s: int | None

    @property
    def epoch(self) -> int:
        """Term × 1000 + start of the job."""
        return 1000 * self.term + self._start

    def leads(self) -> bool:
        """Return whether there is a leader."""
        return not self._back_s

    def job_runs(self, now_s: int) -> bool:
        """Return whether the job has started completely."""
        return self._up_s is not None and now_s >= self._up_s

    def kill_job(self, now_s: int) -> None:
        """End the job; the Supervisor is told."""
        if self._up_s is not None:
            self._supervisor.ended("job", self._start, 1000 * now_s)
        self._up_s = None

    def kill(self, now_s: int) -> None:
        """End the leader, and the job with it; the next one leads when the session has timed out."""
        self._back_s, self._up_s = now_s + SESSION_S, None

    def step(self, now_s: int) -> None:
        """Elect a leader if the session is over, and carry out what the Supervisor orders."""
        if self._back_s:
            if now_s < self._back_s:
                return
            self._back_s, self.term = 0, self.term + 1
            self._supervisor = self._new_supervisor(("job",), RESTARTS)
        if self._up_s is not None:
            self._supervisor.beat("job", self._start, 1000 * now_s)
        for what, _, start in self._supervisor.tick(1000 * now_s):
            if what == "start":
                self._up_s, self._start = now_s + BOOT_JOB_S, start
            elif what == "kill":
                self._up_s = None


class Workers:
    """The instances that the Autoscaler wants, and since when they run. `machines`: worker -> machine, by `heal`."""

    def __init__(self, scaler: Any, heal: Callable[..., dict[str, str]]) -> None:
        self._scaler, self._heal, self.packed = scaler, heal, Packed({}, 0)
        self.machines: dict[str, str] = {}
        self._worker_up_s: dict[int, int] = {}
        self._up_s: dict[str, int] = {}
        self._gone: tuple[str, ...] = ()
        self._killed = set[str]()
        self._down_until_s: dict[str, int] = {}

    def kill_first(self, now_s: int) -> int:
        """Kill the first worker that has instances, and its machine; return how many instances are gone."""
        first = min(self.packed.instances.values(), default=-1)
        self._gone = tuple(name for name, worker in self.packed.instances.items() if worker == first)
        self._killed |= set(self._gone)
        self._worker_up_s.pop(first, None)
        if f"w{first}" in self.machines:
            self._down_until_s[self.machines[f"w{first}"]] = now_s + MACHINE_DOWN_S
        return len(self._gone)

    def step(self, now_s: int, offered: int, lag: int) -> None:
        """Ask the Autoscaler, place its workers on machines, and start what is new."""
        self.packed = Packed(*self._scaler.tick(offered, PER_INSTANCE_PER_S, lag, self._gone))
        self._gone = ()
        nodes = {f"w{worker}": worker % len(MACHINES) for worker in range(self.packed.workers)}
        living = {name: node for name, node in MACHINES.items() if self._down_until_s.get(name, 0) <= now_s}
        self.machines = self._heal(nodes, self.machines, living, {}, NEAR)
        self._start(now_s)

    def ready(self, now_s: int) -> list[str]:
        """Return the instances that run, in the order of their numbers."""
        up = [name for name, up_s in self._up_s.items() if up_s <= now_s and name not in self._killed]
        return sorted(up, key=lambda name: (len(name), name))

    def _start(self, now_s: int) -> None:
        names, is_late = self.packed.instances, now_s > 0  # all that is wanted at first runs at once
        self._up_s = {name: up_s for name, up_s in self._up_s.items() if name in names}
        self._worker_up_s = {each: up_s for each, up_s in self._worker_up_s.items() if each < self.packed.workers}
        for name, worker in names.items():
            boot_s = self._worker_up_s.setdefault(worker, now_s + BOOT_WORKER_S * is_late)
            self._up_s.setdefault(name, max(boot_s, now_s + BOOT_INSTANCE_S * is_late))
