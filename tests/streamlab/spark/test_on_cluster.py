"""What a session on a cluster has in addition to every session's settings."""

import socket

import pytest

from streamlab.java.finder import find_java
from streamlab.services.ports import free_ports
from streamlab.spark import on_cluster
from streamlab.spark.cluster import Workers
from streamlab.spark.jvm import SparkDidNotStart
from streamlab.spark.prepared import prepared_folder
from streamlab.spark.sessions import settings


def test_a_master_that_does_not_answer_is_said_at_once() -> None:
    (port,) = free_ports(1)

    with pytest.raises(SparkDidNotStart, match=f"no Spark master answers at spark://127.0.0.1:{port} .*refused"):
        on_cluster.must_answer(f"spark://127.0.0.1:{port}")


def test_one_of_several_masters_is_enough() -> None:
    (nobody,) = free_ports(1)
    with socket.create_server(("127.0.0.1", 0)) as server:
        on_cluster.must_answer(f"spark://127.0.0.1:{nobody},127.0.0.1:{server.getsockname()[1]}")


@pytest.mark.parametrize("master", ["spark://", "spark://there:port"])
def test_a_master_that_is_no_address_is_said_too(master: str) -> None:
    with pytest.raises(SparkDidNotStart, match="no Spark master answers at"):
        on_cluster.must_answer(master)


def test_a_session_that_would_find_no_room_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(on_cluster.KIT_ON_WORKERS, "1")
    monkeypatch.setattr(on_cluster, "ROOM_LIMIT_S", 0.0)
    monkeypatch.setattr(on_cluster, "workers_of", lambda page: Workers(alive=2, cores=6, cores_used=5))

    with pytest.raises(
        SparkDidNotStart, match="a session takes 2 cores and the cluster has 1 free: shut down a kernel"
    ):
        on_cluster.must_have_room("spark://there:7077", 2)


def test_a_session_waits_for_cores_that_are_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    told = iter([Workers(2, 6, 6), Workers(2, 6, 5), Workers(2, 6, 4)])
    monkeypatch.setenv(on_cluster.KIT_ON_WORKERS, "1")
    monkeypatch.setattr(on_cluster, "LOOK_EVERY_S", 0.0)
    monkeypatch.setattr(on_cluster, "workers_of", lambda page: next(told))

    on_cluster.must_have_room("spark://there:7077", 2)

    assert next(told, None) is None


def test_a_cluster_that_others_share_queues_sessions_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(on_cluster.KIT_ON_WORKERS, raising=False)
    monkeypatch.setattr(on_cluster, "workers_of", lambda page: pytest.fail("asked"))

    on_cluster.must_have_room("spark://there:7077", 2)


@pytest.mark.parametrize(
    ("named", "expected"), [(None, "http://spark-master:8080"), ("http://other:1", "http://other:1")]
)
def test_the_page_is_the_masters_unless_it_is_named(
    monkeypatch: pytest.MonkeyPatch, named: str | None, expected: str
) -> None:
    monkeypatch.delenv("STREAMLAB_MASTER_PAGE", raising=False)
    if named:
        monkeypatch.setenv("STREAMLAB_MASTER_PAGE", named)

    assert on_cluster.page_of("spark://spark-master:7077") == expected


def test_a_session_takes_its_cores_and_leaves_the_others() -> None:
    assert on_cluster.share(2) == {"spark.cores.max": "2", "spark.executor.cores": "1"}


@pytest.mark.parametrize(
    ("kit", "jars", "expected"),
    [
        ("1", ["/a.jar", "/b.jar"], {"spark.jars": "local:/a.jar,local:/b.jar"}),
        ("0", ["/a.jar", "/b.jar"], {"spark.jars": "/a.jar,/b.jar"}),  # Spark sends them
        ("1", [], {}),
    ],
)
def test_executors_get_the_connector(
    monkeypatch: pytest.MonkeyPatch, kit: str, jars: list[str], expected: dict[str, str]
) -> None:
    monkeypatch.setenv(on_cluster.KIT_ON_WORKERS, kit)

    assert on_cluster.connector(jars) == expected


@pytest.mark.skipif(prepared_folder(find_java()) is None, reason="Spark is not prepared here")
@pytest.mark.parametrize(("kit", "there"), [("1", True), ("0", False)])
def test_executors_use_the_class_archive_only_where_they_have_the_kit(
    monkeypatch: pytest.MonkeyPatch, kit: str, there: bool
) -> None:
    monkeypatch.setenv(on_cluster.KIT_ON_WORKERS, kit)

    options = on_cluster.quick_executors("short").get("spark.executor.extraJavaOptions", "")

    assert ("-XX:SharedArchiveFile=" in options) == there
    assert "-Xm" not in options, "Spark refuses sizes among the options"


def test_workers_with_the_kit_are_as_quick_as_local_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(on_cluster.KIT_ON_WORKERS, "1")

    chosen = settings("spark://there:7077", "short", has_own_classes=True)

    assert chosen["spark.python.daemon.module"] == "streamlab.spark.workers"
    assert chosen["spark.hadoop.fs.file.impl"] == "streamlab.QuietFiles"
    assert "spark.driver.bindAddress" not in chosen
