"""The changes to Spark's Python workers in a fast start."""

import socket
import sys

import pytest

from streamlab.spark import fast_start
from streamlab.spark.fast_start import workers


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
