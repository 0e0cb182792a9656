"""A real cluster of plain processes: a master, two workers, and sessions like those of a notebook."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from streamlab.spark import cluster_secret
from streamlab.spark.cluster import command
from streamlab.spark.jvm import SparkDidNotStart
from tests.streamlab.spark.plain_cluster import LIMIT_S, PlainCluster, plain_cluster, wait_until

pytestmark = pytest.mark.slow

ON_THE_CLUSTER = """
import os
from streamlab import LineServer, session, streaming
spark = session("on the cluster", kafka=os.environ["STREAMLAB_KIT_ON_WORKERS"] == "1")
context = spark.sparkContext
assert context.master == os.environ["STREAMLAB_MASTER"]
seen = context.parallelize(range(40), 8).map(lambda n: (__import__("os").getppid(), n)).collect()
assert sum(n for _, n in seen) == 780
assert len({parent for parent, _ in seen}) == 2, "one executor on each worker"
if os.environ["STREAMLAB_KIT_ON_WORKERS"] == "1":
    words = []
    with LineServer(["to be", "or not"]) as server, streaming(spark, 0.5) as stream:
        stream.socketTextStream(server.host, server.port).foreachRDD(lambda rdd: words.extend(rdd.collect()))
        stream.start()
        while len(words) < 2:
            stream.awaitTerminationOrTimeout(0.05)
    assert spark.range(1000).selectExpr("sum(id)").first()[0] == 499500
assert session("the same") is spark, "a running session needs no more cores"
print("all right")
"""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlainCluster]:
    with plain_cluster(tmp_path_factory.mktemp("cluster")) as made:
        yield made


@pytest.mark.parametrize("kit", ["1", "0"])  # without the kit, it is enough that Python runs on the workers
def test_a_session_uses_both_workers_and_reads_sockets(cluster: PlainCluster, kit: str) -> None:
    own, program = cluster.environment | {"STREAMLAB_KIT_ON_WORKERS": kit}, [sys.executable, "-c", ON_THE_CLUSTER]
    ran = subprocess.run(program, env=own, capture_output=True, text=True, timeout=2 * LIMIT_S)

    assert (ran.stdout, ran.stderr) == ("all right\n", "")


@pytest.mark.parametrize("secret", ["", "another secret of thirty-two characters"])
def test_a_worker_without_the_secret_is_rejected(cluster: PlainCluster, tmp_path: Path, secret: str) -> None:
    other, log = tmp_path / "secret", cluster.folder / "log"
    other.write_text(secret)
    before = log.read_text().count("Sasl")

    stranger = cluster.start("worker", **{cluster_secret.FILE: str(other) if secret else ""})
    try:
        wait_until(lambda: log.read_text().count("Sasl") > before, "no log line reports the rejection")
        cluster.wait_for_workers(2)
    finally:
        cluster.workers.remove(stranger)
        stranger.kill()
        stranger.wait()


def test_the_secret_is_created_once_readable_by_its_owner_and_is_on_no_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "folder" / "secret"
    monkeypatch.setenv(cluster_secret.FILE, str(file))
    monkeypatch.setenv("STREAMLAB_MASTER", "spark://127.0.0.1:1")
    cluster_secret.make()
    secret = file.read_text()
    cluster_secret.make()

    assert file.read_text() == secret
    assert file.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in file.parent.iterdir()] == ["secret"]
    assert not any(secret.strip() in word for word in command("worker"))
    assert "-Dspark.authenticate=true" in command("worker")


@pytest.mark.parametrize("text", [None, "short"])
def test_a_missing_or_short_secret_is_reported_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | None
) -> None:
    monkeypatch.setenv(cluster_secret.FILE, str(tmp_path / "secret"))
    if text:
        (tmp_path / "secret").write_text(text)

    with pytest.raises(SparkDidNotStart, match=f"{tmp_path}/secret.*the master makes the file"):
        cluster_secret.settings()


def test_the_error_for_a_worker_without_a_master_includes_the_variable_to_set() -> None:
    alone = {name: value for name, value in os.environ.items() if name != "STREAMLAB_MASTER"}
    program = [sys.executable, "-m", "streamlab.spark.cluster", "worker"]
    ran = subprocess.run(program, env=alone, capture_output=True, text=True)

    assert ran.returncode == 2
    assert ran.stderr == "lab: a worker needs its master in STREAMLAB_MASTER, for example spark://spark-master:7077\n"
