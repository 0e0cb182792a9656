"""Three integrations of Spark with a stream of messages of one size: a TCP socket, files in a folder, Apache Kafka.

Each plays at a rate until the end of a `with` block, and defines how Spark reads it: one message is a line, a file or
a record. Sources are threads of this Python process; Spark reads and computes in other processes.
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

from streamlab.lab03_log.experiments.queries import Processing, Work, socket_stream, structured_stream
from streamlab.sources.line_server import LineServer
from streamlab.sources.topics import delete_topic, new_topic

CLOSE_LIMIT_S = 10.0
EVERY_S = 0.02  # a sender wakes this often and sends the messages that are due
KAFKA_PARTITIONS = 2
LARGEST_BYTES = 32 * 1024 * 1024  # the maximum size of a record, with a margin


class Playing(Protocol):
    """A running source."""

    def processed(self, spark: Any, work: Work, interval_s: float) -> contextlib.AbstractContextManager[Processing]:
        """Let Spark read the source and do `work` for each message, in batches of `interval_s` seconds."""

    def begin(self) -> None:
        """Start sending."""

    @property
    def sent(self) -> int:
        """The number of messages sent so far."""


class Integration(Protocol):
    """One way to get a stream into Spark."""

    name: str

    def playing(
        self, size_bytes: int, rate_per_s: float, most: int | None = None
    ) -> contextlib.AbstractContextManager[Playing]:
        """Open a source of at most `most` messages of `size_bytes` at `rate_per_s`; it ends with the block."""


class PacedSender:
    """A thread that calls `send(number)` `rate_per_s` times a second after `begin()`, at most `most` times."""

    def __init__(self, send: Any, rate_per_s: float, most: int | None = None) -> None:
        self.sent = 0
        self._send, self._rate_per_s, self._most = send, rate_per_s, most or sys.maxsize
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="source", daemon=True)

    def begin(self) -> None:
        """Start sending."""
        self._thread.start()

    def end(self) -> None:
        """Stop, and wait until the current message is sent."""
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
    """A source whose messages a `PacedSender` sends."""

    def __init__(self, sender: PacedSender, size_bytes: int) -> None:
        self.begin, self._sender, self._size_bytes = sender.begin, sender, size_bytes

    @property
    def sent(self) -> int:
        return self._sender.sent


class Tcp:
    """Lines on a socket; Spark keeps them in memory and cannot read a line twice."""

    name = "tcp"

    @contextlib.contextmanager
    def playing(self, size_bytes: int, rate_per_s: float, most: int | None = None) -> Iterator[Playing]:
        """See `Integration`."""
        line = "x" * (size_bytes - 1)  # without the newline
        lines = [line] * (most or 64)
        with LineServer(lines, rate_per_s, policy="block", buffer_lines=64, loop=most is None) as server:
            yield _Lines(server)


class _Lines:
    def __init__(self, server: LineServer) -> None:
        self._server = server

    def processed(self, spark: Any, work: Work, interval_s: float) -> contextlib.AbstractContextManager[Processing]:
        """Use a receiver and a DStream, since the socket source of Structured Streaming is for tests only, and slow."""
        return socket_stream(spark, self._server.host, self._server.port, work, interval_s)

    def begin(self) -> None:
        """Do nothing: the server starts to play when Spark has connected."""

    @property
    def sent(self) -> int:
        return self._server.report().sent


class Files:
    """One file per message, which appears at once in a folder that Spark lists at every batch."""

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

        sender = PacedSender(write, rate_per_s, most)
        try:
            yield _Folder(sender, size_bytes, folder / "incoming")
        finally:
            sender.end()
            shutil.rmtree(folder, ignore_errors=True)


class _Folder(_Threaded):
    def __init__(self, sender: PacedSender, size_bytes: int, incoming: Path) -> None:
        super().__init__(sender, size_bytes)
        self._incoming = incoming

    def processed(self, spark: Any, work: Work, interval_s: float) -> contextlib.AbstractContextManager[Processing]:
        files = spark.readStream.text(str(self._incoming), wholetext=True)
        return structured_stream(files, work, interval_s, self._size_bytes)


class Kafka:
    """Records of a topic on the broker at `address`; each run has its own topic."""

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

        sender = PacedSender(send, rate_per_s, most)
        try:
            yield _Topic(sender, size_bytes, self._address, topic)
        finally:
            sender.end()
            producer.close(timeout=CLOSE_LIMIT_S)
            delete_topic(self._address, topic)  # otherwise a night of runs would fill the disk


class _Topic(_Threaded):
    def __init__(self, sender: PacedSender, size_bytes: int, address: str, topic: str) -> None:
        super().__init__(sender, size_bytes)
        self._options = {"kafka.bootstrap.servers": address, "subscribe": topic, "startingOffsets": "earliest"}

    def processed(self, spark: Any, work: Work, interval_s: float) -> contextlib.AbstractContextManager[Processing]:
        records = spark.readStream.format("kafka").options(**self._options).load()
        return structured_stream(records.select("value"), work, interval_s, self._size_bytes)
