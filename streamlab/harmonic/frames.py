"""Frames on a connection: two lengths, a head in JSON, and a payload whose CRC is in the head."""

import json
import socket
import struct
import zlib
from typing import Any

Head = dict[str, Any]
LENGTHS = struct.Struct(">II")
READ_BYTES = 1 << 18


def frame(head: Head, payload: bytes = b"") -> bytes:
    """Return a whole frame."""
    text = json.dumps({**head, "crc": zlib.crc32(payload)}).encode()
    return LENGTHS.pack(len(text), len(payload)) + text + payload


class Frames:
    """Whole frames out of what a connection brings; half a frame, or one with a wrong CRC, is ignored."""

    def __init__(self) -> None:
        self._data = bytearray()

    def feed(self, data: bytes) -> list[tuple[Head, bytes]]:
        """Return the frames that are whole now."""
        self._data += data
        at, whole = 0, []
        while len(self._data) - at >= LENGTHS.size:
            head_bytes, payload_bytes = LENGTHS.unpack_from(self._data, at)
            end = at + LENGTHS.size + head_bytes + payload_bytes
            if end > len(self._data):
                break
            head = json.loads(self._data[at + LENGTHS.size : end - payload_bytes])
            payload = bytes(self._data[end - payload_bytes : end])
            if zlib.crc32(payload) == head.pop("crc"):
                whole.append((head, payload))
            at = end
        del self._data[:at]
        return whole


def connected(address: tuple[str, int]) -> socket.socket:
    """Return a connection that sends small frames at once; raises OSError if nobody listens."""
    link = socket.create_connection(address)
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return link


def received(link: socket.socket) -> bytes:
    """Return what has come; nothing if the other side is gone."""
    try:
        return link.recv(READ_BYTES)
    except OSError:
        return b""
