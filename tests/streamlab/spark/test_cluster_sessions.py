"""The checks and settings that only sessions on a cluster have."""

import socket
from pathlib import Path

import pytest

from streamlab.services.ports import free_ports
from streamlab.spark import cluster_sessions, fast_start
from streamlab.spark.cluster import Workers
from streamlab.spark.fast_start import java_command
from streamlab.spark.fast_start.class_archive import ARCHIVE
from streamlab.spark.jvm import SparkDidNotStart
from streamlab.spark.sessions import settings


def test_an_unreachable_master_is_reported_at_once() -> None:
    (port,) = free_ports(1)

    with pytest.raises(SparkDidNotStart, match=f"no Spark master answers at spark://127.0.0.1:{port} .*refused"):
        cluster_sessions.must_answer(f"spark://127.0.0.1:{port}")


def test_one_of_several_masters_is_enough() -> None:
    (nobody,) = free_ports(1)
    with socket.create_server(("127.0.0.1", 0)) as server:
        cluster_sessions.must_answer(f"spark://127.0.0.1:{nobody},127.0.0.1:{server.getsockname()[1]}")


@pytest.mark.parametrize("master", ["spark://", "spark://there:port"])
def test_an_invalid_master_address_is_reported(master: str) -> None:
    with pytest.raises(SparkDidNotStart, match="no Spark master answers at"):
        cluster_sessions.must_answer(master)


def test_a_session_without_enough_free_cores_is_rejected_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cluster_sessions.KIT_ON_WORKERS, "1")
    monkeypatch.setattr(cluster_sessions, "ROOM_LIMIT_S", 0.0)
    monkeypatch.setattr(cluster_sessions, "workers_of", lambda page: Workers(alive=2, cores=6, cores_used=5))

    message = "a session takes 2 cores and the cluster has 1 free: shut down a kernel"
    with pytest.raises(SparkDidNotStart, match=message):
        cluster_sessions.must_have_room("spark://there:7077", 2)


def test_a_session_waits_for_released_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    snapshots = iter([Workers(2, 6, 6), Workers(2, 6, 5), Workers(2, 6, 4)])
    monkeypatch.setenv(cluster_sessions.KIT_ON_WORKERS, "1")
    monkeypatch.setattr(cluster_sessions, "LOOK_EVERY_S", 0.0)
    monkeypatch.setattr(cluster_sessions, "workers_of", lambda page: next(snapshots))
    cluster_sessions.must_have_room("spark://there:7077", 2)

    assert next(snapshots, None) is None


def test_a_shared_cluster_queues_sessions_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(cluster_sessions.KIT_ON_WORKERS, raising=False)
    monkeypatch.setattr(cluster_sessions, "workers_of", lambda page: pytest.fail("asked"))

    cluster_sessions.must_have_room("spark://there:7077", 2)


def test_the_page_is_that_of_the_master_unless_another_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STREAMLAB_MASTER_PAGE", raising=False)
    assert cluster_sessions.page_of("spark://spark-master:7077") == "http://spark-master:8080"

    monkeypatch.setenv("STREAMLAB_MASTER_PAGE", "http://other:1")
    assert cluster_sessions.page_of("spark://spark-master:7077") == "http://other:1"


def test_a_session_takes_its_cores_and_leaves_the_others() -> None:
    assert cluster_sessions.share(2) == {"spark.cores.max": "2", "spark.executor.cores": "1"}


@pytest.mark.parametrize(
    ("kit", "jars", "expected"),
    [
        ("1", ["/a.jar", "/b.jar"], {"spark.jars": "local:/a.jar,local:/b.jar"}),
        ("0", ["/a.jar", "/b.jar"], {"spark.jars": "/a.jar,/b.jar"}),  # Spark sends them
        ("1", [], {}),
    ],
)
def test_executors_receive_the_connector(
    monkeypatch: pytest.MonkeyPatch, kit: str, jars: list[str], expected: dict[str, str]
) -> None:
    monkeypatch.setenv(cluster_sessions.KIT_ON_WORKERS, kit)

    assert cluster_sessions.connector(jars) == expected


@pytest.mark.parametrize(("kit", "there"), [("1", True), ("0", False)])
def test_executors_use_the_class_archive_only_if_they_have_the_kit(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kit: str, there: bool
) -> None:
    (tmp_path / ARCHIVE).touch()
    monkeypatch.setattr(java_command, "prepared_folder", lambda _: tmp_path)
    monkeypatch.setenv(cluster_sessions.KIT_ON_WORKERS, kit)
    options = cluster_sessions.quick_executors("short").get("spark.executor.extraJavaOptions", "")

    assert (f"-XX:SharedArchiveFile={tmp_path / ARCHIVE}" in options) == there
    assert "-Xm" not in options, "Spark rejects memory sizes in the options"


@pytest.mark.parametrize(("switch", "daemon"), [("1", "streamlab.spark.fast_start.workers"), ("0", None)])
def test_workers_with_the_kit_start_as_fast_as_local_ones(
    monkeypatch: pytest.MonkeyPatch, switch: str, daemon: str | None
) -> None:
    monkeypatch.setenv(cluster_sessions.KIT_ON_WORKERS, "1")
    monkeypatch.setenv(fast_start.SWITCH, switch)
    chosen = settings("spark://there:7077", "short", has_own_classes=True)

    assert chosen.get("spark.python.daemon.module") == daemon
    assert ("spark.hadoop.fs.file.impl" in chosen) == (daemon is not None)
    assert "spark.driver.bindAddress" not in chosen


def test_shuffled_rows_are_processed_on_all_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the union of two RDDs with the same partitioner runs on one worker only, as in a query of Lab 4."""
    monkeypatch.setenv(cluster_sessions.KIT_ON_WORKERS, "1")

    assert settings("spark://there:7077", "short")["spark.shuffle.reduceLocality.enabled"] == "false"
