"""The real Cassandra, with its driver: rows survive a kill -9, memory is bounded, and both clients agree."""

import asyncio
from pathlib import Path

import psutil
import pytest

from streamlab.lab06_enrichment import Key
from streamlab.services import running
from streamlab.services.cassandra import JARS, Cassandra
from tests.streamlab.services.conftest import cassandra_jars, processes_of, server_programs

server_programs("cassandra.cluster")
ROWS = {Key("device", f"acc{at}", "x','y"): f"größe {at}" for at in range(200)} | {Key("device", "", "-"): ""}


@pytest.fixture(scope="module", autouse=True)
def jars() -> None:
    cassandra_jars()


@pytest.mark.slow
def test_rows_survive_a_kill_and_both_clients_return_them() -> None:
    from streamlab.lab06_enrichment.cassandra_rows import AsyncCassandraStore, CassandraStore

    keys = [*ROWS, Key("device", "nobody", "-")]

    async def without_blocking(address: str) -> tuple[str | None, dict[Key, str]]:
        async with AsyncCassandraStore(address) as other:
            return await other.get(keys[-1]), await other.get_many(keys)

    with running("cassandra") as node:
        store = CassandraStore(node.address)
        store.fill(ROWS)
        address, memory_mb, error = node.address, node.memory_mb, node.last_error()
        sockets = psutil.Process(node.pid).net_connections("tcp")
        listening = {each.laddr.ip for each in sockets if each.status == "LISTEN"}
        before = store.get(keys[0]), store.get(keys[-1]), store.get_many(keys)
        store.close()
        node.kill()
        died = node.state()
        node.start()
        after = asyncio.run(without_blocking(node.address))

    assert before == (ROWS[keys[0]], None, ROWS)
    assert (died, node.address, after) == ("died", address, (None, ROWS))
    assert (memory_mb < 700, error) == (True, None)
    assert {ip.removeprefix("::ffff:") for ip in listening} == {"127.0.0.1"}
    assert processes_of(node.folder) == []


def test_the_settings_bound_the_memory(tmp_path: Path) -> None:
    node = Cassandra(tmp_path)
    command, _ = node.in_foreground()

    assert {"-Xmx256m", "-XX:MaxDirectMemorySize=128m"} <= set(command)
    assert "memtable_heap_space: 48MiB" in (tmp_path / "cassandra.yaml").read_text()


def test_the_list_of_jars_includes_cassandra_itself() -> None:
    assert "cassandra-all-5.0.9.jar" in JARS.expected
    assert len(JARS.expected) == 101
