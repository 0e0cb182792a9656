"""Three ways into Spark for a stream of messages of one size: a TCP socket, files in a folder, Apache Kafka.

Each plays at a rate for as long as a block takes, and says how Spark reads it: a line, a file or a record is one
message. Sources are threads of this Python; Spark reads and computes in processes of its own.
Keeps out: what is done with a message (queries.py), runs and the search for the highest rate (runs.py, grid.py).
"""

import contextlib
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from streamlab.experiments.queries import Processing, Work, queried, received
from streamlab.sources.line_server import LineServer
from streamlab.sources.topics import delete_topic, new_topic

CLOSE_LIMIT_S = 10.0
EVERY_S = 0.02  # a sender wakes this often and sends what is due by then
KAFKA_PARTITIONS = 2
LARGEST_BYTES = 32 * 1024 * 1024  # of a record, with room


class Playing(Protocol):
    """A source that plays, and how many messages it has sent."""

    def processed(self, spark: Any, work: Work, interval_s: float) -> contextlib.AbstractContextManager[Processing]:
        """Spark reads it and does `work` with each message, in batches of `interval_s` seconds."""

    def begin(self) -> None:
        """Send from now on."""

    @property
    def sent(self) -> int:
        """Messages sent so far."""


class Integration(Protocol):
    """One way into Spark."""

    name: str

    def playing(
        self, size_bytes: int, rate_per_s: float, most: int | None = None
    ) -> contextlib.AbstractContextManager[Playing]:
        """A source of messages of `size_bytes` at `rate_per_s`, `most` of them; it ends with the block."""


class Due:
    """Calls `send(number)` in a thread, `rate_per_s` times a second and `most` times, once `begin()` was called."""

    def __init__(self, send: Any, rate_per_s: float, most: int | None = None) -> None:
        self.sent = 0
        self._send, self._rate_per_s, self._most = send, rate_per_s, most or sys.maxsize
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="source", daemon=True)

    def begin(self) -> None:
        """Start sending."""
        self._thread.start()

    def end(self) -> None:
        """Stop, and wait until the message that is being sent is sent."""
        self._over.set()
        if self._thread.ident is not None:
            self._thread.join(CLOSE_LIMIT_S)

    def _run(self) -> None:
        began = time.monotonic()
        while not self._over.wait(EVERY_S):
            due = min(self._most, int((time.monotonic() - began) * self._rate_per_s))
            while self.sent < due and not self._over.is_set():
                self._send(self.sent)
                self.sent += 1


class _Threaded:
    """A source whose messages a thread of ours sends."""

    def __init__(self, due: Due, size_bytes: int) -> None:
        self.begin, self._due, self._size_bytes = due.begin, due, size_bytes

    @property
    def sent(self) -> int:
        return self._due.sent


class Tcp:
    """Lines on a socket; Spark holds them in memory, and cannot read one again."""

    name = "tcp"

    @contextlib.contextmanager
    def playing(self, size_bytes: int, rate_per_s: float, most: int | None = None) -> Iterator[Playing]:
        """See `Integration`."""
        line = "x" * (size_bytes - 1)  # and the end of the line
        lines = [line] * (most or 64)
        with LineServer(lines, rate_per_s, policy="block", buffer_lines=64, loop=most is None) as server:
            yield _Lines(server)


class _Lines:
    def __init__(self, server: LineServer) -> None:
        self._server = server

    def processed(self, spark: Any, work: Work, interval_s: float) -> contextlib.AbstractContextManager[Processing]:
        """By a receiver and a DStream: the socket of Structured Streaming is for trying out, and slow on purpose."""
        return received(spark, self._server.host, self._server.port, work, interval_s)

    def begin(self) -> None:
        """The server plays from the moment on that Spark has connected."""

    @property
    def sent(self) -> int:
        return self._server.report().sent


class Files:
    """A file a message, which appears whole in a folder that Spark lists at every batch."""

    name = "file"

    @contextlib.contextmanager
    def playing(self, size_bytes: int, rate_per_s: float, most: int | None = None) -> Iterator[Playing]:
        """See `Integration`."""
        folder = Path(tempfile.mkdtemp(prefix="streamlab-files-"))
        (folder / "incoming").mkdir()
        content = b"x" * size_bytes

        def write(number: int) -> None:
            draft = folder / "draft"
            draft.write_bytes(content)
            draft.rename(folder / "incoming" / f"{number:09}")

        due = Due(write, rate_per_s, most)
        try:
            yield _Folder(due, size_bytes, folder / "incoming")
        finally:
            due.end()
            shutil.rmtree(folder, ignore_errors=True)


class _Folder(_Threaded):
    def __init__(self, due: Due, size_bytes: int, incoming: Path) -> None:
        super().__init__(due, size_bytes)
        self._incoming = incoming

    def processed(self, spark: Any, work: Work, interval_s: float) -> contextlib.AbstractContextManager[Processing]:
        return queried(spark.readStream.text(str(self._incoming), wholetext=True), work, interval_s, self._size_bytes)


class Kafka:
    """Records of a topic on the broker at `address`; each run has a topic of its own."""

    name = "kafka"

    def __init__(self, address: str) -> None:
        self._address = address

    @contextlib.contextmanager
    def playing(self, size_bytes: int, rate_per_s: float, most: int | None = None) -> Iterator[Playing]:
        """See `Integration`."""
        from kafka import KafkaProducer

        content = b"x" * size_bytes
        topic = new_topic(self._address, KAFKA_PARTITIONS, {"max.message.bytes": str(LARGEST_BYTES)})
        producer = KafkaProducer(bootstrap_servers=self._address, max_request_size=LARGEST_BYTES, linger_ms=5)

        def send(number: int) -> None:
            producer.send(topic, content, partition=number % KAFKA_PARTITIONS)

        due = Due(send, rate_per_s, most)
        try:
            yield _Topic(due, size_bytes, self._address, topic)
        finally:
            due.end()
            producer.close(timeout=CLOSE_LIMIT_S)
            delete_topic(self._address, topic)  # else a night's runs would fill the disk


class _Topic(_Threaded):
    def __init__(self, due: Due, size_bytes: int, address: str, topic: str) -> None:
        super().__init__(due, size_bytes)
        self._options = {"kafka.bootstrap.servers": address, "subscribe": topic, "startingOffsets": "earliest"}

    def processed(self, spark: Any, work: Work, interval_s: float) -> contextlib.AbstractContextManager[Processing]:
        records = spark.readStream.format("kafka").options(**self._options).load()
        return queried(records.select("value"), work, interval_s, self._size_bytes)
