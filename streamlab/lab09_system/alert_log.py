"""The log of alerts on Kafka's transactions: the rows of a batch and its number become visible together.

Each log has two topics of one partition: its rows, and its marks, which say what epochs began and what batches are
complete. Kafka fences by who began last, not by our epoch, so `begin` looks for a higher epoch first, and again after
it has fenced the others.
"""

import base64
import json
import logging
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any, TypeVar

from streamlab.granted_time import own_deadline
from streamlab.lab09_system.words import Fenced, LogError
from streamlab.sources.topics import make_topics

PATIENCE_S = 20.0
QUICK = {"retry_backoff_ms": 50, "reconnect_backoff_ms": 50, "reconnect_backoff_max_ms": 300}
Result = TypeVar("Result")

logging.getLogger("kafka").setLevel(logging.CRITICAL)  # its warnings repeat what is raised here


def make_log(address: str, name: str) -> None:
    """Create the topics of a log."""
    make_topics(address, {name: 1, marks_of(name): 1})


def marks_of(name: str) -> str:
    """Return the topic of a log's marks."""
    return f"{name}-marks"


class AlertLog:
    """A log that holds each batch as a whole or not at all. Each method raises `LogError` if the log does not answer.

    After a LogError, call `begin` again: what was asked for may have happened, or not.
    """

    def __init__(self, address: str, name: str = "alerts", patience_s: float = PATIENCE_S) -> None:
        self._address, self.name, self._patience_s = address, name, patience_s
        self._producer: Any = None
        self._is_open, self._epoch = False, -1
        self._sent = list[Any]()  # the futures of the open transaction

    def begin(self, epoch: int) -> int:
        """Fence all writers that began before, end their open transaction, and return the last complete batch, or -1.

        Raises Fenced if a higher epoch has begun.
        """
        return self._asked(lambda: self._begin(epoch))

    def append(self, row: Any) -> None:
        """Add a row, of JSON's values and bytes, to the open transaction. Raises Fenced if another writer has begun."""
        self._asked(lambda: self._append(row))

    def commit(self, number: int) -> None:
        """Make the rows of the open transaction visible, and mark batch `number` as complete. Raises Fenced."""
        self._asked(lambda: self._mark(number))

    def close(self) -> None:
        """Leave the log at once; an open transaction stays open until the next `begin`."""
        if self._producer is not None:
            with suppress(Exception):
                self._producer.close(timeout=0)
        self._producer, self._is_open = None, False

    def _asked(self, work: Callable[[], Result]) -> Result:
        try:
            return work()
        except (Fenced, LogError):
            raise
        except Exception as problem:
            kind = type(problem).__name__
            is_fenced = "Fenced" in kind or "InvalidProducerEpoch" in kind or "ProducerFenced" in str(problem)
            raise (Fenced if is_fenced else LogError)(f"{kind}: {problem}") from problem

    def _begin(self, epoch: int) -> int:
        from kafka import KafkaProducer

        self.close()
        patience_ms = int(1000 * self._patience_s)
        limits = {"max_block_ms": patience_ms, "delivery_timeout_ms": patience_ms, "request_timeout_ms": 5000}
        self._producer = KafkaProducer(
            bootstrap_servers=self._address, transactional_id=self.name, acks="all", linger_ms=0, **limits, **QUICK
        )
        self._last_before(epoch)
        self._producer.init_transactions()  # fences the others, and ends or completes their open transaction
        last, self._epoch = self._last_before(epoch), epoch
        self._mark(last)
        return last

    def _last_before(self, epoch: int) -> int:
        records = read_committed(self._address, marks_of(self.name), self._patience_s)
        marks = [json.loads(each.value) for each in records]
        highest = max((each["epoch"] for each in marks), default=epoch)
        if highest > epoch:
            raise Fenced(f"epoch {highest} has begun; this is {epoch}")
        return max((each["number"] for each in marks), default=-1)

    def _append(self, row: Any) -> None:
        self._open()
        self._sent.append(self._producer.send(self.name, json.dumps(row, default=_bytes_as_text).encode()))

    def _mark(self, number: int) -> None:
        self._open()
        mark = {"epoch": self._epoch, "number": number}
        self._sent.append(self._producer.send(marks_of(self.name), json.dumps(mark).encode()))
        self._producer.flush()
        for each in self._sent:
            each.get(self._patience_s)  # raises the error of a record that was not written
        self._producer.commit_transaction()
        self._is_open = False

    def _open(self) -> None:
        if not self._is_open:
            self._producer.begin_transaction()
            self._is_open, self._sent = True, []


class CommittedRows:
    """Reads the committed records of some topics, from the beginning, and goes on where the last call ended."""

    def __init__(self, address: str, *topics: str) -> None:
        from kafka import KafkaConsumer

        self._consumer = KafkaConsumer(
            bootstrap_servers=address, isolation_level="read_committed", auto_offset_reset="earliest",
            enable_auto_commit=False, fetch_max_wait_ms=50, request_timeout_ms=5000, **QUICK,
        )  # fmt: skip
        self._topics, self._places = topics, list[Any]()

    def read(self, patience_s: float) -> Iterator[Any]:
        """Yield what is committed now and was not read yet. Raises LogError if the log does not answer in time."""
        from kafka.errors import KafkaError

        try:
            yield from self._read(patience_s)
        except KafkaError as problem:
            raise LogError(f"{type(problem).__name__}: {problem}") from problem

    def ends(self, places: Iterable[tuple[str, int]], patience_s: float) -> dict[tuple[str, int], int]:
        """Return the end offset of each (topic, partition), of these topics or others. Raises LogError."""
        from kafka import TopicPartition
        from kafka.errors import KafkaError

        try:
            ends = self._consumer.end_offsets([TopicPartition(*place) for place in places], int(1000 * patience_s))
        except KafkaError as problem:
            raise LogError(f"{type(problem).__name__}: {problem}") from problem
        return {(place.topic, place.partition): end for place, end in ends.items()}

    def _read(self, patience_s: float) -> Iterator[Any]:
        deadline = own_deadline(patience_s)
        while not self._assigned():
            _must_not_be_over(deadline, f"no topics {', '.join(self._topics)}")
            time.sleep(0.01)
        ends = self._consumer.end_offsets(self._places)  # after the last committed transaction
        while any(self._consumer.position(place) < ends[place] for place in self._places):
            for records in self._consumer.poll(100).values():
                yield from records
            _must_not_be_over(deadline, f"{', '.join(self._topics)} could not be read within {patience_s:g} s")

    def close(self) -> None:
        """End the consumer."""
        with suppress(Exception):
            self._consumer.close()

    def _assigned(self) -> bool:
        from kafka import TopicPartition

        if self._places:
            return True
        numbers = {topic: self._consumer.partitions_for_topic(topic) for topic in self._topics}
        if not all(numbers.values()):
            return False
        self._places = [TopicPartition(topic, number) for topic in self._topics for number in sorted(numbers[topic])]
        self._consumer.assign(self._places)
        self._consumer.seek_to_beginning(*self._places)
        return True


def read_committed(address: str, topic: str, patience_s: float = PATIENCE_S) -> list[Any]:
    """Return all committed records of a topic."""
    reader = CommittedRows(address, topic)
    try:
        return list(reader.read(patience_s))
    finally:
        reader.close()


def row_of(value: bytes) -> list[Any]:
    """Return a row as it was appended, as a list."""
    row: list[Any] = json.loads(value)
    return [base64.b64decode(each["bytes"]) if isinstance(each, dict) else each for each in row]


def _bytes_as_text(value: Any) -> dict[str, str]:
    return {"bytes": base64.b64encode(bytes(value)).decode()}


def _must_not_be_over(deadline: Any, problem: str) -> None:
    if deadline.is_over:
        raise LogError(problem)
