"""The connector of a live system: it sends records in order, and keeps them while the broker is down."""

import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from typing import Any

from streamlab.lab09_system.city import PARTITIONS
from streamlab.lab09_system.topics import send_record
from streamlab.lab09_system.words import Record
from streamlab.sources.topics import ANY_TIME, make_topics

KEEPS_MS = 900_000

logging.getLogger("kafka").setLevel(logging.CRITICAL)


class WrongOffset(RuntimeError):
    """The broker gave a record another offset than the city: something else writes to its topics."""


class Connector:
    """One idempotent producer for all topics; `sent` counts the acknowledged records of each (topic, partition)."""

    def __init__(self, address: str) -> None:
        from kafka import KafkaProducer

        make_topics(address, PARTITIONS, ANY_TIME)
        self._producer = KafkaProducer(
            bootstrap_servers=address, acks="all", enable_idempotence=True, linger_ms=5,
            delivery_timeout_ms=KEEPS_MS, max_block_ms=KEEPS_MS, reconnect_backoff_ms=50, reconnect_backoff_max_ms=300,
            retry_backoff_ms=50,
        )  # fmt: skip
        self.sent = Counter[tuple[str, int]]()

    def send(self, records: Sequence[Record]) -> None:
        """Send records in order; return when all are acknowledged. Raises WrongOffset."""
        futures = [self._send(each) for each in records]
        self._producer.flush()
        for record, future in zip(records, futures, strict=True):
            offset = future.get(KEEPS_MS / 1000).offset
            if offset != record.offset:
                raise WrongOffset(f"expected offset {record.offset} in {record.topic}, got {offset}")
            self.sent[record.topic, record.partition] += 1

    def close(self) -> None:
        """End the producer at once."""
        from kafka.errors import KafkaTimeoutError

        with suppress(KafkaTimeoutError):  # records for a log that is down
            self._producer.close(timeout=0)

    def _send(self, record: Record) -> Any:
        return send_record(self._producer, record)


def delete_topics(address: str, topics: Iterable[str]) -> None:
    """Delete those of the topics that exist, with all their records."""
    from kafka import KafkaAdminClient

    with closing(KafkaAdminClient(bootstrap_servers=address)) as admin:
        if found := set(topics) & set(admin.list_topics()):
            admin.delete_topics(sorted(found))
