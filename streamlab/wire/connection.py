"""One client's connection: requests come in frames, and each is answered before the next is read, as Kafka does.

A frame is its size in four bytes and a request: header, then body. What cannot be read as a request, or is one of a
version that is not spoken, ends the connection, for nobody knows what the client would take as an answer; the one
exception is the question for the versions. https://kafka.apache.org/protocol#protocol_messages
Keeps out: what the answers are (apis.py names what gives them).
"""

import asyncio
import io
import logging
import struct
from contextlib import suppress

from kafka.protocol.api_header import RequestHeader
from kafka.protocol.api_message import ApiMessage
from kafka.protocol.metadata import ApiVersionsRequest

from streamlab.wire.apis import APIS, Api, unknown_api_versions
from streamlab.wire.broker import Broker

MAX_FRAME_BYTES = 104_857_600  # https://kafka.apache.org/documentation/#brokerconfigs_socket.request.max.bytes
_SIZE = struct.Struct(">i")
_FIRST = struct.Struct(">hhi")  # kind of request, version, number of the request
_log = logging.getLogger(__name__)


class NoRequest(Exception):
    """Bytes that are no request of a kind and version that is spoken here."""


async def serve(broker: Broker, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer a client's requests until it hangs up or sends what is none."""
    with suppress(NoRequest, ConnectionError, asyncio.IncompleteReadError):
        while True:
            answer = await _answer(broker, await _frame(reader))
            if answer is not None:
                writer.write(answer)
                await writer.drain()


async def _frame(reader: asyncio.StreamReader) -> bytes:
    (size_bytes,) = _SIZE.unpack(await reader.readexactly(_SIZE.size))
    if not _FIRST.size <= size_bytes <= MAX_FRAME_BYTES:
        raise NoRequest(f"a request of {size_bytes} bytes")
    return await reader.readexactly(size_bytes)


async def _answer(broker: Broker, frame: bytes) -> bytes | None:
    """The answer's bytes, its size in front; None where the client wants none."""
    key, version, number = _FIRST.unpack_from(frame)
    api = APIS.get(key)
    if api is None:
        raise NoRequest(f"kind {key} of request")
    if not api.oldest <= version <= api.newest:
        if api.request is not ApiVersionsRequest:
            raise NoRequest(f"version {version} of {api.request.__name__}")
        return _encoded(unknown_api_versions(), 0, number)
    try:
        answer = await api.answer(broker, _request(api, version, frame))
        return None if answer is None else _encoded(answer, version, number)
    except Exception as problem:  # of many kinds: kafka-python decodes without looking
        _log.debug("%s cannot be answered", api.request.__name__, exc_info=True)
        raise NoRequest(f"no {api.request.__name__}: {problem}") from None


def _request(api: Api, version: int, frame: bytes) -> ApiMessage:
    """The request in a frame, which is not copied but for the records in it."""
    head = io.BytesIO(frame)
    header = RequestHeader.decode(head, flexible=api.request.flexible_version_q(version))
    request = api.request.decode(memoryview(frame)[head.tell() :], version=version)
    request._header, request.API_VERSION = header, version
    return request


def _encoded(answer: ApiMessage, version: int, number: int) -> bytes:
    answer.API_VERSION = version
    answer.with_header(correlation_id=number)
    return answer.encode(header=True, framed=True)
