"""What a page shows of a live system: one look at it each second."""

import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from streamlab.lab09_system import store
from streamlab.lab09_system.city import PARTITIONS
from streamlab.lab09_system.live.progress import offsets_done
from streamlab.lab09_system.live.settings import notes_of
from streamlab.lab09_system.live.system import LiveSystem
from streamlab.lab09_system.live.workers import Worker, workers_of
from streamlab.lab09_system.words import LogError, Sample

PLACES = [(topic, number) for topic, count in PARTITIONS.items() for number in range(count) if topic != "fences"]
Place = tuple[str, int]


class Look(NamedTuple):
    """The system in one second. Counts are those since the start, except in `sample`."""

    sample: Sample
    offered: dict[Place, int]  # records that the sources sent
    in_log: dict[Place, int]  # of these, those in the log
    done: dict[Place, int]  # of these, those that complete batches have read
    rows: Counter[str]  # committed rows of each kind, and dead letters of each reason
    undecided: int
    workers: dict[str, Worker]
    has_store: bool
    has_log: bool


class Numbers:
    """Looks at a system from outside: its log, checkpoint, notes, committed rows, and a probe of its store.

    offered: how many records of each (topic, partition) its sources have offered; they change it
    """

    def __init__(self, system: LiveSystem, offered: Mapping[Place, int]) -> None:
        self._system, self._offered, self._began_s = system, offered, time.monotonic()
        self._before, self._rows, self._undecided = Counter[Any](), Counter[str](), 0
        self._in_log: dict[Place, int] = dict.fromkeys(PLACES, 0)

    def look(self) -> Look:
        """Look at everything; what the log does not tell is as it was before."""
        done = self._done()  # before the ends of the log, and these before what is offered: all three only grow
        has_log = self._look_into_the_log()
        store_ms, answer = store.probe(self._system.settings.redis)
        offered = {place: self._offered[place] for place in PLACES}
        sample = Sample(
            at_s=int(time.monotonic() - self._began_s),
            lag=tuple(offered[place] - done[place] for place in PLACES),
            log_errors=int(not has_log),
            store_errors=int(answer is store.Answer.FAILS),
            store_ms=store_ms,
            epoch=self._newest("start", "epoch"),
            term=self._newest("leads", "term"),
            **self._new(offered),
        )
        return Look(
            sample, offered, self._in_log, done, self._rows, self._undecided, workers_of(self._system.folder),
            answer is store.Answer.ANSWERS, has_log,
        )  # fmt: skip

    def _done(self) -> dict[Place, int]:
        done = offsets_done(self._system.folder / "checkpoint")
        return {place: done.get(place, 0) for place in PLACES}

    def _look_into_the_log(self) -> bool:
        """Read what is new; return whether the log answered."""
        system = self._system
        if system.services["kafka"].state() != "running":
            return False
        with suppress(LogError):  # it died just now
            self._in_log = system.committed.ends(PLACES)
            self._rows, self._undecided = system.committed.counts(), len(system.committed.undecided())
        return True

    def _newest(self, event: str, number: str) -> int:
        events = self._system.events(event)
        return int(events[-1][number]) if events else 0

    def _new(self, offered: Mapping[Place, int]) -> dict[str, Any]:
        """Return by how much each count of a sample has grown since the last look."""
        counts: dict[Any, int] = {name: self._rows[name] for name in ("unreadable", "ahead")}
        counts["retries"] = len(notes_of(self._system.folder, "retries"))
        grown = {name: count - self._before[name] for name, count in counts.items()}
        new_offered = tuple(count - self._before[place] for place, count in offered.items())
        self._before = Counter({**counts, **offered})
        return {**grown, "offered": new_offered}
