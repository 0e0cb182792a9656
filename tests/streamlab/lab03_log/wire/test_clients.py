"""The same client script against the wire server and against Apache Kafka: the same records in the same partitions."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from streamlab.lab03_log.wire.server import WireServer
from streamlab.services.base import Service
from tests.streamlab.lab03_log.wire.clients import Read, by_confluent_kafka, by_kafka_python, by_spark, records

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("client", [by_kafka_python, by_confluent_kafka])
def test_each_record_is_read_once_in_order_and_from_the_same_partition_as_with_apache_kafka(
    client: Callable[[str], Read], wire: WireServer, real_kafka: Service
) -> None:
    ours, theirs = client(wire.address), client(real_kafka.address)

    assert_each_once_and_in_order(ours)
    assert ours == theirs


def test_sparks_sink_and_source_read_the_same_records_as_with_apache_kafka(
    wire: WireServer, real_kafka: Service, spark: Any, tmp_path: Path
) -> None:
    ours = by_spark(wire.address, spark, tmp_path / "ours")
    theirs = by_spark(real_kafka.address, spark, tmp_path / "theirs")

    assert_each_once_and_in_order(ours)
    assert ours == theirs


def assert_each_once_and_in_order(read: Read) -> None:
    assert sorted(record for partition in read.values() for record in partition) == sorted(records())
    for partition in read.values():
        numbers = [int(value) for _, value in partition]
        assert numbers == sorted(numbers)
