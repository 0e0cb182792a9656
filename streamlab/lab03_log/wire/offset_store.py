"""The offsets that groups have committed. As in Kafka, a separate log keeps them, so they survive a restart.

A commit is a batch with a record for each partition; the newest record of a key counts. Records are JSON (Kafka's are
binary), and nothing removes old records (Kafka compacts). Does not decide who may commit; `groups` does.
"""

import json
from collections.abc import Mapping
from typing import NamedTuple

from streamlab.lab03_log.wire.batches import batch_of, records_of
from streamlab.lab03_log.wire.log import Log
from streamlab.lab03_log.wire.partition import READ_BYTES


class Committed(NamedTuple):
    """The offset that a group reads next, and the metadata text that it committed with it."""

    offset: int
    metadata: str


NOTHING = Committed(-1, "")
TopicPartition = tuple[str, int]


class CommittedOffsets:
    """All groups' offsets; the constructor reads those that `log` holds."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._of_group: dict[str, dict[TopicPartition, Committed]] = {}
        position = log.start_offset
        while batches := log.read(position, READ_BYTES):
            for batch in batches:
                self._replay(batch.data)
            position = batches[-1].base_offset + batches[-1].records

    def commit(self, group: str, offsets: Mapping[TopicPartition, Committed]) -> None:
        """Store these offsets, all or none; raises what the log's `append` raises."""
        if offsets:
            pairs = [(_packed(group, *place), _packed(*each)) for place, each in offsets.items()]
            self._log.append(batch_of(pairs), len(pairs))
            self._of_group.setdefault(group, {}).update(offsets)

    def of_group(self, group: str) -> Mapping[TopicPartition, Committed]:
        """Return the offsets that a group has committed."""
        return self._of_group.get(group, {})

    def close(self) -> None:
        """Close the log."""
        self._log.close()

    def _replay(self, batch: bytes) -> None:
        for record in records_of(batch):
            group, topic, partition = json.loads(record.key or b"")
            self._of_group.setdefault(group, {})[topic, partition] = Committed(*json.loads(record.value or b""))


def _packed(*fields: str | int) -> bytes:
    return json.dumps(fields).encode()
