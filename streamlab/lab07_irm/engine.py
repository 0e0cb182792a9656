"""A processing engine, which works on one message at a time, from a connector or from the backlog.

As a program: `python -m streamlab.lab07_irm.engine PORT IMAGE NAME CPU_S` uses CPU_S seconds of a core per message.
"""

import selectors
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from streamlab.lab07_irm.frames import Frames, Head, connected, frame, received
from streamlab.own_host import LOOPBACK

BEAT_S, POLL_S = 0.5, 0.1
Work = Callable[[bytes], float]


def run_engine(
    address: tuple[str, int],
    image: str,
    name: str,
    worker: int,
    work: Work,
    idle_s: float | None = None,
    host: str = LOOPBACK,
) -> None:
    """Run an engine until the master lets it leave or ends; `work(payload)` returns the CPU load of a message.

    The engine asks to leave after `idle_s` without a message, or never if it is None. It listens on `host` without a
    password and works on every payload that it gets, so anyone in that network can use it, not only connectors.
    """
    _Engine(address, {"what": "idle", "engine": name, "image": image, "worker": worker}, work, idle_s, host).run()


class _Engine:
    """An engine that reconnects if the master has dropped it, and first reports the messages it finished meanwhile.

    The connections of connectors stay open in that time, since a payload sent on a closed one is lost without an error.
    """

    def __init__(self, address: tuple[str, int], me: Head, work: Work, idle_s: float | None, host: str) -> None:
        self._address, self._work, self._idle_s = address, work, idle_s
        self._inbox = socket.create_server((host, 0), backlog=64)
        self._me = {**me, "inbox": self._inbox.getsockname()}
        self._select = selectors.DefaultSelector()
        self._select.register(self._inbox, selectors.EVENT_READ)
        self._frames: dict[socket.socket, Frames] = {}
        self._unreported: list[Head] = []
        self._idle_since_s = 0.0

    def run(self) -> None:
        may_leave = False
        while not may_leave:
            try:
                master = connected(self._address)
            except OSError:
                return  # the master is gone
            self._frames[master] = Frames()
            self._select.register(master, selectors.EVENT_READ)
            with suppress(OSError):
                may_leave = self._serve(_Master(master), master)
            self._close(master)

    def _serve(self, channel: "_Master", master: socket.socket) -> bool:
        """Serve until the engine may leave (return True) or the connection to the master ends (return False)."""
        try:
            while self._unreported:
                channel.send(self._unreported[0])
                self._unreported.pop(0)
            channel.send(self._me)
            self._idle_since_s = time.monotonic()
            while True:
                for key, _ in self._select.select(POLL_S if self._idle_s else None):
                    ended = self._receive(key.fileobj, channel, master)  # type: ignore[arg-type]
                    if ended is not None:
                        return ended
                if self._idle_s and time.monotonic() - self._idle_since_s > self._idle_s:
                    channel.send({"what": "leaving", "engine": self._me["engine"]})
                    self._idle_since_s = time.monotonic()
        finally:
            channel.over.set()

    def _receive(self, link: socket.socket, channel: "_Master", master: socket.socket) -> bool | None:
        """Return True if the engine may leave, False if the connection to the master ended, otherwise None."""
        if link is self._inbox:
            link, _ = self._inbox.accept()
            self._frames[link] = Frames()
            self._select.register(link, selectors.EVENT_READ)
            return None
        data = received(link)
        if not data and link is master:
            return False
        if not data:
            self._close(link)
            return None
        for head, payload in self._frames[link].feed(data):
            if head["what"] == "leave":
                return True
            if head["what"] == "work":
                self._handle(head["message"], payload, channel)
        return None

    def _handle(self, message: str, payload: bytes, channel: "_Master") -> None:
        done = {"what": "done", "engine": self._me["engine"], "message": message, "load": self._work(payload)}
        self._unreported.append(done)
        channel.send(done)
        self._unreported.remove(done)
        self._idle_since_s = time.monotonic()

    def _close(self, link: socket.socket) -> None:
        self._select.unregister(link)
        del self._frames[link]
        link.close()


class _Master:
    """The engine's connection to the master, on which it sends heartbeats."""

    def __init__(self, link: socket.socket) -> None:
        self._link, self._lock, self.over = link, threading.Lock(), threading.Event()
        threading.Thread(target=self._beat, daemon=True).start()

    def send(self, head: Head) -> None:
        with self._lock:
            self._link.sendall(frame(head))

    def _beat(self) -> None:
        with suppress(OSError):
            while not self.over.wait(BEAT_S):
                self.send({"what": "beat"})


def burn(cpu_s: float) -> Work:
    """Return work that takes `cpu_s` seconds of a core per message."""

    def work(payload: bytes) -> float:
        until_s = time.thread_time() + cpu_s
        while time.thread_time() < until_s:
            pass
        return 1.0

    return work


if __name__ == "__main__":
    port, of_image, own_name, cpu_s = sys.argv[1:5]
    run_engine((LOOPBACK, int(port)), of_image, own_name, 0, burn(float(cpu_s)))
