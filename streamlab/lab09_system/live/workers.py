"""The Python workers of Spark that run a live system's job: what each one notes, and how one of them is killed."""

import fcntl
import json
import os
import socket
import time
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import psutil

from streamlab.lab09_system.live.settings import HELD_WORKER, HOLD_WORKER
from streamlab.sources.whole_files import write_whole

SPARKS_WORKER = "org.apache.spark.deploy.worker.Worker"


class Worker(NamedTuple):
    """What a worker has counted since its start: keys in the cache, and calls to the store."""

    host: str
    is_alive: bool
    hits: int
    misses: int
    calls: int
    errors: int
    breaker: str


class WorkersStore:
    """The store of one worker, which is noted in `folder` after each call. In a call, the worker can be killed.

    cached: the CachedStore that answers; rows: the CountedRows that it asks
    """

    def __init__(self, cached: Any, rows: Any, folder: Path) -> None:
        self._cached, self._rows, self._folder = cached, rows, folder
        self._note = folder / "workers" / f"{socket.gethostname()}-{os.getpid()}.json"
        self._note.parent.mkdir(exist_ok=True)
        self._lock = open(self._note.with_suffix(".lock"), "w")  # noqa: SIM115 (it is held until this process ends)
        fcntl.flock(self._lock, fcntl.LOCK_SH)

    def get_many(self, keys: Collection[str]) -> dict[str, Any]:
        """Return what the cached store returns."""
        self._wait_while_held()
        answers: dict[str, Any] = self._cached.get_many(keys)
        cache, rows = self._cached.cache, self._rows
        counted = {"hits": cache.hits, "misses": cache.misses, "calls": rows.calls, "errors": rows.errors}
        noted = {"host": socket.gethostname(), **counted, "breaker": self._cached.guarded.state}
        write_whole(self._note, json.dumps(noted))
        return answers

    def _wait_while_held(self) -> None:
        hold = self._folder / HOLD_WORKER
        if not hold.exists():
            return
        is_chosen = False
        with suppress(FileExistsError):  # another worker is chosen
            open(self._folder / HELD_WORKER, "x").close()
            is_chosen = True
        while hold.exists():
            time.sleep(0.01)
        if is_chosen:
            _machine_or_self().kill()


def workers_of(folder: Path) -> dict[str, Worker]:
    """Return all workers that have called the store, by name: host and process id."""
    found = {}
    for path in (folder / "workers").glob("*.json"):
        found[path.stem] = Worker(is_alive=_is_locked(path.with_suffix(".lock")), **json.loads(path.read_text("utf-8")))
    return found


def _is_locked(path: Path) -> bool:
    with open(path) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def _machine_or_self() -> psutil.Process:
    """Return the cluster's worker on this machine, in docker the program of a container; without one, this process."""
    own = psutil.Process()
    return next((each for each in own.parents() if SPARKS_WORKER in each.cmdline()), own)
