"""The system in virtual seconds as a source of the page's messages."""

from collections import deque
from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from streamlab.lab09_system.page.levels import Levels
from streamlab.lab09_system.page.message import FAULTS, Found, FreshAlert, Message, recent, thinned
from streamlab.lab09_system.parts import VIRTUAL_TASKS
from streamlab.lab09_system.virtual import System
from streamlab.lab09_system.words import Incident

PACE_S = 0.25
INCIDENTS_S, KEPT_S, EDGE_S = 600, 900, 10
BOX_OF = {"broker": "log"}  # what a fault stops -> its box, where the names differ

REMARK = "The policies decide; sources, log, job, and store are simulated."

Alert = tuple[int, int, int]


class VirtualSource:
    """Runs `streamlab.lab09_system.virtual.System` with the tasks that `parts` has as attributes."""

    kind, tasks = "virtual", VIRTUAL_TASKS

    def __init__(self, parts: Any, seed: str = "page", pace_s: float = PACE_S) -> None:
        self.system, self.pace_s, self._parts = System(parts, seed), pace_s, parts
        self.remark = f"Virtual: {1 / pace_s:g} seconds pass in each second. {REMARK}"
        self._levels, self._alerts = Levels(parts.service_levels), 0
        self._delivered: deque[Alert] = deque()
        self._incidents: dict[tuple[str, int], Incident] = {}

    def step(self) -> Message:
        """Run one virtual second."""
        numbers, system = self.system.step(), self.system
        self._alerts += len(system.seen)
        fresh = self._absorb()
        sample = system.samples[-1]
        ready = set(system.workers.ready(sample.at_s))
        return {
            "at_s": sample.at_s,
            "offered": numbers["offered"],
            "admitted": numbers["admitted"],
            "done": numbers["done"],
            "waiting": numbers["queue"],
            "lags": list(sample.lag),
            "epoch": numbers["epoch"],
            "term": numbers["term"],
            "instances": dict(system.packed.instances),
            "starting": [name for name in system.packed.instances if name not in ready],
            "workers": numbers["workers"],
            "down": sorted(BOX_OF.get(name, name) for name in system.down),
            "breakers": _count(guard.state for guard in system.guards.values()),
            "calls": numbers["calls"],
            "errors": numbers["errors"],
            "hit_rate": None if numbers["hit_rate"] is None else round(numbers["hit_rate"], 3),
            **self._levels.fields(1000 * system.now_s),
            "alerts": self._alerts,
            "undecided": numbers["undecided"],
            "dead": {reason: count for reason, count in system.dead.items() if count},
            "fresh": fresh,
            "incidents": self._found(),
        }

    def inject(self, fault: str) -> str:
        """Begin a fault now."""
        self.system.inject(fault)
        return f"{FAULTS[fault]}: injected at second {self.system.now_s}"

    def end(self) -> None:
        """Do nothing: a virtual system starts nothing."""

    def _absorb(self) -> list[FreshAlert]:
        """Take over what is new in the system, and forget there what is old, so that it can run for hours."""
        system, now_s = self.system, self.system.now_s
        newest = takewhile(lambda each: each[1] >= 1000 * (now_s - 1), reversed(system.expected.items()))
        new, system.seen[:] = list(system.seen), []
        self._levels.add(dict(newest), new, 1000 * now_s)
        fresh = [FreshAlert(group=alert[1], late_ms=at_ms - 1000 * alert[0]) for alert, at_ms in new]
        self._delivered.extend(alert for alert, _ in new)
        while self._delivered and self._delivered[0][0] < now_s - KEPT_S:
            system.expected.pop(self._delivered.popleft(), None)
        del system.samples[:-KEPT_S]
        return thinned(fresh)

    def _found(self) -> list[Found]:
        """Return the last incidents; those that begin at the edge of the window are known from before."""
        window = self.system.samples[-INCIDENTS_S:]
        for found in self._parts.post_mortem(window):
            each = Incident(*found)
            if each.from_s > window[0].at_s + EDGE_S or window[0].at_s == 0:
                self._incidents[each.kind, each.from_s] = each
        return recent(self._incidents.values())


def _count(states: Iterator[str]) -> dict[str, int]:
    counts = {"closed": 0, "open": 0, "half-open": 0}
    for state in states:
        counts[state] = counts.get(state, 0) + 1
    return counts
