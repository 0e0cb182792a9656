"""The page's numbers of the system on real services, against Kafka, Spark's checkpoint, and the caches themselves."""

import json
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from autograder.cli.lab09_system_parts import Parts, owners_of
from streamlab.lab09_system.live.numbers import PLACES
from streamlab.lab09_system.page.live_source import LiveSource
from streamlab.lab09_system.page.message import Message
from streamlab.lab09_system.parts import LIVE_TASKS, TASKS
from streamlab.services import running
from tests.streamlab.spark.plain_cluster import plain_cluster

pytestmark = pytest.mark.slow

PATIENCE_S = 240
COMPARED = 5


@contextmanager
def live(**replaced: Any) -> Iterator[LiveSource]:
    """Run the system with the kit's solutions, some of them replaced, until alerts have come."""
    parts = Parts(owners_of(TASKS), print).namespace(LIVE_TASKS, is_sent=True)
    vars(parts).update(replaced)
    source = LiveSource(parts, print)
    try:
        until(source, lambda message: message["alerts"] > 0 and message["hit_rate"] is not None)
        yield source
    finally:
        source.end()


def until(source: LiveSource, reached: Any) -> Message:
    """Look at the system each second until a message is as expected; return it."""
    deadline_s = time.monotonic() + PATIENCE_S
    while not reached(message := source.step()):
        assert time.monotonic() < deadline_s, message
        time.sleep(source.pace_s)
    return message


class Measured:
    """Lag and alerts without the kit: the ends of Kafka's log, the newest complete batch, and a consumer."""

    def __init__(self, source: LiveSource) -> None:
        from kafka import KafkaConsumer, TopicPartition

        self._checkpoint, address = source.system.folder / "checkpoint", source.system.settings.kafka
        self._consumer = KafkaConsumer(bootstrap_servers=address, isolation_level="read_committed", group_id=None)
        self._places = [TopicPartition(*place) for place in PLACES]
        self._rows = [TopicPartition(topic, 0) for topic in ("alerts", "repairs")]
        self._consumer.assign(self._rows)
        self._consumer.seek_to_beginning()
        self._alerts = 0

    def lags(self) -> list[int]:
        """Return the records of each partition that no complete batch has read."""
        complete = max(int(path.name) for path in (self._checkpoint / "commits").iterdir() if path.name.isdecimal())
        done = json.loads((self._checkpoint / "offsets" / str(complete)).read_text().splitlines()[-1])
        ends = self._consumer.end_offsets(self._places)
        return [ends[place] - done[place.topic][str(place.partition)] for place in self._places]

    def alerts(self) -> int:
        ends = self._consumer.end_offsets(self._rows)
        while any(self._consumer.position(place) < ends[place] for place in self._rows):
            for rows in self._consumer.poll(100).values():
                self._alerts += sum(json.loads(each.value)[0] in ("AWAY", "SPENT") for each in rows)
        return self._alerts


def test_lag_and_alerts_are_those_of_kafka_and_of_sparks_checkpoint() -> None:
    with live() as source:
        measured, compared = Measured(source), list[tuple[list[int], int]]()
        deadline_s = time.monotonic() + PATIENCE_S
        while len(compared) < COMPARED:
            assert time.monotonic() < deadline_s, f"the system stood still for only {len(compared)} looks"
            before = measured.lags(), measured.alerts()
            message = source.step()
            if before == (measured.lags(), measured.alerts()) and any(before[0]):
                compared.append(before)
                assert (message["lags"], message["alerts"]) == before


def test_the_hit_rate_falls_when_the_cache_holds_one_row() -> None:
    class OneRow:
        def __init__(self, entries: int, ttl_s: float) -> None:
            self.hits, self.misses, self._kept = 0, 0, dict[Any, Any]()

        def get(self, key: Any, default: Any = None) -> Any:
            self.hits, self.misses = self.hits + (key in self._kept), self.misses + (key not in self._kept)
            return self._kept.get(key, default)

        def put(self, key: Any, value: Any) -> None:
            self._kept = {key: value}

    with live() as source:
        until(source, lambda message: (message["hit_rate"] or 0.0) > 0.3)  # sooner or later, by the machine's load
    with live(LruCache=OneRow) as source:
        message = until(source, lambda message: message["at_s"] > 40)
        assert (message["hit_rate"] or 0.0) < 0.1


def test_on_a_cluster_a_whole_machine_is_killed_and_named_and_alerts_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running("kafka") as kafka, running("zookeeper") as zookeeper, plain_cluster(tmp_path) as cluster:
        given = {"STREAMLAB_KAFKA": kafka.address, "STREAMLAB_ZOOKEEPER": zookeeper.address}
        given |= {"STREAMLAB_KIT_ON_WORKERS": "1", "PYSPARK_PYTHON": sys.executable}
        for name, value in {**cluster.environment, **given}.items():
            monkeypatch.setenv(name, value)
        with live() as source:
            source.inject("python-worker")
            named = until(source, lambda message: any(each["kind"] == "worker" for each in message["incidents"]))
            cluster.wait_for_workers(1)
            until(source, lambda message: message["alerts"] > named["alerts"] and not message["down"])

            assert "docker compose" in source.inject("broker")
            assert [worker.poll() for worker in cluster.workers].count(-signal.SIGKILL) == 1
