"""Topics with records in them, and a group of two that reads them, by whatever broker speaks Kafka's protocol.

Keeps out: brokers, and what the records mean.
"""

import logging
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from itertools import chain
from typing import Any

from streamlab.wire.batches import Record

KeyValueTime = tuple[bytes | None, bytes | None, int]
# A broker rejects what is dated more than an hour ahead, and drops what is dated a week back.
ANY_TIME = {"message.timestamp.after.max.ms": str(2**63 - 1), "retention.ms": "-1"}


def new_topic(address: str, partitions: int = 2, settings: Mapping[str, str] | None = None) -> str:
    """Make a topic with a name that no other has, and return the name when it can be written to.

    `settings` are the topic's own, as `ANY_TIME` for records of any date.
    """
    name = f"t-{uuid.uuid4().hex[:12]}"
    make_topics(address, {name: partitions}, settings)
    return name


def make_topics(address: str, partitions: Mapping[str, int], settings: Mapping[str, str] | None = None) -> None:
    """Make topics with so many partitions each, and return when each partition is led.

    Metadata name a leader before it is one. Who writes in between may be stuck: of two batches in flight the broker
    rejects the first, takes the second, and from then on says of the first that it is out of order (Kafka 4.3.1).
    """
    from kafka import KafkaAdminClient, TopicPartition
    from kafka.admin import OffsetSpec

    more = {"replication_factor": 1, "configs": dict(settings or {})}
    topics = {name: {"num_partitions": count, **more} for name, count in partitions.items()}
    each = [TopicPartition(name, number) for name, count in partitions.items() for number in range(count)]
    with _quiet_clients(), closing(KafkaAdminClient(bootstrap_servers=address)) as admin:
        admin.create_topics(topics, wait_for_metadata=True)
        admin.list_partition_offsets(dict.fromkeys(each, OffsetSpec.LATEST))  # leaders alone answer; it asks until then


def delete_topic(address: str, topic: str) -> None:
    """Delete a topic and all that is in it."""
    from kafka import KafkaAdminClient

    with _quiet_clients(), closing(KafkaAdminClient(bootstrap_servers=address)) as admin:
        admin.delete_topics([topic])


def send(address: str, topic: str, records: Iterable[KeyValueTime]) -> None:
    """Send (key, value, timestamp in ms) and return when all are acknowledged; raises Kafka's error if one is not."""
    from kafka import KafkaProducer

    with _quiet_clients(), closing(KafkaProducer(bootstrap_servers=address, acks="all")) as producer:
        sent = [producer.send(topic, value, key=key, timestamp_ms=when_ms) for key, value, when_ms in records]
        producer.flush()
        for each in sent:
            each.get(timeout=0)


def read_by_two(
    address: str, topic: str, fill: Callable[[], None], expected: int, patience_s: float = 30.0
) -> tuple[list[list[int]], dict[int, list[Record]]]:
    """The partitions of each of two kafka-python consumers in one group, and the records that came, by partition.

    `fill()` is called when both have their share of the partitions; then `expected` records are waited for, and what
    came in time is returned. Timestamps are left out (0). Raises TimeoutError if the group does not form.
    """
    from kafka import KafkaConsumer

    settings = {"bootstrap_servers": address, "group_id": f"readers of {topic}", "auto_offset_reset": "earliest"}
    with _quiet_clients(), ExitStack() as open_until_the_end:
        members = [open_until_the_end.enter_context(closing(KafkaConsumer(topic, **settings))) for _ in range(2)]
        deadline = time.monotonic() + patience_s
        while not all(each.assignment() for each in members):
            if time.monotonic() > deadline:
                raise TimeoutError(f"a group of two did not form in {patience_s:g} s")
            _polled(members)
        owned = [sorted(place.partition for place in each.assignment()) for each in members]
        fill()
        got: dict[int, list[Record]] = {partition: [] for partition in sorted(chain(*owned))}
        while sum(map(len, got.values())) < expected and time.monotonic() < deadline:
            for partition, records in _polled(members):
                got[partition] += records
        return owned, got


def _polled(members: Iterable[Any]) -> list[tuple[int, list[Record]]]:
    """What one poll of each member brings."""
    return [
        (place.partition, [Record(each.offset, 0, each.key, each.value) for each in came])
        for member in members
        for place, came in member.poll(50).items()
    ]


@contextmanager
def _quiet_clients() -> Iterator[None]:
    """kafka-python warns of what passes by itself, on stderr, where nothing may stand in a notebook; errors raise."""
    log = logging.getLogger("kafka")
    before = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(before)
