"""A server that speaks Kafka's protocol: Kafka's clients produce to any `Log` and consume from it.

It is one broker, without replication, transactions, passwords and deletion. Does not contain a log; students write
one in Lab 3.
"""

import asyncio
import errno
import socket
import threading
import warnings
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any, Self

from streamlab.lab03_log.wire.broker import Broker
from streamlab.lab03_log.wire.connection import serve
from streamlab.lab03_log.wire.log import OpenLog
from streamlab.own_host import own_host

READ_AHEAD_BYTES = 1 << 20
Stop = Callable[[], object]


class WireServer:
    """Serves the topics in `folder` on `port` (0: the system chooses) until the block ends.

    `open_log` opens the log of a partition in its folder; only the server's one thread uses it. `partitions` is the
    default number of partitions of a new topic. Topics, records and committed offsets survive a restart.
    Raises OSError if the port is taken, and what `open_log` raises. If no error code of Kafka's fits an error of a
    log, the client gets UNKNOWN, and the block raises the error when it ends.

    Example:
        with WireServer(PartitionLog, Path("topics")) as server:
            producer = KafkaProducer(bootstrap_servers=server.address)
    """

    def __init__(self, open_log: OpenLog, folder: Path, *, partitions: int = 4, port: int = 0) -> None:
        if partitions < 1:
            raise ValueError(f"expected 1 partition or more, got {partitions}")
        self._make_broker = partial(Broker, open_log, folder, partitions)
        self._host, self._port = own_host(), port

    @property
    def address(self) -> str:
        """The bootstrap address for clients; the same at every start.

        Example: "127.0.0.1:43211"
        """
        return f"{self._host}:{self._port}"

    def __enter__(self) -> Self:
        listener = _listen(self._host, self._port)
        self._port = listener.getsockname()[1]
        try:
            self._broker = self._make_broker(self._host, self._port)
        except BaseException:
            listener.close()
            raise
        started: Future[Stop] = Future()
        run = partial(asyncio.run, _serve(self._broker, listener, started))
        self._thread = threading.Thread(target=run, name=f"WireServer:{self._port}", daemon=True)
        self._thread.start()
        self._stop = started.result()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._stop()
        self._thread.join()
        self._broker.close()
        if kind is None and self._broker.unexpected:
            raise self._broker.unexpected[0]


def _listen(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port))
    except OSError as error:
        why = f"cannot listen on {host}:{port}: {error.strerror}; port=0 takes a free one"
        raise OSError(error.errno, why) from None


async def _serve(broker: Broker, listener: socket.socket, started: "Future[Stop]") -> None:
    """Serve all clients until the stop function, which `started` gets as its result, is called."""
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    loop.set_exception_handler(_on_error)
    connected = partial(_connected, broker)
    server = await asyncio.start_server(connected, sock=listener, limit=READ_AHEAD_BYTES)
    started.set_result(partial(loop.call_soon_threadsafe, ended.set))
    await ended.wait()
    server.close()  # asyncio.run cancels the connections' tasks


def _on_error(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Warn once if a client gets no file descriptor; asyncio would print a traceback for each attempt to accept it."""
    problem = context.get("exception")
    if isinstance(problem, OSError) and problem.errno in (errno.EMFILE, errno.ENFILE):
        warnings.warn(
            f"a client has to wait until another one leaves: {problem.strerror}", RuntimeWarning, stacklevel=1
        )
    else:
        loop.default_exception_handler(context)


async def _connected(broker: Broker, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        await serve(broker, reader, writer)
    except asyncio.CancelledError:  # the server ends while a client waits; re-raised, asyncio would log it as an error
        pass
    finally:
        writer.transport.abort()
