"""The source's side of the transport: it keeps each message until the master orders it to forget the message."""

import socket
import threading
import time
from contextlib import suppress

from streamlab.lab07_irm.frames import Frames, Head, connected, frame, received

OFFER_AGAIN_S = 0.05


class Connector:
    """Sends messages to engines or to the backlog, with at most `most` messages in flight at a time.

    `finished_s` and `failed` hold the outcome of each message; `pushed` and `stored` count the payloads that went each
    way.
    """

    def __init__(self, address: tuple[str, int], most: int = 64) -> None:
        self._link, self._frames, self._lock = connected(address), Frames(), threading.Lock()
        self._room = threading.Semaphore(most)
        self._inboxes: dict[tuple[str, int], socket.socket] = {}
        self._unfinished: dict[str, tuple[str, bytes]] = {}
        self.began_s: dict[str, float] = {}
        self.finished_s: dict[str, float] = {}
        self.forgotten: list[str] = []  # one entry per order to forget or fail a message
        self.failed: list[str] = []
        self.pushed = self.stored = self.stored_bytes = 0
        threading.Thread(target=self._listen, daemon=True).start()

    def send(self, message: str, image: str, payload: bytes, limit_s: float | None = None) -> bool:
        """Offer a message once fewer than `most` are in flight; return False if that takes longer than `limit_s`."""
        if not self._room.acquire(timeout=limit_s):
            return False
        self._unfinished[message], self.began_s[message] = (image, payload), time.monotonic()
        self._report({"what": "offer", "message": message, "image": image})
        return True

    def close(self) -> None:
        """End the connections."""
        for link in [self._link, *self._inboxes.values()]:
            link.close()

    def _report(self, head: Head, payload: bytes = b"") -> None:
        with self._lock:
            self._link.sendall(frame(head, payload))

    def _listen(self) -> None:
        with suppress(OSError):
            while data := received(self._link):
                for head, _ in self._frames.feed(data):
                    self._obey(head)

    def _obey(self, head: Head) -> None:
        what, message = head["what"], head["message"]
        if what in ("forget", "fail"):
            self._finish(message, failed=what == "fail")
        elif message in self._unfinished:
            image, payload = self._unfinished[message]
            if what == "push":
                self._push(head, payload)
            elif what == "store":
                self.stored, self.stored_bytes = self.stored + 1, self.stored_bytes + len(payload)
                self._report({"what": "stored", "message": message}, payload)
            elif what == "wait":
                offer = {"what": "offer", "message": message, "image": image}
                threading.Timer(OFFER_AGAIN_S, self._offer_again, [offer]).start()

    def _offer_again(self, offer: Head) -> None:
        with suppress(OSError):  # closed meanwhile
            self._report(offer)

    def _push(self, head: Head, payload: bytes) -> None:
        inbox = (head["inbox"][0], head["inbox"][1])
        try:
            if inbox not in self._inboxes:
                self._inboxes[inbox] = connected(inbox)
            self._inboxes[inbox].sendall(frame({"what": "work", "message": head["message"]}, payload))
            self.pushed += 1
        except OSError:
            self._inboxes.pop(inbox, None)
            self._report({"what": "lost", "engine": head["engine"]})

    def _finish(self, message: str, failed: bool) -> None:
        self.forgotten.append(message)
        if failed:
            self.failed.append(message)
        if self._unfinished.pop(message, None) is not None:
            self.finished_s[message] = time.monotonic()
            self._room.release()
