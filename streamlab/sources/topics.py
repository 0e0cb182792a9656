"""Creates and fills topics, and reads them with a consumer group of two, at any broker that speaks Kafka's protocol."""

import threading
import time
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from itertools import chain
from queue import Empty, Queue
from typing import NamedTuple, Self

from streamlab.granted_time import own_deadline
from streamlab.quiet_log import quiet_log

KeyValueTime = tuple[bytes | None, bytes | None, int]
# By default, a broker rejects records dated more than an hour ahead, and deletes records older than a week.
ANY_TIME = {"message.timestamp.after.max.ms": str(2**63 - 1), "retention.ms": "-1"}
HEARTBEAT_MS = 200  # within this time, a member learns that another one wants to join
POLL_MS = 200


class Record(NamedTuple):
    """One record; a key may be None, and a value of None is a tombstone."""

    offset: int
    timestamp_ms: int
    key: bytes | None
    value: bytes | None


def new_topic(address: str, partitions: int = 2, settings: Mapping[str, str] | None = None) -> str:
    """Create a topic with a unique name, and return the name when producers can write to it.

    `settings` are the topic's own, for example `ANY_TIME` for records of any date.
    """
    name = f"t-{uuid.uuid4().hex[:12]}"
    make_topics(address, {name: partitions}, settings)
    return name


def make_topics(address: str, partitions: Mapping[str, int], settings: Mapping[str, str] | None = None) -> None:
    """Create topics with the given numbers of partitions, and return when each partition has an active leader.

    Metadata name a leader before it is active. A producer that writes in between may get stuck: of two batches in
    flight, the broker rejects the first, accepts the second, and then rejects the first as out of order (Kafka 4.3.1).
    """
    from kafka import KafkaAdminClient, TopicPartition
    from kafka.admin import OffsetSpec

    more = {"replication_factor": 1, "configs": dict(settings or {})}
    topics = {name: {"num_partitions": count, **more} for name, count in partitions.items()}
    each = [TopicPartition(name, number) for name, count in partitions.items() for number in range(count)]
    with quiet_log("kafka"), closing(KafkaAdminClient(bootstrap_servers=address)) as admin:
        admin.create_topics(topics, wait_for_metadata=True)
        admin.list_partition_offsets(dict.fromkeys(each, OffsetSpec.LATEST))  # only leaders answer; it retries


def delete_topic(address: str, topic: str) -> None:
    """Delete a topic and all its records."""
    from kafka import KafkaAdminClient

    with quiet_log("kafka"), closing(KafkaAdminClient(bootstrap_servers=address)) as admin:
        admin.delete_topics([topic])


def send(address: str, topic: str, records: Iterable[KeyValueTime]) -> None:
    """Send (key, value, timestamp in ms) and return when all are acknowledged; raises Kafka's error if one is not."""
    from kafka import KafkaProducer

    with quiet_log("kafka"), closing(KafkaProducer(bootstrap_servers=address, acks="all")) as producer:
        sent = [producer.send(topic, value, key=key, timestamp_ms=when_ms) for key, value, when_ms in records]
        producer.flush()
        for each in sent:
            each.get(timeout=0)


def read_by_two(
    address: str, topic: str, fill: Callable[[], None], expected: int, patience_s: float = 30.0
) -> tuple[list[list[int]], dict[int, list[Record]]]:
    """Return the partitions of each of two kafka-python consumers in one group, and the records read, by partition.

    `fill()` is called when each consumer has its share of the partitions and no partition is in both. Then the function
    waits for `expected` records, and returns those that arrived in time. Timestamps are left out (0). Raises
    TimeoutError if the group does not form.
    """
    deadline = own_deadline(patience_s)
    received: Queue[tuple[int, list[Record]]] = Queue()
    with quiet_log("kafka"), ExitStack() as stack:
        members = [stack.enter_context(_Reader(address, topic, received)) for _ in range(2)]
        while not _is_shared_out([each.share() for each in members]):
            if deadline.is_over:
                raise TimeoutError(f"a group of two did not form in {patience_s:g} s")
            time.sleep(0.01)
        owned = [sorted(each.share()) for each in members]
        fill()
        got: dict[int, list[Record]] = {partition: [] for partition in sorted(chain(*owned))}
        while sum(map(len, got.values())) < expected and not deadline.is_over:
            with suppress(Empty):
                partition, records = received.get(timeout=POLL_MS / 1000)
                got[partition] += records
            for each in members:
                each.share()
        return owned, got


class _Reader:
    """A member of the topic's group of readers, polled by a separate thread while the `with` block runs.

    Both points below are for kafka-python 3.0.12. Each member has a thread, since one thread that polls two members in
    turns may rebalance for ever: the member that is answered during the other's poll rejoins, so the other one has to
    rejoin, too. A member learns the topic's partitions before it joins, since a leader without them assigns nothing,
    and its second attempt may get lost.
    """

    def __init__(self, address: str, topic: str, received: "Queue[tuple[int, list[Record]]]") -> None:
        self._address, self._topic, self._received = address, topic, received
        self._share: frozenset[int] = frozenset()
        self._problem: Exception | None = None
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *problem: object) -> None:
        self._is_over.set()
        self._thread.join()

    def share(self) -> frozenset[int]:
        """Return its partitions after the last poll; raises the error that ended its thread."""
        if self._problem is not None:
            raise self._problem
        return self._share

    def _run(self) -> None:
        try:
            self._poll()
        except Exception as problem:
            self._problem = problem

    def _poll(self) -> None:
        from kafka import KafkaConsumer

        settings = {"bootstrap_servers": self._address, "group_id": f"readers of {self._topic}"}
        more = {"auto_offset_reset": "earliest", "heartbeat_interval_ms": HEARTBEAT_MS}
        with closing(KafkaConsumer(self._topic, **settings, **more)) as consumer:
            while not consumer.partitions_for_topic(self._topic) and not self._is_over.wait(0.02):
                pass
            while not self._is_over.is_set():
                for place, records in consumer.poll(POLL_MS).items():
                    read = [Record(each.offset, 0, each.key, each.value) for each in records]
                    self._received.put((place.partition, read))
                self._share = frozenset(each.partition for each in consumer.assignment())


def _is_shared_out(shares: Sequence[frozenset[int]]) -> bool:
    """Return whether each member has partitions and none is in two: until then, a member waits to give some up."""
    return all(shares) and len(frozenset().union(*shares)) == sum(map(len, shares))
