"""Drives `SharedCache` with a script for workers that share a real Valkey.

get_many WORKER KEYS   get WORKER KEY   forget WORKER KEYS   change KEY ROW (in the store)   advance SECONDS (the clock)
ages (ms until each entry expires)      kill, pause, resume (the server)
"""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from autograder.inside import drive
from autograder.inside.patience import at_the_latest_s
from autograder.inside.rows import Rows, or_rejected, plain
from autograder.inside.servers import own_server
from autograder.stages.lab06_enrichment.clients.drive_payments import rows_of
from streamlab.lab06_enrichment import Key
from streamlab.lab06_enrichment.shared_client import before_each_trip, shared_client
from streamlab.lab06_enrichment.stores_in_memory import MemoryStore
from streamlab.services import running

PATIENCE_S = 5.0  # for clients of a running server
FAULT_PATIENCE_S = 1.5  # belongs to the case: a client gives up a dead server after it


def counted(client: Any) -> Any:
    """Make a client count its round trips in `tries`, regardless of how many commands each of them has."""
    client.tries = 0

    def count() -> None:
        client.tries += 1

    return before_each_trip(client, count)


class Script:
    """The workers of one case, their store and the results of the operations."""

    def __init__(self, stage: Any, case: Any, server: Any) -> None:
        patience_s = FAULT_PATIENCE_S if case.get("faults") else at_the_latest_s(PATIENCE_S)
        self.server, self.store, self.now_s = server, MemoryStore(rows_of(case), distance_s=0), 100.0
        self.observer = shared_client(server.address, at_the_latest_s(PATIENCE_S))
        self.observer.flushall()
        self.clients = [counted(shared_client(server.address, patience_s)) for _ in range(case["workers"])]
        limits = float(case["ttl_s"]), case["rest_s"], lambda: self.now_s
        self.caches = [stage.SharedCache(client, self.store, *limits) for client in self.clients]

    def play(self, steps: list[list[Any]]) -> list[Any]:
        """Return [answer, keys of each call to the store, tries] of each operation of a worker, and the ages."""
        return [seen for name, *arguments in steps if (seen := getattr(self, f"_{name}")(*arguments)) is not None]

    def _seen(self, worker: int, call: Callable[[], Any]) -> list[Any]:
        calls, tries = len(self.store.calls), self.clients[worker].tries
        answer = call()
        return [answer, plain([sorted(keys) for keys in self.store.calls[calls:]]), self.clients[worker].tries - tries]

    def _get_many(self, worker: int, keys: list[list[str]]) -> list[Any]:
        def call() -> Any:
            rows = self.caches[worker].get_many([Key(*key) for key in keys])
            return sorted(plain([*key, row]) for key, row in rows.items()) if isinstance(rows, dict) else plain(rows)

        return self._seen(worker, call)

    def _get(self, worker: int, key: list[str]) -> list[Any]:
        return self._seen(worker, lambda: plain(self.caches[worker].get(Key(*key))))

    def _forget(self, worker: int, keys: list[list[str]]) -> list[Any]:
        return self._seen(worker, lambda: plain(self.caches[worker].forget([Key(*key) for key in keys])))

    def _ages(self) -> list[Any]:
        return [sorted(plain(self.observer.pttl(name)) for name in self.observer.scan_iter()), [], 0]

    def _change(self, key: list[str], row: str) -> None:
        self.store.rows = {**self.store.rows, Key(*key): row}

    def _advance(self, seconds: float) -> None:
        self.now_s += seconds

    def _kill(self) -> None:
        self.server.kill()

    def _pause(self) -> None:
        self.server.pause()

    def _resume(self) -> None:
        self.server.resume()


@drive("SharedCache")
def shared_cache(stage: Any, case: Any) -> Rows:
    """Return the result of each operation. A case with faults has its own server."""
    with running("redis") if case.get("faults") else nullcontext(own_server("redis")) as server:
        try:
            return or_rejected(lambda: {"seen": Script(stage, case, server).play(case["script"])})
        finally:
            if case.get("faults"):
                server.resume()
