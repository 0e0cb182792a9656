"""The switch of the fast start, a start without it (slower, but as silent), and the changes to Python workers."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from streamlab.spark import fast_start
from streamlab.spark.fast_start import workers
from streamlab.spark.jvm import ROOT

LIMIT_S = 120.0
PLAIN = """
import psutil
from streamlab import session, streaming
spark = session("plain")
context = spark.sparkContext
assert spark.range(1000).selectExpr("sum(id)").first()[0] == 499500
counts = context.parallelize(["a b", "a"], 2).flatMap(str.split).map(lambda word: (word, 1)).reduceByKey(int.__add__)
assert dict(counts.collect()) == {"a": 2, "b": 1}
seen = []
with streaming(spark, 0.2) as stream:
    stream.queueStream([context.parallelize(["a"])]).foreachRDD(lambda rdd: seen.extend(rdd.collect()))
    stream.start()
    while not seen:
        stream.awaitTerminationOrTimeout(0.05)
java = context._gateway.streamlab_jvm
assert java.process.args[0].endswith("bin/spark-submit")
assert spark.conf.get("spark.python.daemon.module", None) is None
assert spark.conf.get("spark.driver.host") == "127.0.0.1"
command = " ".join(psutil.Process(java.process.pid).cmdline())
assert "PythonGatewayServer" in command or "pyspark-shell" in command, command
assert "SharedArchiveFile" not in command
print(java.folder)
"""


@pytest.mark.parametrize(("value", "on"), [(None, True), ("1", True), ("", True), ("0", False)])
def test_the_fast_start_is_on_unless_set_to_0(monkeypatch: pytest.MonkeyPatch, value: str | None, on: bool) -> None:
    monkeypatch.delenv(fast_start.SWITCH, raising=False)
    if value is not None:
        monkeypatch.setenv(fast_start.SWITCH, value)

    assert fast_start.is_on() == on


@pytest.mark.slow
def test_a_plain_session_works_silently_and_leaves_no_files(tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT), fast_start.SWITCH: "0"}
    program = [sys.executable, "-c", PLAIN]
    ran = subprocess.run(program, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=LIMIT_S)

    assert (ran.returncode, ran.stderr) == (0, "")
    assert not Path(ran.stdout.strip()).exists()
    assert list(tmp_path.iterdir()) == []


def test_archives_are_removed_from_the_module_path_and_folders_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", ["", "/lib/pyspark.zip", "/lib", "/jars/spark-core.jar"])
    workers.drop_archives()

    assert sys.path == ["", "/lib"]


@pytest.mark.skipif(not hasattr(socket, "TCP_QUICKACK"), reason="this system has no such switch")
def test_a_socket_with_quick_acknowledgements_stays_usable() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        sender = socket.create_connection(server.getsockname())
        receiver, _ = server.accept()
    with sender, receiver, receiver.makefile("rb") as infile:
        workers.acknowledge_at_once(infile)
        sender.sendall(b"task\n")

        assert infile.readline() == b"task\n"


@pytest.mark.skipif(not fast_start.is_on(), reason="the fast start is off")
def test_workers_of_a_session_have_no_archive_on_their_module_path(spark) -> None:  # type: ignore[no-untyped-def]
    paths = spark.sparkContext.parallelize([1], 1).mapPartitions(lambda _: __import__("sys").path).collect()

    assert paths
    assert not [path for path in paths if path.endswith((".zip", ".jar")) and "python3" not in path.rsplit("/", 1)[-1]]
