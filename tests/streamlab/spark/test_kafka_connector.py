"""Spark's connector to Kafka: on the class path of sessions that ask for it, and of no other."""

import subprocess
import sys
from pathlib import Path

import pytest

from streamlab.spark import jvm, kafka_connector

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = """
from streamlab import running, session
with running("kafka") as kafka:
    spark = session("connected", kafka=True)
    sent = spark.createDataFrame([(f"k{at}", str(at)) for at in range(100)], ["key", "value"])
    options = {"kafka.bootstrap.servers": kafka.address}
    from kafka import KafkaAdminClient
    admin = KafkaAdminClient(bootstrap_servers=kafka.address)
    admin.create_topics({"t": {"num_partitions": 2}}, wait_for_metadata=True)
    sent.write.format("kafka").options(topic="t", **options).save()
    there = spark.read.format("kafka").options(subscribe="t", **options).load()
    print("read", sorted(int(row.value) for row in there.select(there.value.cast("string").alias("value")).collect()))
"""


def test_spark_writes_to_a_real_broker_and_reads_it_back() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, timeout=180)

    assert done.stdout == f"read {list(range(100))}\n", done.stderr
    assert done.stderr == ""


def test_a_session_that_does_not_ask_has_the_class_path_it_always_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(jvm.CONNECTORS, raising=False)
    assert jvm._connector() == []


def test_where_spark_runs_already_without_it_the_next_step_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from streamlab.spark import sessions

    monkeypatch.setenv(jvm.CONNECTORS, "")
    monkeypatch.setattr(kafka_connector, "fetch", lambda: None)
    without = jvm.Jvm(None, ROOT, None, has_own_classes=False)  # type: ignore[arg-type]
    monkeypatch.setattr(jvm, "start_early", lambda _: without)

    with pytest.raises(jvm.SparkDidNotStart, match="restart the kernel"):
        sessions._java("short", kafka=True)
