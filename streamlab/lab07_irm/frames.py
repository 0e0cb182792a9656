"""Frames on a connection. A frame is two lengths, a head in JSON, and a payload whose CRC is in the head."""

import json
import socket
import struct
import zlib
from typing import Any

Head = dict[str, Any]
LENGTHS = struct.Struct(">II")
READ_BYTES = 1 << 18


def frame(head: Head, payload: bytes = b"") -> bytes:
    """Return the bytes of a frame."""
    text = json.dumps({**head, "crc": zlib.crc32(payload)}).encode()
    return LENGTHS.pack(len(text), len(payload)) + text + payload


class Frames:
    """Extracts complete frames from the bytes of a connection; an incomplete frame waits, a wrong CRC is ignored."""

    def __init__(self) -> None:
        self._data = bytearray()

    def feed(self, data: bytes) -> list[tuple[Head, bytes]]:
        """Add bytes, and return the frames that are now complete."""
        self._data += data
        at, complete = 0, []
        while len(self._data) - at >= LENGTHS.size:
            head_bytes, payload_bytes = LENGTHS.unpack_from(self._data, at)
            end = at + LENGTHS.size + head_bytes + payload_bytes
            if end > len(self._data):
                break
            head = json.loads(self._data[at + LENGTHS.size : end - payload_bytes])
            payload = bytes(self._data[end - payload_bytes : end])
            if zlib.crc32(payload) == head.pop("crc"):
                complete.append((head, payload))
            at = end
        del self._data[:at]
        return complete


def connected(address: tuple[str, int]) -> socket.socket:
    """Return a connection that sends small frames at once; raises OSError if no server listens at `address`."""
    link = socket.create_connection(address)
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return link


def received(link: socket.socket) -> bytes:
    """Return the bytes that have arrived, or b"" if the other side has closed the connection."""
    try:
        return link.recv(READ_BYTES)
    except OSError:
        return b""
