"""The cache's client tries once and times out soon, so a hanging cache costs little."""

import time

import pytest

from streamlab.lab06_enrichment.shared_client import before_each_trip, shared_client
from streamlab.services import running
from tests.streamlab.services.conftest import server_programs

redis = server_programs("redis")


def test_a_paused_server_times_out_after_a_tenth_of_a_second_and_one_try() -> None:
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


def test_a_killed_server_raises_an_error_at_once() -> None:
    with running("redis") as server, shared_client(server.address) as client:
        client.ping()
        server.kill()

        with pytest.raises(redis.exceptions.ConnectionError):
            client.ping()


def test_the_hook_runs_once_before_each_round_trip_for_any_number_of_commands() -> None:
    with running("redis") as server, shared_client(server.address, gives_up_after_s=5.0) as client:
        trips: list[str] = []
        before_each_trip(client, lambda: trips.append("trip"))

        client.mget(["a", "b"])
        pipe = client.pipeline(transaction=False)
        pipe.set("a", "1")
        pipe.set("b", "2")
        pipe.execute()

        assert len(trips) == 2
        assert client.mget(["a", "b"]) == ["1", "2"]
