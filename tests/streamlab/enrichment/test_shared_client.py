"""The cache's client tries once and gives up soon, so that a cache that hangs costs little."""

import time

import pytest

from streamlab.enrichment.shared_client import shared_client
from streamlab.services import running
from tests.streamlab.services.conftest import server_programs

redis = server_programs("redis")


def test_it_gives_up_on_a_paused_server_after_a_tenth_of_a_second_and_tries_once() -> None:
    with running("redis") as server, shared_client(server.address) as client:
        client.set("größe", "1")
        server.pause()
        began_s = time.monotonic()
        with pytest.raises(redis.exceptions.TimeoutError):
            client.get("größe")
        waited_s = time.monotonic() - began_s
        server.resume()

        assert 0.1 <= waited_s < 1
        assert client.get("größe") == "1"


def test_a_server_that_is_killed_is_an_error_at_once() -> None:
    with running("redis") as server, shared_client(server.address) as client:
        client.ping()
        server.kill()

        with pytest.raises(redis.exceptions.ConnectionError):
            client.ping()
