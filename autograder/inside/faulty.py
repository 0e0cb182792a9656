"""Faults of one ZooKeeper client at its k-th write, for drives: its owner dies, its answer is lost, it is paused.

All writes of kazoo, including transactions and recipes, go through `KazooClient._call(request, answer)`. This module
replaces that private method on one client; a test fails if a release of kazoo changes it.
"""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from kazoo.client import KazooClient
from kazoo.exceptions import ConnectionLoss, KazooException
from kazoo.protocol.serialization import Create, Create2, Delete, SetData, Transaction

from autograder.inside.patience import at_the_latest_s, gave_up
from streamlab.granted_time import own_deadline

WRITES = (Create, Create2, Delete, SetData, Transaction)
PATIENCE_S, SETTLES_S = 20.0, 0.5


class Died(Exception):
    """The owner of a client is dead. The call in which it dies raises this, and so does every later call."""


def do_nothing() -> None:
    """Do nothing: the default for `meanwhile`."""


class FaultyClient:
    """Counts the writes of a client from now on, and applies the fault `how` at write number `at` (0: never).

    before   dies before the write is sent           lost    the write is carried out; its caller gets ConnectionLoss
    after    dies after the write was carried out    pause   calls `meanwhile()`, then sends the write
    kill     ends this process with SIGKILL          fail    the write is not sent; its caller gets ConnectionLoss

    After a death, every later call raises `Died`, so a `finally` or an `except` can no longer write.
    """

    def __init__(
        self, client: KazooClient, at: int = 0, how: str = "before", meanwhile: Callable[[], None] = do_nothing
    ) -> None:
        self.at, self.how, self.meanwhile = at, how, meanwhile
        self.writes, self.is_dead, self.has_struck = 0, False, False
        self._send = client._call
        client._call = self

    def __call__(self, request: Any, answer: Any) -> Any:
        """Send a request, or fail as planned."""
        if self.is_dead:
            raise Died
        if isinstance(request, WRITES):
            self.writes += 1
            if self.writes == self.at:
                self._strike(request, answer)
        return self._send(request, answer)

    def _strike(self, request: Any, answer: Any) -> None:
        self.has_struck = True
        if self.how == "pause":
            self.meanwhile()
            return
        if self.how == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.how in ("after", "lost"):
            self._send(request, answer)
            with suppress(KazooException):
                answer.get(timeout=at_the_latest_s(PATIENCE_S))
        if self.how in ("lost", "fail"):
            raise ConnectionLoss
        self.is_dead = True
        raise Died


def expire(client: KazooClient) -> None:
    """End the session of a client as the server does after the timeout; return when kazoo has a new session.

    The client's owner is not notified; kazoo continues with the new session by itself. A second client takes over the
    session and closes it. If the first one reconnects and gets its session back before that, this is repeated.
    Raises RuntimeError if the session does not end.
    """
    old, deadline = client.client_id, own_deadline(PATIENCE_S)
    while client.client_id == old:
        if deadline.is_over:
            gave_up(PATIENCE_S)
            raise RuntimeError(f"the session of the client has not ended after {PATIENCE_S:g} s")
        _close_session(client, old)
        _has_another_session(client, old)
    while not _has_another_session(client, old):
        if deadline.is_over:
            gave_up(PATIENCE_S)
            raise RuntimeError(f"the client has no new session after {PATIENCE_S:g} s")


def _close_session(client: KazooClient, session: Any) -> None:
    other = KazooClient(hosts=",".join(f"{host}:{port}" for host, port in client.hosts), client_id=session)
    with suppress(KazooException, other.handler.timeout_exception):
        other.start(timeout=at_the_latest_s(PATIENCE_S))
    other.stop()  # closes the session that both clients share, and deletes its ephemeral nodes
    other.close()


def _has_another_session(client: KazooClient, old: Any) -> bool:
    """Wait up to `SETTLES_S` for kazoo to connect with another session; return whether it did."""
    until = time.monotonic() + SETTLES_S
    while time.monotonic() < until and (client.client_id == old or not client.connected):
        with suppress(KazooException):
            client.exists("/")
        time.sleep(0.005)
    return client.client_id != old and client.connected
