"""Server, connector and engine on real sockets: payloads go where the master's orders send them."""

import threading
import time
from collections.abc import Callable

from streamlab.lab07_irm.connector import Connector
from streamlab.lab07_irm.datatypes import Order
from streamlab.lab07_irm.engine import run_engine
from streamlab.lab07_irm.frames import connected, frame
from streamlab.lab07_irm.server import Server
from tests.streamlab.lab07_irm.masters import Broken, Pushes

LIMIT_S = 20.0


class Stores(Pushes):
    """A master that has each message stored in the backlog if an engine is idle, and handed to that engine."""

    def offer(self, message: str, image: str) -> list[Order]:
        return [Order("store" if self.engines else "wait", message)]

    def stored(self, message: str) -> list[Order]:
        return [Order("hand", message, self.engines.pop())]


class Keeps(Pushes):
    """A master that keeps a message waiting after its engine is lost."""

    lost_engines = 0

    def lost(self, engine: str) -> list[Order]:
        self.lost_engines += 1
        return []

    def waiting(self, image: str) -> int:
        return self.lost_engines


def until(condition: Callable[[], bool]) -> bool:
    deadline_s = time.monotonic() + LIMIT_S
    while not condition() and time.monotonic() < deadline_s:
        time.sleep(0.005)
    return condition()


def run_three_messages(master: Pushes) -> tuple[list[bytes], Connector, Server]:
    """Send three messages to one engine, which leaves afterwards."""
    server, payloads = Server(master), list[bytes]()

    def work(payload: bytes) -> float:
        payloads.append(payload)
        return 1.0

    arguments = (server.address, "image", "engine", 0, work, 0.3)
    engine = threading.Thread(target=run_engine, args=arguments, daemon=True)
    engine.start()
    connector = Connector(server.address, most=1)
    for number in range(3):
        assert connector.send(f"m{number}", "image", bytes([number]) * 5, limit_s=LIMIT_S)
    assert until(lambda: len(connector.finished_s) == 3)
    engine.join(LIMIT_S)
    assert not engine.is_alive()
    connector.close()
    server.close()
    return payloads, connector, server


def test_a_pushed_payload_never_passes_through_the_server() -> None:
    payloads, connector, server = run_three_messages(Pushes())

    assert payloads == [b"\0" * 5, b"\1" * 5, b"\2" * 5]
    assert (connector.pushed, connector.stored, server.bytes_in) == (3, 0, 0)


def test_a_stored_payload_passes_through_the_server_and_is_deleted_there() -> None:
    payloads, connector, server = run_three_messages(Stores())

    assert payloads == [b"\0" * 5, b"\1" * 5, b"\2" * 5]
    assert (connector.pushed, connector.stored, server.bytes_in, server.stored) == (0, 3, 15, 0)


def test_an_error_in_the_master_ends_the_server_with_that_error() -> None:
    server = Server(Broken())
    connector = Connector(server.address)

    connector.send("m0", "image", b"")

    assert until(lambda: isinstance(server.error, KeyError))
    connector.close()
    server.close()


def test_a_message_of_a_lost_engine_counts_as_waiting_without_further_events() -> None:
    server = Server(Keeps())
    idle = {"what": "idle", "engine": "e", "image": "image", "worker": 0, "inbox": ["127.0.0.1", 1]}
    with connected(server.address) as source, connected(server.address) as engine:
        engine.sendall(frame(idle))
        assert until(lambda: server.engines == {"e"})
        source.sendall(frame({"what": "offer", "message": "m0", "image": "image"}))
        assert until(lambda: server.waiting == {"image": 0})

        engine.close()

        assert until(lambda: server.waiting == {"image": 1})
    server.close()
