"""The complete system in virtual seconds, run by the learner's policies."""

from collections import Counter
from random import Random
from typing import Any

from streamlab.lab09_system import Alert, Sample, ScaleRules
from streamlab.lab09_system.virtual.control import PER_INSTANCE_PER_S, RULES, Leader, Workers
from streamlab.lab09_system.virtual.faults import Faults
from streamlab.lab09_system.virtual.sources import LOG_ROOM, PARTITIONS, Log, Sources, admit, blocked_ms, in_proportion
from streamlab.lab09_system.virtual.store import CACHE_ROWS, CACHE_TTL_S, CALLS_PER_S, TIME_OUT_S, Limits, VirtualStore

POLICIES = ("admit", "Supervisor", "Autoscaler", "GuardedStore", "repair", "service_levels", "post_mortem")
EARLIER = ("LruCache", "heal", "deliver")  # of Labs 6, 5 and 1
REPAIRED_PER_S = 400


class System:
    """The system. `parts` has POLICIES and EARLIER as attributes; `service_levels` and `post_mortem` are not used here.

    Without `admit`, records are admitted in proportion to what waits.

    samples: a Sample for each second. expected: {alert: ms of its event}; seen: [(alert, ms)]; an alert is (second of
    its event, partition, number). undecided: rows that wait for `repair`. guards: {instance: its GuardedStore}.
    packed: the Autoscaler's last answer; machines: {worker: machine}. worker_s: the sum of workers over all seconds.
    cache_rows: of each instance's LruCache; with 0, payments need no limits, so there are neither caches nor a store.
    """

    def __init__(self, parts: Any, seed: str = "day", rules: ScaleRules = RULES, cache_rows: int = CACHE_ROWS) -> None:
        self._admit = getattr(parts, "admit", in_proportion)
        self._parts, self._rng, self._cache_rows = parts, Random(f"{seed}/accounts"), cache_rows
        self.now_s, self.fraction_s, self.worker_s, self._retries = 0, 0.0, 0, 0
        self.faults, self.sources, self.log = Faults(), Sources(seed), Log()
        self.store = VirtualStore(lambda: self._is_on("store-stopped") or self._is_on("store-killed"))
        self.leader, self.workers = Leader(parts.Supervisor), Workers(parts.Autoscaler(rules), parts.heal)
        self.limits: dict[str, Limits] = {}
        self.seen: list[tuple[tuple[int, int, int], int]] = []
        self.undecided: list[Alert] = []
        self.samples: list[Sample] = []
        self.dead = Counter[str]()

    @property
    def expected(self) -> dict[tuple[int, int, int], int]:
        """All alerts so far, with the ms of their events."""
        return self.sources.expected

    @property
    def packed(self) -> Any:
        """What the Autoscaler wants: the worker of each instance, and the number of workers."""
        return self.workers.packed

    @property
    def machines(self) -> dict[str, str]:
        """The machine of each worker ("w0", …), by `heal`."""
        return self.workers.machines

    @property
    def guards(self) -> dict[str, Any]:
        """The GuardedStore of each instance."""
        return {name: each.guard for name, each in self.limits.items()}

    @property
    def down(self) -> set[str]:
        """Which of "leader", "job", "store" and "broker" are down."""
        states = {
            "leader": self.leader.leads(),
            "job": self.leader.job_runs(self.now_s),
            "store": not (self._is_on("store-stopped") or self._is_on("store-killed")),
            "broker": not self._is_on("broker"),
        }
        return {name for name, is_up in states.items() if not is_up}

    def inject(self, fault: str) -> None:
        """Begin a fault of `faults.FAULTS` now. Raises ValueError for an unknown name."""
        self.faults.inject(fault, self.now_s)
        if fault == "job":
            self.leader.kill_job(self.now_s)
        elif fault == "leader":
            self.leader.kill(self.now_s)
        elif fault == "python-worker":
            self._retries += self.workers.kill_first(self.now_s)

    def step(self) -> dict[str, Any]:
        """Run one second, and return its numbers.

        at_s; records of this second: offered, admitted, done; records that wait: queue {topic: n} before the log, lag
        in the log; blocked_ms: how long sources waited for the connector's buffer; instances, workers; the store's
        calls and errors; hits and asked: accounts of the caches, hit_rate: their ratio, None if none was asked;
        undecided: rows that wait; dead: dead letters so far; epoch, term.
        """
        offered, room = self._offer(), 0 if self._is_on("broker") else LOG_ROOM
        flow = {"at_s": self.now_s, "offered": sum(offered)}
        flow["admitted"] = admit(self._admit, self.sources, self.log, room)
        flow["blocked_ms"] = blocked_ms(self._parts.deliver, sum(offered), room)
        self.leader.step(self.now_s)
        self.workers.step(self.now_s, sum(offered), sum(self.log.lags()))
        self._equip()
        before = self._counts()
        flow["done"] = self._work()
        self._repair()
        counts = {name: count - before[name] for name, count in self._counts().items()}
        self._sample(offered, counts["errors"])
        self.now_s += 1
        return (
            flow | counts | self._state() | {"hit_rate": counts["hits"] / counts["asked"] if counts["asked"] else None}
        )

    def _state(self) -> dict[str, Any]:
        """Return the numbers that are not of one second."""
        return {
            "queue": self.sources.queued(),
            "lag": sum(self.log.lags()),
            "instances": len(self.packed.instances),
            "workers": self.packed.workers,
            "undecided": len(self.undecided),
            "dead": self.dead.total(),
            "epoch": self.leader.epoch,
            "term": self.leader.term,
        }

    def _is_on(self, fault: str) -> bool:
        return self.faults.is_on(fault, self.now_s)

    def _offer(self) -> list[int]:
        return self.sources.offer(self.now_s, self._is_on("burst"), self._is_on("hot-key"))

    def _equip(self) -> None:
        """Give each new instance a cache and a guarded store; drop those of stopped ones."""
        parts, names = self._parts, self.packed.instances
        self.limits = {name: each for name, each in self.limits.items() if name in names}
        for name in names if self._cache_rows else ():
            if name not in self.limits:
                guard = parts.GuardedStore(self.store, 3, 5.0, self._clock)
                self.limits[name] = Limits(guard, parts.LruCache(self._cache_rows, CACHE_TTL_S, self._clock), self._rng)

    def _clock(self) -> float:
        return self.now_s + self.fraction_s

    def _counts(self) -> dict[str, int]:
        limits = self.limits.values()
        found = {"asked": sum(each.asked for each in limits), "hits": sum(each.hits for each in limits)}
        return {"calls": self.store.calls, "errors": self.store.errors} | found

    def _work(self) -> int:
        """Let each instance that runs process its partitions; return how many records."""
        ready = self.workers.ready(self.now_s) if self.leader.job_runs(self.now_s) else []
        return sum(self._work_of(name, list(range(at, PARTITIONS, len(ready)))) for at, name in enumerate(ready))

    def _work_of(self, name: str, partitions: list[int]) -> int:
        if not partitions:
            return 0
        errors, answers = self.store.errors, self._ask(name, partitions)
        lost_s = TIME_OUT_S * (self.store.errors - errors)
        power, lags = max(0, int(PER_INSTANCE_PER_S * (1 - lost_s))), self.log.lags()
        waiting = {str(partition): lags[partition] for partition in partitions}
        granted = self._admit(waiting, dict.fromkeys(waiting, 0), power, 0)
        for partition, count in granted.items():
            for second in self.log.process(int(partition), count):
                self._alert(second, int(partition), answers)
        return sum(granted.values())

    def _ask(self, name: str, partitions: list[int]) -> list[bool]:
        """Ask for the limits of this second's accounts; return which of them have an answer."""
        answers = list[bool]()
        for call in range(CALLS_PER_S if self._cache_rows else 0):
            self.fraction_s = call / CALLS_PER_S
            answers += self.limits[name].ask(partitions)
        self.fraction_s = 0.0
        return answers or [True]

    def _alert(self, second: int, partition: int, answers: list[bool]) -> None:
        """Emit the alerts of a second's payments; without the limit of its account, an alert waits undecided."""
        number = 0
        while (second, partition, number) in self.expected:
            if self._rng.choice(answers):
                self.seen.append(((second, partition, number), 1000 * self.now_s + 500))
            else:
                self.undecided.append(Alert("UNDECIDED", str(partition), f"{second}/{number}", second, 500))
            number += 1

    def _repair(self) -> None:
        if not self.undecided or not self.limits:
            return
        guard = next(iter(self.limits.values())).guard
        decided = self._parts.repair(self.undecided, guard, REPAIRED_PER_S)
        for row in decided:
            second, number = map(int, row.subject.split("/"))
            self.seen.append(((second, int(row.account), number), 1000 * self.now_s + 900))
        known = {(row.account, row.subject) for row in decided}
        self.undecided = [row for row in self.undecided if (row.account, row.subject) not in known]

    def _sample(self, offered: list[int], errors: int) -> None:
        """Note what the system measured in this second."""
        is_killed = self._is_on("store-killed")
        store_ms = round(1000 * TIME_OUT_S) if errors and not is_killed else 2
        unreadable, ahead = 3 * self._is_on("poison"), 4 * self._is_on("clock-ahead")
        log_errors, store_errors = 5 * self._is_on("broker"), errors * is_killed
        load = self.now_s, tuple(offered), tuple(self.log.lags())
        store = log_errors, store_errors, store_ms
        self.samples.append(
            Sample(*load, *store, self.leader.epoch, self.leader.term, self._retries, unreadable, ahead)
        )
        self.dead.update(unreadable=unreadable, ahead=ahead)
        self.worker_s += self.packed.workers
        self._retries = 0
