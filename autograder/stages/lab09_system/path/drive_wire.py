"""Plays records through a broker that serves a learner's own log to Kafka's clients and to Spark."""

import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from streamlab.lab03_log.wire.server import WireServer
from streamlab.lab09_system import Record
from streamlab.lab09_system.topics import RECEIVED, TOPICS, Played, records_from
from streamlab.sources.topics import make_topics
from streamlab.spark.batch_playback import described_query

PARTITIONS = 2


def play_topics(
    spark: Any, new_log: Any, folder: Path, records: Sequence[Record], query: Callable[[Any], Any]
) -> Played:
    """Return what `query(records)` appends for records that `new_log(folder of a partition)` stores."""
    with WireServer(new_log, folder, partitions=PARTITIONS) as server:
        make_topics(server.address, dict.fromkeys(TOPICS, PARTITIONS))
        send_records(server.address, records)
        return _to_the_end(described_query(query, records_from(spark, server.address)))


def send_records(address: str, records: Sequence[Record]) -> None:
    """Send records to their partitions, with the connector's time as a header; return when all are acknowledged."""
    from kafka import KafkaProducer

    with closing(KafkaProducer(bootstrap_servers=address, acks="all")) as producer:
        sent = [
            producer.send(
                each.topic,
                each.value,
                key=each.key,
                partition=each.partition,
                timestamp_ms=each.time_ms,
                headers=[(RECEIVED, str(each.received_ms).encode())],
            )
            for each in records
        ]
        producer.flush()
        for each in sent:
            each.get(timeout=0)


def _to_the_end(described: Any) -> Played:
    appended: list[Any] = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as checkpoint:
        output = described.writeStream.outputMode("append").option("checkpointLocation", checkpoint)
        running = output.foreachBatch(lambda rows, _: appended.extend(rows.collect())).start()
        try:
            running.processAllAvailable()
        finally:
            running.stop()
    return Played(appended, 0)
