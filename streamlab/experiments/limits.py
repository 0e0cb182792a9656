"""The bytes per second that a connection on the loopback, and files, carry on this machine."""

import socket
import tempfile
import threading
import time
from pathlib import Path

CHUNK = b"x" * 1024 * 1024
COPY_S = 0.5
SMALLEST_BYTES = 100


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
