"""The system of real processes as a source of the page's messages."""

import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from shutil import disk_usage
from typing import Any
from zlib import crc32

from streamlab.lab09_system.city import START_MS, City
from streamlab.lab09_system.live.day import DATA_FAULTS
from streamlab.lab09_system.live.faults import why_not
from streamlab.lab09_system.live.numbers import PLACES, Look, Numbers
from streamlab.lab09_system.live.sources import Sources
from streamlab.lab09_system.live.system import LiveSystem, NotReached, services_of_the_cluster
from streamlab.lab09_system.page.levels import Levels
from streamlab.lab09_system.page.message import FAULTS, FreshAlert, Message, recent, thinned
from streamlab.lab09_system.parts import LIVE_TASKS
from streamlab.lab09_system.words import LogError, Sample
from streamlab.services.process import ServiceError

LASTS_S, REPAIR_EVERY_S, HIT_RATE_S, KEPT_S, GROUPS = 8, 5, 10, 600, 12
REMARK = "Live: real services, two leaders, and a Spark job. Latencies are those of the alerts that came."
CACHED_S = 10.0  # longer than a micro-batch takes, so that the cache has hits to show
ROOM_BYTES = 1 << 20
DEAD = ("unreadable", "ahead", "defect")


class LiveSource:
    """Starts a `LiveSystem` with the tasks that `parts` has as attributes. `say` gets lines about its faults."""

    kind, remark, pace_s, tasks = "live", REMARK, 1.0, LIVE_TASKS

    def __init__(self, parts: Any, say: Callable[[str], None]) -> None:
        self._parts, self._say, self._stop = parts, say, threading.Event()
        self.system = LiveSystem(vars(parts), City("page"), services_of_the_cluster(), ttl_s=CACHED_S).__enter__()
        self._sources = Sources(self.system.city)
        self._numbers = Numbers(self.system, self._sources.offered)
        self._began_s, self._began_ms = time.monotonic(), 1000 * time.time()
        self._levels, self._rows = Levels(parts.service_levels), 0
        self._samples, self._before = list[Sample](), Counter[str]()
        self._asked = deque([(0, 0)], maxlen=HIT_RATE_S + 1)  # hits and misses of all caches, each second
        self._fault: threading.Thread | None = None
        for work in (self._offer, self._forward):
            threading.Thread(target=self._until_stopped, args=(work,), daemon=True).start()

    def step(self) -> Message:
        """Look at the system. Raises ServiceError if the disk is full: no service recovers from that."""
        if disk_usage(self.system.folder).free < ROOM_BYTES:
            raise ServiceError(f"no space left in {self.system.folder.parent}; delete something, or set TMPDIR")
        look = self._numbers.look()
        sample, rows = look.sample, look.rows
        down = self._down(look)
        if look.undecided and sample.at_s % REPAIR_EVERY_S == 0 and not down and not self._has_fault():
            with suppress(LogError):  # the log died just now
                self.system.repair()
        if sample.epoch:  # before that, the first start would look like another one
            self._samples = [*self._samples[-KEPT_S:], sample]
        fresh = self._absorb() if look.has_log else []
        new, alive = self._new(look), [(name, each) for name, each in sorted(look.workers.items()) if each.is_alive]
        hosts = sorted({each.host for _, each in alive})
        return {
            "at_s": sample.at_s,
            "offered": new["offered"],
            "admitted": new["admitted"],
            "done": new["done"],
            "waiting": _waiting(look),
            "lags": [look.in_log[place] - look.done[place] for place in PLACES],
            "epoch": sample.epoch,
            "term": sample.term,
            "instances": {name: hosts.index(each.host) for name, each in alive},
            "starting": [],
            "workers": len(hosts),
            "down": down,
            "breakers": dict(Counter(each.breaker for _, each in alive)),
            "calls": new["calls"],
            "errors": new["errors"],
            "hit_rate": self._hit_rate(look),
            **self._levels.fields(1000 * time.time()),
            "alerts": rows["AWAY"] + rows["SPENT"],
            "undecided": look.undecided,
            "dead": {reason: rows[reason] for reason in DEAD if rows[reason]},
            "fresh": fresh,
            "incidents": recent(self._parts.post_mortem(self._samples)),
        }

    def inject(self, fault: str) -> str:
        """Begin a fault. One of processes lasts until the system has felt it, and is the only one meanwhile."""
        if why := why_not(self.system, fault):
            return f"{FAULTS[fault]}: {why}"
        if fault in DATA_FAULTS:
            self._sources.inject(fault, LASTS_S)
        elif self._has_fault():
            return f"{FAULTS[fault]}: not now, another fault of a process goes on"
        else:
            self._fault = threading.Thread(target=self._injected, args=(fault,), daemon=True)
            self._fault.start()
        return f"{FAULTS[fault]}: begins now"

    def end(self) -> None:
        """Stop everything that was started."""
        self._stop.set()
        self.system.end()

    def _until_stopped(self, work: Callable[[], object]) -> None:
        try:
            while not self._stop.is_set():
                work()
        except Exception as problem:
            if not self._stop.is_set():
                self._say(f"the sources have ended: {problem}")

    def _offer(self) -> None:
        self._sources.offer_second()
        self._stop.wait(max(0.0, self._began_s + self._sources.at_s - time.monotonic()))

    def _forward(self) -> None:
        self._sources.send_second(self.system.connector)

    def _injected(self, fault: str) -> None:
        try:
            self.system.inject(fault, lambda: self._stop.wait(LASTS_S))
            self._say(f"{FAULTS[fault]}: has ended")
        except (NotReached, OSError, RuntimeError) as problem:
            if not self._stop.is_set():
                self._say(f"{FAULTS[fault]}: {problem}")

    def _has_fault(self) -> bool:
        return self._fault is not None and self._fault.is_alive()

    def _down(self, look: Look) -> list[str]:
        """Return the boxes that do not work: what does not answer, the job until it is ready, a leader's place."""
        down = {box for box, works in (("store", look.has_store), ("log", look.has_log)) if not works}
        ready = {each["epoch"] for each in self.system.events("ready")}
        over = {each["epoch"] for what in ("ended", "failed") for each in self.system.events(what) if "epoch" in each}
        if not self.system.is_led:
            down |= {"leader", "job"}
        if look.sample.epoch not in ready - over:
            down.add("job")
        return sorted(down)

    def _new(self, look: Look) -> dict[str, int]:
        """Return by how much each total has grown since the last second."""
        totals = {"offered": look.offered, "admitted": look.in_log, "done": look.done}
        counts = Counter({name: sum(each.values()) for name, each in totals.items()})
        for name in ("calls", "errors"):
            counts[name] = sum(getattr(each, name) for each in look.workers.values())
        grown = {name: count - self._before[name] for name, count in counts.items()}
        self._before = counts
        return grown

    def _hit_rate(self, look: Look) -> float | None:
        """Return the hit rate of the last HIT_RATE_S: a second may end before a micro-batch does."""
        workers = look.workers.values()
        self._asked.append((sum(each.hits for each in workers), sum(each.misses for each in workers)))
        hits, misses = (now - before for before, now in zip(self._asked[0], self._asked[-1], strict=True))
        return round(hits / (hits + misses), 3) if hits + misses else None

    def _absorb(self) -> list[FreshAlert]:
        """Take over the alerts that are new in the log."""
        rows, now_ms = list[Any](), 1000 * time.time()
        with suppress(LogError):  # it died just now
            rows = self.system.committed.rows()
        new = [tuple(row) for row in rows[self._rows :] if row[0] in ("AWAY", "SPENT")]
        self._rows = max(self._rows, len(rows))
        due = {alert: self._began_ms + alert[3] - START_MS for alert in new}
        self._levels.add(due, [(alert, now_ms) for alert in new], now_ms)
        groups = [crc32(alert[1].encode()) % GROUPS for alert in new]
        return thinned(
            [{"group": group, "late_ms": round(now_ms - due[alert])} for group, alert in zip(groups, new, strict=True)]
        )


def _waiting(look: Look) -> dict[str, int]:
    """Return how many records of each topic the connector has not written to the log yet."""
    waiting = Counter[str]()
    for topic, number in PLACES:
        waiting[topic] += look.offered[topic, number] - look.in_log[topic, number]
    return dict(waiting)
