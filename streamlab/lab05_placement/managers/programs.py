"""Programs that run a manager or a candidate, with a step every 20 ms, until they are killed.

They write one line per event to a log file: the time on the machine's monotonic clock, which all processes share, the
kind of event, and its subject (see `Logged`).
"""

import os
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from kazoo.client import KazooClient
from kazoo.exceptions import KazooException

from streamlab.granted_time import LONGEST
from streamlab.lab05_placement.managers.roles import NotLeader

STEP_EVERY_S = 0.02
START_LIMIT_S = 20.0
WAIT_FOR_ELECTION_S = 1.0


class Logged(NamedTuple):
    """One event. A manager logs "start" or "stop" of an instance; a candidate logs "waits", or "leads" with its term.

    `instance` is the subject: the instance, the candidate that waits, or the number of the term.
    """

    at_s: float
    what: str
    instance: str


def connected(address: str, session_s: float) -> KazooClient:
    """Return a connected client; its session expires `session_s` after its process ends."""
    zk = KazooClient(hosts=address, timeout=session_s)
    zk.start(timeout=LONGEST * START_LIMIT_S)
    return zk


@contextmanager
def sessions(address: str, count: int, session_s: float = 4.0) -> Iterator[list[KazooClient]]:
    """Open several sessions; the end of the block closes those that are still open.

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
    """Run `make`, a learner's InstanceManager class, on `node`, pinned to `cores` if there are any. Never returns."""
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
    """Run `make`, a learner's Orchestrator class, pinned to `cores` if there are any. Never returns."""
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
    """Return the events that are in a log so far, or an empty list if the file does not exist yet."""
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").split("\n")[:-1]  # the text after the last newline is incomplete
    return [Logged(float(at_s), what, name) for at_s, what, name in (line.split(" ", 2) for line in lines)]


def _log(path: Path, what: str, instance: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{time.monotonic()} {what} {instance}\n")


def _pin(cores: Collection[int]) -> None:
    """Pin this process; call it before any thread starts, since a thread inherits the cores of its creator."""
    if cores:
        os.sched_setaffinity(0, cores)
