"""Topics and their partitions: each log has a folder `TOPIC-PARTITION`, which a restarted server finds again.

While a topic is created, a file has its name. If an error or a kill ends the creation, the folders made so far are
removed: at once, or before the next creation or start.
"""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from kafka.errors import (
    InvalidTopicError,
    KafkaStorageError,
    TopicAlreadyExistsError,
    UnknownTopicOrPartitionError,
)

from streamlab.lab03_log.wire.log import Log, OpenLog
from streamlab.lab03_log.wire.partition import Partition

MAX_NAME_CHARS = 249
DESCRIPTORS_FOR_CLIENTS = 16  # logs keep files open; without any left, nobody could connect
COMMITTED = "__consumer_offsets"  # reserved for the server
UNFINISHED = "creating-topic"
_LEGAL = re.compile(rf"(?!\.{{1,2}}$)[a-zA-Z0-9._-]{{1,{MAX_NAME_CHARS}}}")
_FOLDER = re.compile(rf"({_LEGAL.pattern})-(0|[1-9]\d*)")


class Topics:
    """The topics in `folder`, which is created if it is missing."""

    def __init__(self, folder: Path, open_log: OpenLog) -> None:
        self._folder, self._open_log, self._unfinished = folder, open_log, folder / UNFINISHED
        self._topics: dict[str, dict[int, Partition]] = {}
        folder.mkdir(parents=True, exist_ok=True)
        self._remove_unfinished()
        with _descriptors_left(), ExitStack() as opened:
            for _, topic, index in self._stored():
                self._topics.setdefault(topic, {})[index] = self._opened(topic, index, opened)
            opened.pop_all()

    def open_committed(self) -> Log:
        """Return the log of committed offsets; the caller closes it."""
        return self._open_log(self._folder / f"{COMMITTED}-0")

    def names(self) -> list[str]:
        """Return the names of all topics, sorted."""
        return sorted(self._topics)

    def partitions(self, topic: str) -> list[int]:
        """Return the numbers of a topic's partitions; raises InvalidTopicError, UnknownTopicOrPartitionError."""
        must_be_legal(topic)
        if topic not in self._topics:
            raise UnknownTopicOrPartitionError(f"no topic {topic}")
        return sorted(self._topics[topic])

    def partition(self, topic: str, index: int) -> Partition:
        """Return one partition; raises UnknownTopicOrPartitionError."""
        found = self._topics.get(topic, {}).get(index)
        if found is None:
            raise UnknownTopicOrPartitionError(f"no partition {index} of a topic {topic}")
        return found

    def must_be_new(self, topic: str) -> None:
        """Raise InvalidTopicError or TopicAlreadyExistsError unless a topic of this name can be created."""
        must_be_legal(topic)
        if topic in self._topics or topic == COMMITTED:
            raise TopicAlreadyExistsError(f"Topic '{topic}' already exists.")

    def make(self, topic: str, partitions: int) -> None:
        """Create a topic and its folders, or nothing; raises KafkaStorageError, and what else opening a log raises."""
        try:
            self._remove_unfinished()
            self._topics[topic] = self._made(topic, partitions)
        except OSError as problem:
            raise KafkaStorageError(f"cannot create {partitions} partitions of topic {topic}: {problem}") from problem

    def close(self) -> None:
        """Close all logs, also those after one that raises an error."""
        with ExitStack() as stack:
            for partitions in self._topics.values():
                for each in partitions.values():
                    stack.callback(each.close)

    def _made(self, topic: str, partitions: int) -> dict[int, Partition]:
        try:
            with _descriptors_left(), ExitStack() as opened:
                self._unfinished.write_text(topic)
                made = {index: self._opened(topic, index, opened) for index in range(partitions)}
                self._unfinished.unlink()
                opened.pop_all()
                return made
        except BaseException:
            with suppress(OSError):
                self._remove_unfinished()
            raise

    def _opened(self, topic: str, index: int, opened: ExitStack) -> Partition:
        partition = Partition(self._open_log(self._folder / f"{topic}-{index}"))
        opened.callback(partition.close)
        return partition

    def _stored(self) -> Iterator[tuple[Path, str, int]]:
        """Yield the folder, topic and number of each partition on the disk."""
        for path in sorted(self._folder.iterdir()):
            match = _FOLDER.fullmatch(path.name)
            if match and match[1] != COMMITTED and path.is_dir():
                yield path, match[1], int(match[2])

    def _remove_unfinished(self) -> None:
        if self._unfinished.exists():
            unfinished = self._unfinished.read_text()
            for path, topic, _ in self._stored():
                if topic == unfinished:
                    shutil.rmtree(path)
            self._unfinished.unlink()


@contextmanager
def _descriptors_left() -> Iterator[None]:
    """Hold descriptors while logs are opened, so that these are left for clients and for the logs' next files."""
    with ExitStack() as held:
        for _ in range(DESCRIPTORS_FOR_CLIENTS):
            held.enter_context(open(os.devnull, "rb"))
        yield


def must_be_legal(topic: str) -> None:
    """Raise InvalidTopicError for an illegal name. The rule is Kafka's: names become names of folders."""
    if not _LEGAL.fullmatch(topic):
        allowed = f"1 to {MAX_NAME_CHARS} ASCII letters, digits, '.', '_' and '-', but neither '.' nor '..'"
        raise InvalidTopicError(f"Topic name is invalid: {topic!r}; a name has {allowed}")
