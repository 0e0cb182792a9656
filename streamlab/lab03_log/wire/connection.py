"""One client's connection: it reads requests from frames and answers each before it reads the next, as Kafka does.

A frame is a size in four bytes and a request: header, then body. Bytes that are not a request, or a request of an
unsupported version, end the connection, since the client could not parse any answer to them. The one exception is
ApiVersions. https://kafka.apache.org/protocol#protocol_messages
"""

import asyncio
import io
import logging
import struct
from contextlib import suppress

from kafka.protocol.api_header import RequestHeader
from kafka.protocol.api_message import ApiMessage
from kafka.protocol.metadata import ApiVersionsRequest

from streamlab.lab03_log.wire.apis import APIS, Api, unknown_api_versions
from streamlab.lab03_log.wire.broker import Broker

MAX_FRAME_BYTES = 104_857_600  # https://kafka.apache.org/documentation/#brokerconfigs_socket.request.max.bytes
_SIZE = struct.Struct(">i")
_FIRST = struct.Struct(">hhi")  # API key, API version, correlation id
_log = logging.getLogger(__name__)


class InvalidRequest(Exception):
    """The bytes are not a request of a supported kind and version."""


async def serve(broker: Broker, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer a client's requests until it closes the connection or sends an invalid request."""
    with suppress(InvalidRequest, ConnectionError, asyncio.IncompleteReadError):
        while True:
            answer = await _answer(broker, await _frame(reader))
            if answer is not None:
                writer.write(answer)
                await writer.drain()


async def _frame(reader: asyncio.StreamReader) -> bytes:
    (size_bytes,) = _SIZE.unpack(await reader.readexactly(_SIZE.size))
    if not _FIRST.size <= size_bytes <= MAX_FRAME_BYTES:
        raise InvalidRequest(f"a request of {size_bytes} bytes")
    return await reader.readexactly(size_bytes)


async def _answer(broker: Broker, frame: bytes) -> bytes | None:
    """Return the answer's bytes after its size, or None if the client does not want an answer."""
    key, version, number = _FIRST.unpack_from(frame)
    api = APIS.get(key)
    if api is None:
        raise InvalidRequest(f"API key {key}")
    if not api.oldest <= version <= api.newest:
        if api.request is not ApiVersionsRequest:
            raise InvalidRequest(f"version {version} of {api.request.__name__}")
        return _encoded(unknown_api_versions(), 0, number)
    try:
        answer = await api.answer(broker, _request(api, version, frame))
        return None if answer is None else _encoded(answer, version, number)
    except Exception as problem:  # of any type: kafka-python decodes without validation
        _log.debug("%s cannot be answered", api.request.__name__, exc_info=True)
        raise InvalidRequest(f"invalid {api.request.__name__}: {problem}") from None


def _request(api: Api, version: int, frame: bytes) -> ApiMessage:
    """Return the request in a frame; only its records are copied."""
    head = io.BytesIO(frame)
    header = RequestHeader.decode(head, flexible=api.request.flexible_version_q(version))
    request = api.request.decode(memoryview(frame)[head.tell() :], version=version)
    request._header, request.API_VERSION = header, version
    return request


def _encoded(answer: ApiMessage, version: int, number: int) -> bytes:
    answer.API_VERSION = version
    answer.with_header(correlation_id=number)
    return answer.encode(header=True, framed=True)
