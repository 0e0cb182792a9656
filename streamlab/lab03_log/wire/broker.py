"""The state that all requests share: the topics, the groups, their committed offsets, and the advertised address."""

from pathlib import Path

from kafka.errors import (
    BrokerResponseError,
    CorruptRecordError,
    KafkaStorageError,
    OffsetOutOfRangeError,
    UnknownError,
)

from streamlab.lab03_log.wire.batches import CorruptBatch, OffsetOutOfRange
from streamlab.lab03_log.wire.coordinator import Groups
from streamlab.lab03_log.wire.log import OpenLog
from streamlab.lab03_log.wire.offset_store import CommittedOffsets
from streamlab.lab03_log.wire.topics import Topics

NODE_ID = 1
CLUSTER_ID = "streamlab-wire"
NO_ERROR = 0
_CODES: dict[type[Exception], int] = {
    CorruptBatch: CorruptRecordError.errno,
    OffsetOutOfRange: OffsetOutOfRangeError.errno,
    OSError: KafkaStorageError.errno,
}


class Broker:
    """The state of the one broker; `partitions` is the default number of partitions of a new topic."""

    def __init__(self, open_log: OpenLog, folder: Path, partitions: int, host: str, port: int) -> None:
        self.host, self.port, self.partitions = host, port, partitions
        self.topics = Topics(folder, open_log)
        try:
            self.committed = CommittedOffsets(self.topics.open_committed())
        except BaseException:
            self.topics.close()
            raise
        self.groups = Groups()
        self.unexpected: list[Exception] = []

    def code_of(self, problem: Exception) -> int:
        """Return the error code that Kafka's protocol has for this error.

        An error without a code becomes UNKNOWN and is kept in `unexpected`.
        """
        if isinstance(problem, BrokerResponseError):
            return int(problem.errno)
        for kind, code in _CODES.items():
            if isinstance(problem, kind):
                return code
        self.unexpected.append(problem)
        return int(UnknownError.errno)

    def close(self) -> None:
        """Close all logs."""
        self.topics.close()
        self.committed.close()
