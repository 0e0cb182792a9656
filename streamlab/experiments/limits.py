"""The bounds of a rate, measured on this machine: bytes per second of an integration, messages per second of Spark.

Does not combine them into a limit; that is a task of Lab 3.
"""

import socket
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from streamlab.experiments.integrations import Integration
from streamlab.experiments.queries import messages_in, worker
from streamlab.experiments.waiting import wait_until

CHUNK = b"x" * 1024 * 1024
COPY_S = 0.5
SMALLEST_BYTES = 100
FLOOD = {"tcp": 200_000, "kafka": 200_000, "file": 3_000}
FLOOD_PER_S = 5e6
TRIES = 2


def loopback_bytes_per_s() -> float:
    """Return the bytes per second of a TCP connection on the loopback."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        reader = threading.Thread(target=_read_all, args=(server,), daemon=True)
        reader.start()
        sent, began = 0, time.monotonic()
        with socket.create_connection(server.getsockname()) as connection:
            while time.monotonic() < began + COPY_S:
                connection.sendall(CHUNK)
                sent += len(CHUNK)
        reader.join()
        return sent / (time.monotonic() - began)


def _read_all(server: socket.socket) -> None:
    connection, _ = server.accept()
    with connection:
        while connection.recv(len(CHUNK)):
            pass


def file_bytes_per_s() -> float:
    """Return the bytes per second written to files and read back, with as many files as fit into half a second."""
    with tempfile.TemporaryDirectory() as folder:
        copied, began = 0, time.monotonic()
        while time.monotonic() < began + COPY_S:
            path = Path(folder) / "file"
            path.write_bytes(CHUNK)
            copied += len(path.read_bytes())
        return copied / (time.monotonic() - began)


def framework_per_s(spark: Any, integration: Integration, interval_s: float) -> float:
    """Return the small messages per second that Spark reads if all are ready and need no work; the best of two."""
    return max(_flooded(spark, integration, interval_s) for _ in range(TRIES))


def _flooded(spark: Any, integration: Integration, interval_s: float) -> float:
    count = FLOOD[integration.name]
    with integration.playing(SMALLEST_BYTES, FLOOD_PER_S, count) as source:
        source.begin()
        wait_until(lambda: source.sent >= count or integration.name == "tcp", f"{count} messages were not sent")
        with source.processed(spark, worker(0.0), interval_s) as processing:
            wait_until(lambda: messages_in(processing.batches()) >= count, f"Spark did not read {count} messages")
            return count / sum(batch.took_s for batch in processing.batches())
