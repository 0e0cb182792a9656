"""The system of real processes as a source of the page's messages."""

import json
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from shutil import disk_usage
from typing import Any
from zlib import crc32

import psutil

from streamlab.lab09_system.city import START_MS, City
from streamlab.lab09_system.live.day import DATA_FAULTS
from streamlab.lab09_system.live.numbers import PLACES, Numbers, sample_of
from streamlab.lab09_system.live.sources import Sources
from streamlab.lab09_system.live.system import LiveSystem, NotReached
from streamlab.lab09_system.page.message import FAULTS, FreshAlert, Message, recent
from streamlab.lab09_system.parts import LIVE_TASKS
from streamlab.lab09_system.words import LogError, Objective, Report, Sample
from streamlab.services.process import ServiceError

OBJECTIVE = Objective(99.0, 30_000, windows=((300, 30, 14.4), (300, 120, 6.0)))
LASTS_S, REPAIR_EVERY_S, BUDGET_S, LATENCY_S, KEPT_S, FRESH_MOST, GROUPS = 8, 5, 300, 60, 600, 12, 12
REMARK = "Live: real services, two leaders, and a Spark job. Latencies are those of the alerts that came."
CACHED_S = 10.0  # longer than a micro-batch takes, so that the cache has hits to show
ROOM_BYTES = 1 << 20
BOX_OF = {"redis": "store", "kafka": "log"}


class LiveSource:
    """Starts a `LiveSystem` with the tasks that `parts` has as attributes. `say` gets lines about its faults."""

    kind, remark, pace_s, tasks = "live", REMARK, 1.0, LIVE_TASKS

    def __init__(self, parts: Any, say: Callable[[str], None]) -> None:
        self._parts, self._say, self._stop = parts, say, threading.Event()
        self.system = LiveSystem(vars(parts), City("page"), ttl_s=CACHED_S).__enter__()
        self._sources, self._numbers = Sources(self.system), Numbers(self.system)
        self._began_ms = 1000 * time.time()
        self._samples, self._before = list[Sample](), Counter[str]()
        self._due, self._seen, self._rows = dict[tuple[Any, ...], float](), list[tuple[tuple[Any, ...], float]](), 0
        self._fault: threading.Thread | None = None
        threading.Thread(target=self._send, daemon=True).start()

    def step(self) -> Message:
        """Look at the system. Raises ServiceError if the disk is full: no service recovers from that."""
        if disk_usage(self.system.folder).free < ROOM_BYTES:
            raise ServiceError(f"no space left in {self.system.folder.parent}; delete something, or set TMPDIR")
        look = self._numbers.look()
        down = self._down(look)
        if look["undecided"] and look["at_s"] % REPAIR_EVERY_S == 0 and not down and not self._has_fault():
            with suppress(LogError):  # the log died just now
                self.system.repair()
        if look["epoch"]:  # before that, the first start would look like another one
            self._samples = [*self._samples[-KEPT_S:], sample_of(look)]
        waiting, counts = self._waiting(), Counter(look["alerts"])
        totals = {"offered": look["offered_all"], "done": look["done_all"], "admitted": self._sent()}
        fresh = self._absorb() if "log" not in down else []
        pids, cache = self._workers()
        new = self._new(totals | cache)
        minute, budget = self._levels(LATENCY_S), self._levels(BUDGET_S)
        asked = new["hits"] + new["misses"]
        return {
            "at_s": look["at_s"],
            "offered": new["offered"],
            "admitted": new["admitted"],
            "done": max(0, new["done"]),
            "waiting": {topic: sum(n for place, n in waiting.items() if place[0] == topic) for topic, _ in PLACES},
            "lags": [lag - waiting[place] for lag, place in zip(look["lag"], PLACES, strict=True)],
            "epoch": look["epoch"],
            "term": look["term"],
            "instances": {f"python-{pid}": 0 for pid in pids},
            "starting": [],
            "workers": int(bool(pids)),
            "down": down,
            "breakers": dict(Counter(pids.values())),
            "calls": new["misses"],
            "errors": look["store_errors"],
            "hit_rate": round(new["hits"] / asked, 3) if asked else None,
            "p50_ms": round(minute.p50_ms) if minute else None,
            "p99_ms": round(minute.p99_ms) if minute else None,
            "budget_left": round(budget.budget_left, 3) if budget else None,
            "pages": list(budget.pages) if budget else [],
            "alerts": counts["AWAY"] + counts["SPENT"],
            "undecided": look["undecided"],
            "dead": {reason: counts[reason] for reason in ("unreadable", "ahead", "defect") if counts[reason]},
            "fresh": fresh,
            "incidents": recent(self._parts.post_mortem(self._samples)),
        }

    def inject(self, fault: str) -> str:
        """Begin a fault. One of processes lasts until the system has felt it, and is the only one meanwhile."""
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

    def _send(self) -> None:
        next_s = time.monotonic()
        while not self._stop.is_set():
            try:
                self._sources.send_second()
            except Exception as problem:
                if not self._stop.is_set():
                    self._say(f"the sources have ended: {problem}")
                return
            next_s += 1
            self._stop.wait(max(0.0, next_s - time.monotonic()))

    def _injected(self, fault: str) -> None:
        try:
            self.system.inject(fault, lambda: self._stop.wait(LASTS_S))
            self._say(f"{FAULTS[fault]}: has ended")
        except (NotReached, OSError, RuntimeError) as problem:
            if not self._stop.is_set():
                self._say(f"{FAULTS[fault]}: {problem}")

    def _has_fault(self) -> bool:
        return self._fault is not None and self._fault.is_alive()

    def _down(self, look: dict[str, Any]) -> list[str]:
        """Return the boxes that do not work: what does not answer, the job until it is ready, a leader's place."""
        down = {BOX_OF[name] for name in look["down"]}
        ready = {each["epoch"] for each in self.system.events("ready")}
        over = {each["epoch"] for what in ("ended", "failed") for each in self.system.events(what) if "epoch" in each}
        leads = self.system.events("leads")
        if not leads or not self._is_alive(leads[-1]["leader"]):
            down |= {"leader", "job"}
        if look["epoch"] not in ready - over:
            down.add("job")
        return sorted(down)

    def _is_alive(self, leader: str) -> bool:
        process = self.system._leaders.get(leader)
        return process is not None and process.poll() is None

    def _waiting(self) -> Counter[tuple[str, int]]:
        connector = self.system.connector
        return Counter({place: connector.offered[place] - connector.sent[place] for place in PLACES})

    def _sent(self) -> int:
        return sum(self.system.connector.sent.values())

    def _new(self, totals: dict[str, int]) -> dict[str, int]:
        """Return by how much each total has grown since the last second."""
        grown = {name: total - self._before[name] for name, total in totals.items()}
        self._before = Counter(totals)
        return grown

    def _workers(self) -> tuple[dict[int, str], dict[str, int]]:
        """Return the state of the breaker of each living worker of Spark, and what all caches have counted."""
        pids, cache = dict[int, str](), {"hits": 0, "misses": 0}
        for path in (self.system.folder / "workers").glob("*.json"):
            with suppress(OSError, ValueError):
                noted = json.loads(path.read_text("utf-8"))
                cache = {name: cache[name] + noted[name] for name in cache}
                if psutil.pid_exists(int(path.stem)):
                    pids[int(path.stem)] = noted["breaker"]
        return pids, cache

    def _absorb(self) -> list[FreshAlert]:
        """Take over the alerts that are new in the log."""
        rows, now_ms = list[Any](), 1000 * time.time()
        with suppress(LogError):  # it died just now
            rows = self.system.committed.rows()
        new = [tuple(row) for row in rows[self._rows :] if row[0] in ("AWAY", "SPENT")]
        self._rows, fresh = max(self._rows, len(rows)), list[FreshAlert]()
        for alert in new:
            self._due[alert] = self._began_ms + alert[3] - START_MS
            self._seen.append((alert, now_ms))
            group = crc32(alert[1].encode()) % GROUPS
            fresh.append({"group": group, "late_ms": round(now_ms - self._due[alert])})
        since_ms = now_ms - 1000 * BUDGET_S
        self._due = {alert: at_ms for alert, at_ms in self._due.items() if at_ms >= since_ms}
        self._seen = [each for each in self._seen if each[0] in self._due]
        return fresh[:: -(-len(fresh) // FRESH_MOST) or 1]

    def _levels(self, last_s: int) -> Report | None:
        now_ms = 1000 * time.time()
        due = {alert: at_ms for alert, at_ms in self._due.items() if at_ms >= now_ms - 1000 * last_s}
        seen = [each for each in self._seen if each[0] in due]
        return Report(*self._parts.service_levels(due, seen, now_ms, OBJECTIVE)) if due else None
