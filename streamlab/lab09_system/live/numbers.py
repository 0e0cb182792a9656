"""What a page or a post mortem shows of a live system: one dict of numbers at each look, one look a second."""

import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from streamlab.lab09_system import store
from streamlab.lab09_system.city import PARTITIONS
from streamlab.lab09_system.live.settings import notes_of
from streamlab.lab09_system.live.system import LiveSystem
from streamlab.lab09_system.words import LogError, Sample

PLACES = [(topic, number) for topic, count in PARTITIONS.items() for number in range(count) if topic != "fences"]


class Numbers:
    """Looks at a system from outside: its connector, checkpoint, notes, committed rows, and a probe of its services."""

    def __init__(self, system: LiveSystem) -> None:
        self._system, self._began = system, time.monotonic()
        self._before, self._counts, self._undecided = Counter[Any](), Counter[str](), 0

    def look(self) -> dict[str, Any]:
        """Return the fields of `Sample`, those that count since the last look, and more:

        places (of offered and lag), offered_all, done_all, alerts (rows of each kind, so far), undecided, hit_rate,
        breakers, leader, down (the services that do not answer), shards.
        """
        system, lag = self._system, self._system.lag()
        store_ms, has_store = store.probe(system.settings.redis)
        has_log = bool(system.services["kafka"].answers())
        if has_log:
            with suppress(LogError):  # it died just now
                self._counts, self._undecided = system.committed.counts(), len(system.committed.undecided())
        counts = self._counts
        new = self._new({("offered", *place): system.connector.offered[place] for place in PLACES})
        since = self._new({name: counts[name] for name in ("unreadable", "ahead")})
        since |= self._new({"retries": len(notes_of(system.folder, "retries"))})
        started, leads = system.events("start"), system.events("leads")
        down = [] if has_store else ["redis"]
        down += [] if has_log else ["kafka"]
        return {
            "at_s": int(time.monotonic() - self._began),
            "places": [f"{topic}-{number}" for topic, number in PLACES],
            "offered": [new["offered", *place] for place in PLACES],
            "lag": [
                system.connector.offered[place] - system.connector.sent[place] + lag.get(place, 0) for place in PLACES
            ],
            "log_errors": int(not has_log),
            "store_errors": int(not has_store),
            "store_ms": store_ms,
            "epoch": started[-1]["epoch"] if started else 0,
            "term": leads[-1]["term"] if leads else 0,
            "retries": since["retries"],
            "unreadable": since["unreadable"],
            "ahead": since["ahead"],
            "offered_all": sum(system.connector.offered.values()),
            "done_all": sum(system.connector.sent.values()) - sum(lag.values()),
            "alerts": dict(counts),
            "undecided": self._undecided,
            "leader": leads[-1]["leader"] if leads else None,
            "down": down,
            "shards": system.settings.shards,
            **self._workers(),
        }

    def _new(self, counts: dict[Any, int]) -> Counter[Any]:
        """Return by how much each count has grown since the last look."""
        grown = Counter({name: count - self._before[name] for name, count in counts.items()})
        self._before |= Counter(counts)
        return grown

    def _workers(self) -> dict[str, Any]:
        """Return the hit rate of all caches, and the states of all breakers."""
        noted = []
        for path in (self._system.folder / "workers").glob("*.json"):
            noted.append(json.loads(path.read_text("utf-8")))
        hits, misses = (sum(each[name] for each in noted) for name in ("hits", "misses"))
        rate = hits / (hits + misses) if hits + misses else None
        return {"hit_rate": rate, "breakers": [each["breaker"] for each in noted]}


@contextmanager
def watched(system: LiveSystem, every_s: float = 1.0) -> Iterator[list[dict[str, Any]]]:
    """Yield a list that gets a look at the system every second while the block runs.

    Example: with watched(system) as looks: run_day(system)
    """
    numbers, looks, over = Numbers(system), list[dict[str, Any]](), threading.Event()

    def watch() -> None:
        while not over.wait(every_s):
            looks.append(numbers.look())

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield looks
    finally:
        over.set()
        thread.join()


def sample_of(look: dict[str, Any]) -> Sample:
    """Return what `post_mortem` needs of a look."""
    fields = {name: look[name] for name in Sample._fields}
    return Sample(**{**fields, "offered": tuple(look["offered"]), "lag": tuple(look["lag"])})
