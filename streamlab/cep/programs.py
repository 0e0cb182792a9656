"""Programs that run a manager or a candidate until they are killed, with a step every 20 ms.

They log to a file, a line for each event: the time of the machine's monotonic clock, which all processes share, what
happened, and to whom.
"""

import os
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from kazoo.client import KazooClient
from kazoo.exceptions import KazooException

from streamlab.cep.roles import NotLeader

STEP_EVERY_S = 0.02
START_LIMIT_S = 20.0
WAIT_FOR_ELECTION_S = 1.0


class Logged(NamedTuple):
    """One event: manager: "start" or "stop" of an instance; candidate: "waits", or "leads" in a term."""

    at_s: float
    what: str
    instance: str


def connected(address: str, session_s: float) -> KazooClient:
    """Return a client with a session that ends `session_s` after its process does."""
    zk = KazooClient(hosts=address, timeout=session_s)
    zk.start(timeout=START_LIMIT_S)
    return zk


@contextmanager
def sessions(address: str, count: int, session_s: float = 4.0) -> Iterator[list[KazooClient]]:
    """Open several sessions, and end those that are left when the block ends.

    Example: with sessions("127.0.0.1:2181", 2) as (x, y): …
    """
    opened = [connected(address, session_s) for _ in range(count)]
    try:
        yield opened
    finally:
        for client in opened:
            client.stop()
            client.close()


def run_manager(
    make: Callable[..., Any],
    address: str,
    root: str,
    me: str,
    log: Path,
    session_s: float,
    node: int,
    cores: Collection[int] = (),
) -> None:
    """Run an InstanceManager, a class that `make` is, on `node`; pinned if `cores` are given. Never returns."""
    _pin(cores)
    zk = connected(address, session_s)

    def write(what: str) -> Callable[[str], None]:
        return lambda instance: _log(log, what, instance)

    manager = make(zk, me, node, write("start"), write("stop"), root)
    while True:
        with suppress(KazooException, TimeoutError):
            manager.join()
            manager.step()
        time.sleep(STEP_EVERY_S)


def run_candidate(
    make: Callable[..., Any],
    address: str,
    root: str,
    me: str,
    log: Path,
    session_s: float,
    topology: Any,
    when_leading: Callable[[KazooClient], None] | None = None,
    cores: Collection[int] = (),
) -> None:
    """Run an Orchestrator, a class that `make` is; pinned if `cores` are given. Never returns."""
    _pin(cores)
    zk = connected(address, session_s)
    candidate = make(zk, me, topology, root)
    _log(log, "waits", me)
    while True:
        with suppress(KazooException, TimeoutError, NotLeader):
            epoch = candidate.lead(WAIT_FOR_ELECTION_S)
            if when_leading:
                when_leading(zk)
            _log(log, "leads", str(epoch))
            while True:
                candidate.step()
                time.sleep(STEP_EVERY_S)


def read_log(path: Path) -> list[Logged]:
    """Return the events of a log so far; none if there is no file yet."""
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").split("\n")[:-1]  # what comes after the last newline is not finished
    return [Logged(float(at_s), what, name) for at_s, what, name in (line.split(" ", 2) for line in lines)]


def _log(path: Path, what: str, instance: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{time.monotonic()} {what} {instance}\n")


def _pin(cores: Collection[int]) -> None:
    """Before any thread is started: threads inherit the cores of the one that starts them."""
    if cores:
        os.sched_setaffinity(0, cores)
