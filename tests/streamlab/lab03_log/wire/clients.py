"""The client script: three kinds of real clients write numbered records to their own topic and read them.

Each returns the records read, `{partition: [(key, value), …]}` in reading order, for any broker at the address.
"""

import importlib.util
import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from kafka import KafkaConsumer, KafkaProducer

from streamlab.sources.topics import read_by_two
from tests.streamlab.services.records import make_topic

RECORDS, KEYS, PARTITIONS = 10_000, 100, 4
LIMIT_S = 60.0
GROUP = "readers"
Read = dict[int, list[tuple[bytes, bytes]]]


def records() -> Iterator[tuple[bytes, bytes]]:
    """Yield (key, value): the values are consecutive numbers, the keys repeat in turn."""
    for number in range(RECORDS):
        yield b"key-%d" % (number % KEYS), b"%d" % number


def by_kafka_python(address: str) -> Read:
    """Use kafka-python's producer, idempotent by default, and a group of two consumers."""
    topic = "by-kafka-python"
    make_topic(address, topic, PARTITIONS)
    owned, read = read_by_two(address, topic, lambda: _send(address, topic), RECORDS, LIMIT_S)

    assert sorted(map(len, owned)) == [PARTITIONS // 2, PARTITIONS // 2]
    return {partition: [(each.key or b"", each.value or b"") for each in read[partition]] for partition in read}


def _send(address: str, topic: str) -> None:
    with KafkaProducer(bootstrap_servers=address) as producer:
        for key, value in records():
            producer.send(topic, value, key=key)


def kafka_python_member(address: str, topic: str, **settings: Any) -> KafkaConsumer:
    """Return a consumer of the group that starts at the first record and knows the topic's partitions before it joins.

    A leader that does not know them assigns nothing, and rejoins when it does. If a `poll` ends while it
    rejoins, kafka-python 3.0.12 waits forever: `need_rejoin` is then False, and it never takes the new assignment.
    """
    member = KafkaConsumer(
        topic, bootstrap_servers=address, group_id=GROUP, auto_offset_reset="earliest", heartbeat_interval_ms=200,
        **settings,
    )  # fmt: skip
    for _ in until(lambda: member.partitions_for_topic(topic) is not None):
        pass
    return member


def read_by(member: KafkaConsumer, count: int = RECORDS) -> Read:
    read: Read = {}
    for _ in until(lambda: sum(map(len, read.values())) >= count):
        for each in (record for got in member.poll(timeout_ms=50).values() for record in got):
            read.setdefault(each.partition, []).append((each.key, each.value))
    return read


def by_confluent_kafka(address: str) -> Read:
    """Use confluent-kafka, a wrapper of the C library librdkafka: an idempotent producer, and a group of one."""
    if importlib.util.find_spec("confluent_kafka") is None and not os.environ.get("CI"):
        pytest.skip("confluent-kafka is not installed: `./lab test` installs it")
    from confluent_kafka import Consumer, Producer
    from confluent_kafka.admin import AdminClient, NewTopic

    topic = "by-confluent-kafka"
    servers = {"bootstrap.servers": address}
    admin = AdminClient(servers)
    admin.create_topics([NewTopic(topic, PARTITIONS, 1)])[topic].result(timeout=LIMIT_S)
    producer = Producer({**servers, "enable.idempotence": True, "linger.ms": 5})
    for key, value in records():
        producer.produce(topic, value, key)
    assert producer.flush(LIMIT_S) == 0
    consumer = Consumer({**servers, "group.id": GROUP, "auto.offset.reset": "earliest"})
    consumer.subscribe([topic])
    read: Read = {}
    for _ in until(lambda: sum(map(len, read.values())) >= RECORDS):
        for each in consumer.consume(1000, timeout=0.2):
            assert each.error() is None
            read.setdefault(each.partition(), []).append((each.key(), each.value()))
    consumer.close()
    return read


def by_spark(address: str, spark: Any, folder: Path) -> Read:
    """Write the records with Spark's Kafka sink, and read them as a stream with Spark's Kafka source."""
    topic = "by-spark"
    servers = {"kafka.bootstrap.servers": address}
    make_topic(address, topic, PARTITIONS)
    texts = [(key.decode(), value.decode()) for key, value in records()]
    rows = spark.createDataFrame(texts, "key string, value string").coalesce(1)
    rows.write.format("kafka").options(**servers, topic=topic).save()
    source = spark.readStream.format("kafka").options(**servers, subscribe=topic, startingOffsets="earliest").load()
    columns = source.selectExpr("partition", "offset", "string(key) key", "string(value) value")
    out = columns.writeStream.format("json").option("checkpointLocation", str(folder / "checkpoint"))
    assert out.trigger(availableNow=True).start(str(folder / "read")).awaitTermination(int(LIMIT_S))
    return _in_order_of_offsets(folder / "read")


def _in_order_of_offsets(folder: Path) -> Read:
    """Return the rows that Spark wrote, ordered by offset, since Spark does not order them."""
    rows = [json.loads(line) for path in folder.glob("*.json") for line in path.read_text().splitlines()]
    read: Read = {}
    for row in sorted(rows, key=lambda row: (row["partition"], row["offset"])):
        read.setdefault(row["partition"], []).append((row["key"].encode(), row["value"].encode()))
    return read


def until(reached: Callable[[], bool]) -> Iterator[int]:
    """Yield 0, 1, 2, … until `reached` returns true; fail after a minute."""
    deadline_s, at = time.monotonic() + LIMIT_S, 0
    while not reached():
        assert time.monotonic() < deadline_s, f"not reached within {LIMIT_S:g} s"
        yield at
        at += 1
