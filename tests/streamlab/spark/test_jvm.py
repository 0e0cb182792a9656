"""Spark's Java process: its start, end, failures and folder; settings of elastic sessions; spark-submit's Java."""

import logging
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from streamlab.java.finder import VECTOR_MODULE, Java
from streamlab.spark import elastic, fast_start, jvm, spark_submit
from streamlab.spark.jvm import is_local


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the path of a script that replaces Java; the test writes it. Temporary folders are in `tmp_path`."""
    path = tmp_path / "java"
    monkeypatch.delenv(fast_start.SWITCH, raising=False)
    monkeypatch.setattr(jvm, "find_java", lambda: Java(str(path), str(tmp_path), 17, True))
    monkeypatch.setattr(jvm, "prepared_folder", lambda _: None)
    monkeypatch.setattr(jvm, "_started", None)
    monkeypatch.setattr(jvm.tempfile, "tempdir", str(tmp_path))
    return path


def write(program: Path, lines: str) -> None:
    program.write_text(f"#!/bin/sh\n{lines}\n")
    program.chmod(0o755)


def test_the_output_of_a_failed_java_is_in_the_error(program: Path) -> None:
    write(program, "echo starting; echo 'Error: no such option' >&2; echo; exit 3")

    with pytest.raises(jvm.SparkDidNotStart, match=r"ended with code 3: Error: no such option$"):
        jvm.start_early().address()


def test_an_error_of_a_session_says_why_java_ended(program: Path) -> None:
    write(program, r"printf 'ERROR Utils\njava.io.IOException: disk full\n\tat A.b(A.java:1)\n\t... 3 more\n'; exit 1")
    started = jvm.start_early()

    message = r"ended with code 1: java.io.IOException: disk full$"
    with pytest.raises(jvm.SparkDidNotStart, match=message), started.end_explained():
        raise ConnectionRefusedError


def test_an_error_of_a_session_stays_if_java_still_runs(monkeypatch: pytest.MonkeyPatch, program: Path) -> None:
    monkeypatch.setattr(jvm, "END_LIMIT_S", 0.05)
    write(program, "exec sleep 60")
    started = jvm.start_early()

    with pytest.raises(ConnectionRefusedError), started.end_explained():
        raise ConnectionRefusedError
    started.stop()


def test_a_java_that_hangs_is_reported_after_the_time_limit(monkeypatch: pytest.MonkeyPatch, program: Path) -> None:
    monkeypatch.setattr(jvm, "START_LIMIT_S", 0.05)
    write(program, "exec sleep 60")
    started = jvm.start_early()

    with pytest.raises(jvm.SparkDidNotStart, match="did not answer"):
        started.address()
    started.stop()


def test_the_address_is_read_from_the_file_that_java_writes(program: Path) -> None:
    content, path = r"\000\000\037\220\000\000\000\003key", "$_PYSPARK_DRIVER_CONN_INFO_PATH"
    write(program, f'printf \'{content}\' > "{path}.new"; mv "{path}.new" "{path}"; exec sleep 60')
    started = jvm.start_early()

    assert started.address() == (8080, "key")
    started.stop()


def test_java_starts_once_and_again_only_after_it_has_ended(program: Path) -> None:
    write(program, "exec sleep 60")
    first, same = jvm.start_early(), jvm.start_early()
    first.stop()
    second = jvm.start_early()

    assert same is first
    assert second is not first
    second.stop()


def test_stop_leaves_no_process_and_no_folder_even_if_called_twice(program: Path) -> None:
    write(program, "exec sleep 60")
    started = jvm.start_early()
    started.stop()
    started.stop()

    assert not started.is_running
    assert not started.folder.exists()


def test_the_folder_of_a_killed_python_is_removed_at_the_next_start(program: Path, tmp_path: Path) -> None:
    write(program, "exec sleep 60")
    killed = tmp_path / f"{jvm.FOLDER_PREFIX}killed"
    killed.mkdir()
    (killed / "alive").touch()  # no process holds its lock
    running = jvm.start_early()
    jvm._started = None
    another = jvm.start_early()

    assert not killed.exists()
    assert running.folder.exists()
    running.stop()
    another.stop()


def test_java_with_enough_time_ends_by_itself(program: Path) -> None:
    write(program, "read nothing; exit 7")  # it ends with its input, as Spark's gateway does
    started = jvm.start_early()
    started.stop(limit_s=10)

    assert started.process.returncode == 7


def test_java_does_not_get_spark_home_or_its_zip_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SPARK_HOME", "/opt/spark")
    monkeypatch.setenv("PYTHONPATH", "/mine")
    monkeypatch.delenv(jvm.EXECUTORS, raising=False)  # an elastic session of an earlier test
    environment = jvm._environment(tmp_path)

    assert "SPARK_HOME" not in environment
    assert environment["PYTHONPATH"] == f"{jvm.ROOT}:/mine"


@pytest.mark.parametrize(
    ("master", "bound"),
    [(None, "127.0.0.1"), ("local[3]", "127.0.0.1"), ("spark://there:7077", None)],  # a cluster calls back
)
def test_java_is_bound_to_the_loopback_unless_a_cluster_is_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, master: str | None, bound: str | None
) -> None:
    monkeypatch.delenv("SPARK_LOCAL_IP", raising=False)
    monkeypatch.delenv("STREAMLAB_MASTER", raising=False)
    if master:
        monkeypatch.setenv("STREAMLAB_MASTER", master)

    assert jvm._environment(tmp_path).get("SPARK_LOCAL_IP") == bound


def test_the_error_for_an_unknown_tuning_lists_the_known_ones() -> None:
    with pytest.raises(ValueError, match="short, throughput, got 'fast'"):
        jvm.tuned_as("fast")


def test_connecting_leaves_no_secret_in_the_environment(spark: Any) -> None:
    assert not [name for name in os.environ if name.startswith("PYSPARK_GATEWAY")]


def test_an_error_that_py4j_raises_is_not_also_logged(caplog: pytest.LogCaptureFixture) -> None:
    root = logging.Logger("root of this test")
    root.addFilter(jvm.RaisedAnyway())
    root.addHandler(caplog.handler)
    root.error("Exception while sending command.")
    root.error("anything else")

    assert caplog.messages == ["anything else"]


@pytest.mark.parametrize("switch", ["0", "1"])
def test_executors_never_write_to_pysparks_folder(switch: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(fast_start.SWITCH, switch)
    monkeypatch.setenv(jvm.EXECUTORS, "1")

    assert jvm._environment(tmp_path)["SPARK_HOME"] == str(tmp_path / "spark")


def test_java_gets_no_options_that_were_set_for_other_programs(monkeypatch: pytest.MonkeyPatch, program: Path) -> None:
    options = ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH", "SPARK_SUBMIT_OPTS", "SPARK_HOME")
    for name in options:
        monkeypatch.setenv(name, "-Xmx256m")
    write(program, f"echo the options are {''.join(f'${name}' for name in options)}; exit 1")

    with pytest.raises(jvm.SparkDidNotStart, match=r"the options are$"):
        jvm.start_early().address()


def test_the_launcher_gets_its_own_java_home_and_not_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(fast_start.SWITCH, "0")
    monkeypatch.setenv("JAVA_HOME", "/of/the/user")

    assert jvm._environment(tmp_path)["JAVA_HOME"] == jvm.spark_submit.java_home()


def test_an_elastic_master_is_local() -> None:
    assert elastic.master(2, 2) == "local-cluster[2,2,700]"
    assert is_local(elastic.master(1, 3))


@pytest.mark.parametrize(("workers", "cores"), [(0, 2), (2, 0), (-1, 1)])
def test_an_elastic_master_needs_a_worker_and_a_core(workers: int, cores: int) -> None:
    with pytest.raises(ValueError, match="1 worker of 1 core or more"):
        elastic.master(workers, cores)


def test_executors_find_spark_and_write_to_their_own_folder(tmp_path: Path) -> None:
    environment = elastic.environment(tmp_path)

    home = Path(environment["SPARK_HOME"])
    assert home.parent == tmp_path
    assert (home / "jars").is_dir()
    assert not (home / "work").exists()
    assert environment["SPARK_SCALA_VERSION"].startswith("2.")


def test_a_complete_java_is_used_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spark_submit, "find_java", lambda: Java("/j/bin/java", "/j", 17, has_vector_module=True))

    assert spark_submit.java_home() == "/j"


def test_the_wrapper_drops_the_missing_module_and_nothing_else(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "a java"
    program.write_text('#!/bin/sh\nprintf "%s|" "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("STREAMLAB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(spark_submit, "find_java", lambda: Java(str(program), "", 21, has_vector_module=False))
    wrapper = Path(spark_submit.java_home(), "bin", "java")
    ran = subprocess.run([wrapper, "-Xmx1g", VECTOR_MODULE, "-cp", "a b:*", ""], capture_output=True, text=True)

    assert ran.stdout == "-Xmx1g|-cp|a b:*||"
