"""The master's server: it passes events to one `Master`, one after another, and sends the master's orders.

Only payloads that the master ordered to `store` come through the server. All decisions are the master's.
"""

import selectors
import socket
import threading
import time
from collections.abc import Sequence
from typing import Any

from streamlab.lab07_irm.datatypes import Order
from streamlab.lab07_irm.frames import Frames, Head, frame, received
from streamlab.own_host import LOOPBACK

SILENT_S = 3.0  # an engine that is silent for longer is lost; it sends a heartbeat every 0.5 s
POLL_S = 0.05


class Server:
    """A server that listens on `address` from the start; an error of the master is kept in `error` and ends it.

    There is no password: anyone who can reach `host` can offer messages and register engines. `host` is therefore the
    loopback, or an address in a network of trusted hosts.
    """

    def __init__(self, master: Any, silent_s: float = SILENT_S, host: str = LOOPBACK) -> None:
        self.master, self._silent_s = master, silent_s
        self.error: Exception | None = None
        self.bytes_in = 0  # of payloads
        self.engines: set[str] = set()
        self.waiting: dict[str, int] = {}  # image -> messages, as of the last event
        self.loads: list[tuple[str, float]] = []  # engine, CPU load of a message
        self._listener = socket.create_server((host, 0), backlog=256)
        self.address: tuple[str, int] = self._listener.getsockname()
        self._select = selectors.DefaultSelector()
        self._select.register(self._listener, selectors.EVENT_READ)
        self._frames: dict[socket.socket, Frames] = {}
        self._out: dict[socket.socket, bytearray] = {}
        self._heard_s: dict[socket.socket, float] = {}  # of engines
        self._names: dict[socket.socket, str] = {}
        self._engine_links: dict[str, socket.socket] = {}
        self._inboxes: dict[str, Any] = {}
        self._connectors: dict[str, socket.socket] = {}  # message -> connection of its connector
        self._payloads: dict[str, bytes] = {}
        self._images: set[str] = set()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def stored(self) -> int:
        """The number of payloads that the server holds."""
        return len(self._payloads)

    def close(self) -> None:
        """End the server and its connections."""
        self._over.set()
        self._thread.join(2)
        for link in [self._listener, *self._frames]:
            link.close()

    def _run(self) -> None:
        try:
            while not self._over.is_set():
                for key, mask in self._select.select(POLL_S):
                    if key.fileobj is self._listener:
                        self._accept()
                    else:
                        self._serve(key.fileobj, mask)  # type: ignore[arg-type]
                for link, heard_s in list(self._heard_s.items()):
                    if time.monotonic() - heard_s > self._silent_s:
                        self._end(link)
        except Exception as problem:  # of the master; the owner of the server raises it
            self.error = problem

    def _accept(self) -> None:
        link, _ = self._listener.accept()
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        link.setblocking(False)
        self._frames[link], self._out[link] = Frames(), bytearray()
        self._select.register(link, selectors.EVENT_READ)

    def _serve(self, link: socket.socket, mask: int) -> None:
        if mask & selectors.EVENT_WRITE:
            self._flush(link)
        if not mask & selectors.EVENT_READ or link not in self._frames:
            return
        data = received(link)
        if not data:
            return self._end(link)
        for head, payload in self._frames[link].feed(data):
            self._obey(self._event(link, head, payload))
        self._count()

    def _count(self) -> None:
        self.waiting = {image: self.master.waiting(image) for image in self._images}

    def _event(self, link: socket.socket, head: Head, payload: bytes) -> Sequence[Order]:
        """Pass one event to the master and return its orders."""
        what, message, engine = head["what"], head.get("message", ""), head.get("engine", "")
        if link in self._heard_s:
            self._heard_s[link] = time.monotonic()
        if what == "offer":
            self._connectors[message] = link
            self._images.add(head["image"])
            return self.master.offer(message, head["image"])
        if what == "stored":
            self._payloads[message] = payload
            self.bytes_in += len(payload)
            return self.master.stored(message)
        if what == "idle":
            self._engine_links[engine], self._names[link], self._inboxes[engine] = link, engine, head["inbox"]
            self._heard_s[link] = time.monotonic()
            self.engines.add(engine)
            return self.master.idle(engine, head["image"], head["worker"])
        if what == "done":
            self.loads.append((engine, head["load"]))
            return self.master.done(engine, message)
        return getattr(self.master, what)(engine) if what in ("lost", "leaving") else []

    def _obey(self, orders: Sequence[Order]) -> None:
        for what, message, engine in orders:
            head: Head = {"what": what, "message": message, "engine": engine}
            if what == "push":
                self._send(self._connectors.get(message or ""), {**head, "inbox": self._inboxes[engine or ""]})
            elif what == "hand":
                if message not in self._payloads:
                    raise ValueError(f"the master hands out {message}, which was not stored or has come to its end")
                work = {**head, "what": "work"}
                self._send(self._engine_links.get(engine or ""), work, self._payloads[message])
            elif what in ("leave", "stay"):
                self._send(self._engine_links.get(engine or ""), head)
            else:
                self._send(self._connectors.get(message or ""), head)
            if what in ("forget", "fail"):
                self._payloads.pop(message or "", None)
                self._connectors.pop(message or "", None)

    def _send(self, link: socket.socket | None, head: Head, payload: bytes = b"") -> None:
        if link is not None and link in self._out:
            self._out[link] += frame(head, payload)
            self._flush(link)

    def _flush(self, link: socket.socket) -> None:
        waiting = self._out[link]
        try:
            if waiting:
                del waiting[: link.send(waiting)]
        except BlockingIOError:
            pass
        except OSError:
            return
        self._select.modify(link, selectors.EVENT_READ | (selectors.EVENT_WRITE if waiting else 0))

    def _end(self, link: socket.socket) -> None:
        """Close a connection that has ended or is silent; its engine is lost."""
        self._select.unregister(link)
        del self._frames[link], self._out[link]
        self._heard_s.pop(link, None)
        link.close()
        engine = self._names.pop(link, None)
        if engine is not None and self._engine_links.get(engine) is link:
            self.engines.discard(engine)
            self._obey(self.master.lost(engine))
            self._count()  # its message may wait now, and there may be no further event
