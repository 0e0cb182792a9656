"""Sessions and streaming contexts: one silent session, and streams that always stop."""

import os
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

from streamlab.spark import fast_start, jvm
from streamlab.spark.sessions import session, settings, streaming
from tests.streamlab.spark.plain_cluster import wait_until

LIMIT_S = 60.0

SILENT = """
import sys
from pyspark.errors import AnalysisException
from pyspark.sql import functions
from streamlab.spark import fast_start, jvm
from streamlab import session, streaming
spark = session("silent")
context = spark.sparkContext
context.parallelize(["a b"], 2).map(lambda line: print(line, file=sys.stderr) or line).collect()
try:
    context.parallelize([0], 1).map(lambda number: 1 / number).collect()
except Exception as error:
    assert "ZeroDivisionError" in str(error)
words = functions.udf(str.split, "array<string>")
for wrong in (lambda: spark.range(1).select(words("line")), lambda: spark.sql("select line from range(1)")):
    try:
        wrong()
    except AnalysisException as error:
        assert "UNRESOLVED_COLUMN" in str(error)
    else:
        raise AssertionError("a missing column was found")
seen = []
with streaming(spark, 0.2) as stream:
    stream.queueStream([context.parallelize(["a"])]).foreachRDD(lambda rdd: seen.extend(rdd.collect()))
    stream.start()
    while not seen:
        stream.awaitTerminationOrTimeout(0.05)
jvm.start_early().process.kill()
jvm.start_early().process.wait()
assert session("again").range(3).count() == 3
"""

ENDED = """
from streamlab.spark import jvm
from streamlab.spark.sessions import end_session, session
end_session()  # no session exists
spark = session("first", more={"spark.sql.shuffle.partitions": "7"})
first = jvm.start_early().process
assert spark.conf.get("spark.sql.shuffle.partitions") == "7"
end_session()
assert first.poll() is not None
assert session("second").range(3).count() == 3
assert jvm.start_early().process.pid != first.pid
"""


def test_a_running_session_is_returned_unchanged(spark: Any) -> None:
    assert session("another", cores=1) is spark


def test_a_session_that_the_notebook_created_is_used(monkeypatch: pytest.MonkeyPatch, spark: Any) -> None:
    from pyspark import SparkContext

    class FromSparksOwnBuilder:
        def __getattr__(self, name: str) -> str:
            return name  # as py4j's gateway does

    monkeypatch.setattr(SparkContext, "_gateway", FromSparksOwnBuilder())
    monkeypatch.setattr(jvm, "start_early", lambda *_: pytest.fail("a second Java process"))

    assert session("another") is spark


def test_a_session_has_the_requested_cores_and_the_python_of_its_caller(spark: Any) -> None:
    context = spark.sparkContext
    pythons = set(context.parallelize(range(2), 2).map(lambda _: __import__("sys").executable).collect())

    assert context.master == os.environ.get("STREAMLAB_MASTER", "local[2]")
    assert pythons == {sys.executable}


def test_a_session_without_a_core_is_rejected() -> None:
    with pytest.raises(ValueError, match="needs 1 core or more, got 0"):
        session("none", cores=0)


def test_a_session_is_bound_to_the_loopback(spark: Any) -> None:
    assert spark.conf.get("spark.driver.host") == "127.0.0.1"
    assert spark.sparkContext.uiWebUrl is None


@pytest.mark.parametrize(
    ("master", "tuning", "name", "expected"),
    [
        ("local[2]", "short", "spark.sql.codegen.wholeStage", "false"),
        ("local[2]", "throughput", "spark.sql.codegen.wholeStage", "true"),
        ("local[2]", "short", "spark.driver.bindAddress", "127.0.0.1"),
        ("spark://there:7077", "short", "spark.driver.bindAddress", None),  # the cluster's workers call the driver
        ("spark://there:7077", "short", "spark.python.daemon.module", None),  # the kit may not be installed there
        ("spark://there:7077", "short", "spark.hadoop.fs.file.impl", None),
        ("local[2]", "short", "spark.hadoop.fs.file.impl", "streamlab.QuietFiles"),
    ],
)
def test_settings_depend_on_master_and_tuning(
    monkeypatch: pytest.MonkeyPatch, master: str, tuning: str, name: str, expected: str | None
) -> None:
    monkeypatch.delenv(fast_start.SWITCH, raising=False)

    assert settings(master, tuning, has_own_classes=True).get(name) == expected


@pytest.mark.parametrize(("asked", "enabled"), [("1", "true"), ("0", "false"), (None, "false")])
def test_the_web_page_is_off_unless_requested(monkeypatch: pytest.MonkeyPatch, asked: str | None, enabled: str) -> None:
    monkeypatch.delenv("STREAMLAB_UI", raising=False)
    if asked:
        monkeypatch.setenv("STREAMLAB_UI", asked)

    assert settings("local[2]", "short")["spark.ui.enabled"] == enabled


def test_every_tuning_has_a_settings_file() -> None:
    assert all((jvm.CONF / f"{tuning}.conf").exists() for tuning in jvm.TUNINGS)


def test_a_stream_stops_at_the_end_of_its_block_and_the_session_continues(spark: Any) -> None:
    seen: list[str] = []
    with streaming(spark, 0.1) as stream:
        batch = spark.sparkContext.parallelize(["a"], 1)
        stream.queueStream([batch]).foreachRDD(lambda rdd: seen.extend(rdd.collect()))
        stream.start()
        wait_until(lambda: seen == ["a"], "no progress")

    assert stream._jssc.ssc().getState().toString() == "STOPPED"
    assert spark.range(3).count() == 3


def test_a_stream_stops_when_its_block_fails(spark: Any) -> None:
    streams = []

    def cell_that_fails() -> None:
        with streaming(spark, 0.1) as stream:
            streams.append(stream)
            stream.queueStream([spark.sparkContext.parallelize(["a"])]).foreachRDD(lambda rdd: rdd.count())
            stream.start()
            raise KeyError("a mistake")

    with pytest.raises(KeyError):
        cell_that_fails()

    assert streams[0]._jssc.ssc().getState().toString() == "STOPPED"


def test_a_stream_left_running_by_an_earlier_cell_is_stopped_first(spark: Any) -> None:
    from pyspark.streaming import StreamingContext

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        left = StreamingContext(spark.sparkContext, 1)
    left.queueStream([spark.sparkContext.parallelize(["a"])]).foreachRDD(lambda rdd: rdd.count())
    left.start()

    with streaming(spark, 0.1) as stream:
        stream.queueStream([spark.sparkContext.parallelize(["a"])]).foreachRDD(lambda rdd: rdd.count())
        stream.start()  # Java allows one running context

    assert left._jssc.ssc().getState().toString() == "STOPPED"


def test_spark_does_not_warn_about_deprecated_streams(spark: Any) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with streaming(spark, 0.5):
            pass

    assert not [each for each in caught if "DStream" in str(each.message)]


def test_a_batch_length_of_zero_is_rejected(spark: Any) -> None:
    with pytest.raises(ValueError, match=r"0.001 s or more, got 0"), streaming(spark, 0):
        pass


@pytest.mark.slow
def test_a_whole_program_is_silent_even_with_failed_queries_and_a_killed_java(tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONPATH": str(jvm.ROOT)}
    program = [sys.executable, "-c", SILENT]
    ran = subprocess.run(program, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=LIMIT_S)

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    assert list(tmp_path.iterdir()) == []  # no spark-warehouse, no metastore, no artifacts


@pytest.mark.slow
def test_a_session_has_the_requested_settings_and_ends_with_its_java() -> None:
    ran = subprocess.run([sys.executable, "-c", ENDED], capture_output=True, text=True, timeout=120)

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
