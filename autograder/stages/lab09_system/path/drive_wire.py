"""Plays records through a broker that serves a learner's own log to Kafka's clients and to Spark."""

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from streamlab.lab03_log.wire.server import WireServer
from streamlab.lab09_system import Record
from streamlab.lab09_system.topics import TOPICS, Played, records_from, run_to_end, send_record
from streamlab.sources.topics import make_topics
from streamlab.spark.batch_playback import described_query

PARTITIONS = 2


def play_topics(
    spark: Any, new_log: Any, folder: Path, records: Sequence[Record], query: Callable[[Any], Any]
) -> Played:
    """Return what `query(records)` appends for records that `new_log(folder of a partition)` stores."""
    with WireServer(new_log, folder, partitions=PARTITIONS) as server:
        make_topics(server.address, dict.fromkeys(TOPICS, PARTITIONS))
        _send(server.address, records)
        return run_to_end(described_query(query, records_from(spark, server.address)))


def _send(address: str, records: Sequence[Record]) -> None:
    """Send records; return when all are acknowledged."""
    from kafka import KafkaProducer

    with closing(KafkaProducer(bootstrap_servers=address, acks="all")) as producer:
        sent = [send_record(producer, each) for each in records]
        producer.flush()
        for each in sent:
            each.get(timeout=0)
