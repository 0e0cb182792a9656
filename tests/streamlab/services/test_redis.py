"""The real Valkey, with redis-py: its memory is bounded, it is empty after a kill, and it is silent while paused."""

from pathlib import Path

import psutil
import pytest

from streamlab.services import running
from streamlab.services.base import Service
from streamlab.services.redis import DATA_MB, Redis
from tests.streamlab.services.conftest import processes_of, server_programs

redis = server_programs("redis")


def client(server: Service, limit_s: float = 5.0) -> "redis.Redis":
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    retry = Retry(NoBackoff(), 0)
    return redis.Redis(host="127.0.0.1", port=server.port, decode_responses=True, socket_timeout=limit_s, retry=retry)


def test_a_redis_client_reads_the_values_it_set(valkey: Service) -> None:
    with client(valkey) as ours:
        ours.set("größe", "42", ex=60)

        assert (ours.get("größe"), ours.get("unknown"), ours.ttl("größe") > 0) == ("42", None, True)


def test_the_server_listens_on_loopback_only(valkey: Service) -> None:
    listening = [each for each in psutil.Process(valkey.pid).net_connections("tcp") if each.status == "LISTEN"]

    assert [(each.laddr.ip, each.laddr.port) for each in listening] == [("127.0.0.1", valkey.port)]


def test_the_server_never_exceeds_its_memory_bound() -> None:
    value = "x" * 1_000_000
    with running("redis") as own, client(own) as ours:
        for at in range(2 * DATA_MB):
            ours.set(f"key {at}", value)

        assert 0 < ours.dbsize() <= DATA_MB
        assert own.memory_mb < 2 * DATA_MB
        assert own.last_error() is None


def test_the_server_starts_empty_on_the_same_port_after_a_kill() -> None:
    with running("redis") as own:
        address = own.address
        with client(own) as before:
            before.set("a", "1")
        own.kill()
        died = own.state()
        own.start()
        with client(own) as after:
            value_after_kill = after.get("a")

    assert (died, own.address, value_after_kill) == ("died", address, None)
    assert processes_of(own.folder) == []
    assert not own.folder.exists()


def test_a_paused_server_keeps_connections_and_is_silent_until_it_is_resumed() -> None:
    with running("redis") as own, client(own, limit_s=1) as ours:
        ours.set("a", "1")
        own.pause()
        with pytest.raises(redis.exceptions.TimeoutError):
            ours.get("a")
        state = own.state()
        own.resume()

        assert (state, own.state(), ours.get("a")) == ("silent", "running", "1")


def test_a_paused_server_can_be_stopped() -> None:
    with running("redis") as own:
        own.pause()

        assert own.stop() is True
        assert own.state() == "stopped"


def test_the_folder_can_have_any_name(tmp_path: Path) -> None:
    own = Redis(tmp_path / "größe, with a space: and more")
    own.start()
    answers = own.answers()
    own.stop()

    assert answers
    assert processes_of(tmp_path) == []


@pytest.mark.parametrize(
    ("line", "is_error"),
    [
        ("77:M 22 Nov 2026 10:00:00.000 # Fatal error, can't open config file", True),
        ("77:M 22 Nov 2026 10:00:00.000 # Failed listening on port 1, aborting.", True),
        ("77:M 22 Nov 2026 10:00:00.000 # WARNING Memory overcommit must be enabled! Saving can fail", False),
        ("77:M 22 Nov 2026 10:00:00.000 * Ready to accept connections tcp", False),
    ],
)
def test_an_error_in_the_log_is_distinguished_from_a_warning(tmp_path: Path, line: str, is_error: bool) -> None:
    own = Redis(tmp_path)
    own.log.write_text(f"{line}\n")

    assert own.last_error() == (line if is_error else None)
