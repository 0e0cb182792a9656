"""The store server of a job's workers counts calls, connections and goodbyes, and answers clients in parallel."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from streamlab.lab06_enrichment import Key, StoreError
from streamlab.lab06_enrichment.store_server import StoreClient, StoreServer
from tests.streamlab.services.conftest import wait_until

KNOWN, UNKNOWN = Key("device", 'a","b', ""), Key("device", "a", "ö\n")


@pytest.fixture
def server() -> Iterator[StoreServer]:
    made = StoreServer({KNOWN: ""})
    yield made
    made.close()


def test_the_server_answers_and_counts_the_keys_of_each_call(server: StoreServer) -> None:
    client = StoreClient(server.address)
    answers = client.get(KNOWN), client.get(UNKNOWN), client.get_many([UNKNOWN, KNOWN]), client.get_many([])
    client.close()

    assert answers == ("", None, {KNOWN: ""}, {})
    assert server.calls == [(1, [KNOWN]), (1, [UNKNOWN]), (1, [UNKNOWN, KNOWN]), (1, [])]


def test_a_goodbye_differs_from_a_dropped_connection(server: StoreServer) -> None:
    polite, other = StoreClient(server.address), StoreClient(server.address)
    polite.get(KNOWN), other.get(KNOWN)
    polite.close()
    polite.close()
    other._answers.close()
    other._socket.close()

    wait_until(lambda: server.open_connections == 0)
    assert (server.connections, server.goodbyes) == (2, 1)


def test_connections_do_not_wait_for_each_other(server: StoreServer) -> None:
    server.distance_s = 0.2
    clients = [StoreClient(server.address) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda client: client.get(KNOWN), clients))
    for client in clients:
        client.close()

    assert answers == [""] * 4
    assert len({number for number, _ in server.calls}) == 4


def test_a_server_that_fails_raises_store_error(server: StoreServer) -> None:
    client = StoreClient(server.address)
    server.rows = None  # type: ignore[assignment] # its thread fails, and the connection ends

    with pytest.raises(StoreError, match="the store does not answer"):
        client.get(KNOWN)
    client.close()
