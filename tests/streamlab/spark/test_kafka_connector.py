"""Spark's Kafka connector: it is on the class path only of sessions that request it."""

from pathlib import Path
from typing import Any

import pytest

from streamlab.services.base import Service
from streamlab.sources.topics import new_topic
from streamlab.spark import jvm, kafka_connector

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.slow
def test_spark_writes_to_a_real_broker_and_reads_the_records_back(
    spark: Any, kafka: Service, capfd: pytest.CaptureFixture[str]
) -> None:
    sent = spark.createDataFrame([(f"k{at}", str(at)) for at in range(100)], ["key", "value"])
    topic, options = new_topic(kafka.address, 2), {"kafka.bootstrap.servers": kafka.address}
    sent.write.format("kafka").options(topic=topic, **options).save()
    there = spark.read.format("kafka").options(subscribe=topic, **options).load()

    assert sorted(int(row.value) for row in there.select("value").collect()) == list(range(100))
    assert capfd.readouterr().err == ""


def test_a_session_without_the_connector_has_the_usual_class_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(jvm.CONNECTORS, raising=False)
    assert jvm._connector() == []


def test_a_running_spark_without_the_connector_raises_with_the_next_step(monkeypatch: pytest.MonkeyPatch) -> None:
    from streamlab.spark import sessions

    monkeypatch.setenv(jvm.CONNECTORS, "")
    monkeypatch.setattr(kafka_connector, "fetch", lambda: None)
    without = jvm.Jvm(None, ROOT, None, has_own_classes=False)  # type: ignore[arg-type]
    monkeypatch.setattr(jvm, "start_early", lambda _: without)

    with pytest.raises(jvm.SparkDidNotStart, match="restart the kernel"):
        sessions._java("short", kafka=True)
