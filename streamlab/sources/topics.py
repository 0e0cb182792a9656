"""Topics with records in them, and a group of two that reads them, by whatever broker speaks Kafka's protocol.

Keeps out: brokers, and what the records mean.
"""

import logging
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import chain
from queue import Empty, Queue
from typing import Self

from streamlab.wire.batches import Record

KeyValueTime = tuple[bytes | None, bytes | None, int]
# A broker rejects what is dated more than an hour ahead, and drops what is dated a week back.
ANY_TIME = {"message.timestamp.after.max.ms": str(2**63 - 1), "retention.ms": "-1"}
HEARTBEAT_MS = 200  # how soon a member hears that another one wants to join
POLL_MS = 200


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

    `fill()` is called when both have their share of the partitions and no partition is in both; then `expected` records
    are waited for, and what came in time is returned. Timestamps are left out (0). Raises TimeoutError if the group
    does not form.
    """
    deadline = time.monotonic() + patience_s
    came: Queue[tuple[int, list[Record]]] = Queue()
    with _quiet_clients(), ExitStack() as open_until_the_end:
        members = [open_until_the_end.enter_context(_Reader(address, topic, came)) for _ in range(2)]
        while not _is_shared_out([each.share() for each in members]):
            if time.monotonic() > deadline:
                raise TimeoutError(f"a group of two did not form in {patience_s:g} s")
            time.sleep(0.01)
        owned = [sorted(each.share()) for each in members]
        fill()
        got: dict[int, list[Record]] = {partition: [] for partition in sorted(chain(*owned))}
        while sum(map(len, got.values())) < expected and time.monotonic() < deadline:
            with suppress(Empty):
                partition, records = came.get(timeout=POLL_MS / 1000)
                got[partition] += records
            for each in members:
                each.share()
        return owned, got


class _Reader:
    """A member of the topic's group of readers, polled by a thread of its own while the `with` block runs.

    Both are for kafka-python 3.0.12. One thread that polls two members in turns may do so for ever: who is answered
    while the other one is polled joins again, and the other one then has to. And the member knows the topic's
    partitions before it joins: a leader that does not assigns nothing, and its second try may be lost.
    """

    def __init__(self, address: str, topic: str, came: "Queue[tuple[int, list[Record]]]") -> None:
        self._address, self._topic, self._came = address, topic, came
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
        """Return its partitions after the last poll; raises what ended its thread."""
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
                    self._came.put((place.partition, read))
                self._share = frozenset(each.partition for each in consumer.assignment())


def _is_shared_out(shares: Sequence[frozenset[int]]) -> bool:
    """Whether each member has partitions and none has another's: one that is still to give some up has not heard."""
    return all(shares) and len(frozenset().union(*shares)) == sum(map(len, shares))


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
