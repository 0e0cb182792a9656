"""Server, connector and engine on real sockets: frames are read whole, and payloads go where the orders send them."""

import threading

import pytest

from streamlab.lab07_irm.connector import Connector
from streamlab.lab07_irm.datatypes import Order
from streamlab.lab07_irm.engine import run_engine
from streamlab.lab07_irm.frames import Frames, connected, frame
from streamlab.lab07_irm.server import Server
from tests.streamlab.lab07_irm.conftest import LIMIT_S, Until
from tests.streamlab.lab07_irm.masters import Broken, Pushes


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


def run_three_messages(master: Pushes, until: Until) -> tuple[list[bytes], Connector, Server]:
    server, payloads = Server(master), list[bytes]()

    def work(payload: bytes) -> float:
        payloads.append(payload)
        return 1.0

    engine = threading.Thread(target=run_engine, args=(server.address, "image", "engine", 0, work, 0.3), daemon=True)
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


@pytest.mark.parametrize(("master", "pushed", "stored", "bytes_in"), [(Pushes(), 3, 0, 0), (Stores(), 0, 3, 15)])
def test_only_a_stored_payload_passes_through_the_server_and_is_deleted_there(
    master: Pushes, pushed: int, stored: int, bytes_in: int, until: Until
) -> None:
    payloads, connector, server = run_three_messages(master, until)

    assert payloads == [b"\0" * 5, b"\1" * 5, b"\2" * 5]
    assert (connector.pushed, connector.stored, server.bytes_in, server.stored) == (pushed, stored, bytes_in, 0)


def test_an_error_in_the_master_ends_the_server_with_that_error(until: Until) -> None:
    server = Server(Broken())
    connector = Connector(server.address)
    connector.send("m0", "image", b"")

    assert until(lambda: isinstance(server.error, KeyError))
    connector.close()
    server.close()


def test_a_message_of_a_lost_engine_counts_as_waiting_without_further_events(until: Until) -> None:
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


TWO = frame({"what": "offer", "message": "m1"}) + frame({"what": "stored"}, b"payload")


@pytest.mark.parametrize("piece_bytes", [1, 7, len(TWO)])
def test_frames_are_read_whole_from_pieces_of_any_size(piece_bytes: int) -> None:
    frames = Frames()
    found = [each for at in range(0, len(TWO), piece_bytes) for each in frames.feed(TWO[at : at + piece_bytes])]

    assert found == [({"what": "offer", "message": "m1"}, b""), ({"what": "stored"}, b"payload")]


def test_an_incomplete_frame_is_ignored() -> None:
    assert Frames().feed(TWO[:-1]) == [({"what": "offer", "message": "m1"}, b"")]


def test_a_frame_with_a_wrong_crc_is_ignored_but_the_next_one_is_read() -> None:
    damaged = frame({"what": "stored"}, b"payload")[:-1] + b"X"

    assert Frames().feed(damaged + frame({"what": "beat"})) == [({"what": "beat"}, b"")]
