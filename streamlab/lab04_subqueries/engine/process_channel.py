"""Channels between processes: messages are records of a log that speaks Kafka's protocol.

Each subquery has a topic with one partition per instance; all senders to an instance write to its partition.
"""

import json
from collections.abc import Iterable
from typing import Any, Self

from streamlab.lab04_subqueries.engine.deployment import Deployment
from streamlab.lab04_subqueries.engine.messages import Message
from streamlab.lab04_subqueries.engine.rows import Arrival

RESULTS = "results"
POLL_MS = 100


class SendingFailed(RuntimeError):
    """The log did not accept a message; the error message contains the client's error."""


def topic_of(k: int) -> str:
    """Return the topic of subquery k. Example: topic_of(0) -> "SQ1"."""
    return f"SQ{k + 1}"


class Sender:
    """A sender that routes its arrivals with balancers and writes one record per receiver, even if it is empty.

    The numbers of its messages therefore depend only on the records that it has read. An instance that reads them again
    sends the same messages with the same numbers.
    """

    def __init__(self, to: Deployment, name: str, streams: Iterable[str], address: str) -> None:
        from kafka import KafkaProducer

        self._to, self._name, self._number = to, name, 0
        self._routes, self._results = to.routes(streams), frozenset(streams) & frozenset(to.query.results)
        self._producer = KafkaProducer(bootstrap_servers=address, linger_ms=1, retries=0)
        self._failures: list[BaseException] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._producer.close(timeout=None if kind is None else 0)

    def send(self, arrivals: list[Arrival], until_ms: int) -> None:
        """Send each arrival to the instances that its balancer chooses, and the promise `until_ms` to all receivers."""
        for (k, i), some in self._to.addressed(self._routes, arrivals).items():
            self._write(topic_of(k), i, some, until_ms)
        if self._results:
            self._write(RESULTS, 0, [each for each in arrivals if each.stream in self._results], until_ms)
        self._number += 1

    def flush(self) -> None:
        """Wait until the log has all messages; raises `SendingFailed` if it did not accept one."""
        self._producer.flush()
        self.verify()

    def verify(self) -> None:
        """Raise `SendingFailed` if the log did not accept one of the messages sent so far."""
        if self._failures:
            raise SendingFailed(f"{self._name} could not write to the log: {self._failures[0]!r}")

    def _write(self, topic: str, partition: int, arrivals: list[Arrival], until_ms: int) -> None:
        message = Message(self._name, self._number, arrivals, until_ms)
        future = self._producer.send(topic, json.dumps(message).encode(), partition=partition)
        future.add_errback(self._failures.append)


class Receiver:
    """Reads one partition from its first record on."""

    def __init__(self, topic: str, partition: int, address: str) -> None:
        from kafka import KafkaConsumer, TopicPartition

        self._consumer = KafkaConsumer(bootstrap_servers=address, group_id=None, fetch_max_wait_ms=200)
        topic_partition = TopicPartition(topic, partition)
        self._consumer.assign([topic_partition])
        self._consumer.seek(topic_partition, 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._consumer.close()

    def messages(self) -> list[Message]:
        """Return the messages that are available now, in log order; waits at most POLL_MS for the first one."""
        polled: dict[Any, Any] = self._consumer.poll(POLL_MS)
        return [_decoded(record.value) for records in polled.values() for record in records]


def _decoded(value: bytes) -> Message:
    sender, number, arrivals, until_ms = json.loads(value)
    return Message(sender, number, [Arrival(*each) for each in arrivals], until_ms)
