"""Topics and their partitions: each log has a folder `TOPIC-PARTITION`, which a restarted server finds again."""

import re
from pathlib import Path

from kafka.errors import InvalidTopicError, TopicAlreadyExistsError, UnknownTopicOrPartitionError

from streamlab.lab03_log.wire.log import Log, OpenLog
from streamlab.lab03_log.wire.partition import Partition

MAX_NAME_CHARS = 249
COMMITTED = "__consumer_offsets"  # reserved for the server
_LEGAL = re.compile(rf"(?!\.{{1,2}}$)[a-zA-Z0-9._-]{{1,{MAX_NAME_CHARS}}}")
_FOLDER = re.compile(rf"({_LEGAL.pattern})-(0|[1-9]\d*)")


class Topics:
    """The topics in `folder`, which is created if it is missing."""

    def __init__(self, folder: Path, open_log: OpenLog) -> None:
        self._folder, self._open_log = folder, open_log
        self._topics: dict[str, dict[int, Partition]] = {}
        folder.mkdir(parents=True, exist_ok=True)
        for path in sorted(folder.iterdir()):
            match = _FOLDER.fullmatch(path.name)
            if match and match[1] != COMMITTED and path.is_dir():
                self._topics.setdefault(match[1], {})[int(match[2])] = self._opened(match[1], int(match[2]))

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
        """Create a topic and its folders; raises what opening a log raises."""
        self._topics[topic] = {index: self._opened(topic, index) for index in range(partitions)}

    def close(self) -> None:
        """Close all logs."""
        for partitions in self._topics.values():
            for each in partitions.values():
                each.close()

    def _opened(self, topic: str, index: int) -> Partition:
        return Partition(self._open_log(self._folder / f"{topic}-{index}"))


def must_be_legal(topic: str) -> None:
    """Raise InvalidTopicError for an illegal name. The rule is Kafka's: names become names of folders."""
    if not _LEGAL.fullmatch(topic):
        allowed = f"1 to {MAX_NAME_CHARS} ASCII letters, digits, '.', '_' and '-', but neither '.' nor '..'"
        raise InvalidTopicError(f"Topic name is invalid: {topic!r}; a name has {allowed}")
