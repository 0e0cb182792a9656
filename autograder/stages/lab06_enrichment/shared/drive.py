"""Drives `SharedCache` with a script for workers that share a real Valkey.

get_many WORKER KEYS   get WORKER KEY   forget WORKER KEYS   change (a row of the store)   advance SECONDS (the clock)
ages (ms until each entry expires)      flush (empties the server)      kill, pause, resume (the server)

The store, its changes and the results are those of the counterpart, outside the sandbox.
"""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from autograder.inside import drive
from autograder.inside.counterparts import Ask
from autograder.inside.patience import at_the_latest_s
from autograder.inside.rows import Rows, or_rejected, plain
from autograder.inside.servers import own_server
from autograder.stages.lab06_enrichment.clients.drive_outside import OutsideStore
from streamlab.lab06_enrichment import Key
from streamlab.lab06_enrichment.shared_client import before_each_trip, shared_client
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
    """The workers of one case, which give the results of the operations to the counterpart."""

    def __init__(self, stage: Any, case: Any, server: Any, ask: Ask) -> None:
        patience_s = FAULT_PATIENCE_S if case.get("faults") else at_the_latest_s(PATIENCE_S)
        self.server, self.now_s, self._ask = server, 100.0, ask
        self.observer = shared_client(server.address, at_the_latest_s(PATIENCE_S))
        self.observer.flushall()
        self.clients = [counted(shared_client(server.address, patience_s)) for _ in range(case["workers"])]
        store = OutsideStore(ask)
        limits = float(case["ttl_s"]), case["rest_s"], lambda: self.now_s
        self.caches = [stage.SharedCache(client, store, *limits) for client in self.clients]

    def play(self, steps: list[list[Any]]) -> Rows:
        """Do all steps. The rows are the counterpart's."""
        for name, *arguments in steps:
            getattr(self, f"_{name}")(*arguments)
        return {}

    def _see(self, worker: int, call: Callable[[], Any]) -> None:
        tries = self.clients[worker].tries
        answer = call()
        self._ask("see", answer, self.clients[worker].tries - tries)

    def _get_many(self, worker: int, keys: list[list[str]]) -> None:
        def call() -> Any:
            rows = self.caches[worker].get_many([Key(*key) for key in keys])
            return sorted(plain([*key, row]) for key, row in rows.items()) if isinstance(rows, dict) else plain(rows)

        self._see(worker, call)

    def _get(self, worker: int, key: list[str]) -> None:
        self._see(worker, lambda: plain(self.caches[worker].get(Key(*key))))

    def _forget(self, worker: int, keys: list[list[str]]) -> None:
        self._see(worker, lambda: plain(self.caches[worker].forget([Key(*key) for key in keys])))

    def _ages(self) -> None:
        self._ask("see", sorted(plain(self.observer.pttl(name)) for name in self.observer.scan_iter()), 0)

    def _change(self) -> None:
        self._ask("change")

    def _advance(self, seconds: float) -> None:
        self.now_s += seconds

    def _flush(self) -> None:
        self.observer.flushall()

    def _kill(self) -> None:
        self.server.kill()

    def _pause(self) -> None:
        self.server.pause()

    def _resume(self) -> None:
        self.server.resume()


@drive("SharedCache")
def shared_cache(stage: Any, case: Any, outside: Ask) -> Rows:
    """Play the script. A case with faults has its own server."""
    with running("redis") if case.get("faults") else nullcontext(own_server("redis")) as server:
        try:
            return or_rejected(lambda: Script(stage, case, server, outside).play(case["script"]))
        finally:
            if case.get("faults"):
                server.resume()
