"""The positions of a topic, as a replica reads them."""

import json
from math import isfinite
from typing import Any

from streamlab.lab08_geofencing.geo import Position


class TopicFeed:
    """The positions of a topic from its beginning on, without a consumer group, since each replica reads everything.

    Raises ConnectionError if no broker answers at `address`, and ValueError for an unknown topic.
    """

    def __init__(self, address: str, topic: str) -> None:
        from kafka import KafkaConsumer, TopicPartition
        from kafka.errors import KafkaError

        settings = {"enable_auto_commit": False, "auto_offset_reset": "earliest", "fetch_max_wait_ms": 10}
        try:
            self._consumer = KafkaConsumer(bootstrap_servers=address, **settings)
        except KafkaError as problem:
            raise ConnectionError(f"TopicFeed: no broker answers at {address} ({type(problem).__name__})") from None
        numbers = self._consumer.partitions_for_topic(topic)
        if not numbers:
            self._consumer.close()
            raise ValueError(f"TopicFeed: the broker at {address} has no topic {topic!r}")
        self._partitions = {number: TopicPartition(topic, number) for number in sorted(numbers)}
        self._consumer.assign(list(self._partitions.values()))
        self._next = dict.fromkeys(self._partitions, -1)

    def ends(self) -> dict[int, int]:
        """Return the offset that the next record of each partition will get."""
        ends = self._consumer.end_offsets(list(self._partitions.values()))
        return {each.partition: end for each, end in ends.items()}

    def read(self, offsets: dict[int, int], most: int) -> tuple[list[Position], dict[int, int]]:
        """Return at most `most` positions from `offsets` on (0 where missing), and the next offset of each partition.

        The call never waits: without new records the list is empty. It skips unreadable records. The next offsets are
        the consumer's own, so they also pass offsets without a record, such as the marker of a transaction.
        """
        for number, partition in self._partitions.items():
            if self._next[number] != offsets.get(number, 0):
                self._consumer.seek(partition, offsets.get(number, 0))
        fetched = self._consumer.poll(timeout_ms=0, max_records=most)
        found = [position_of(record) for records in fetched.values() for record in records]
        self._next = {number: self._consumer.position(each) for number, each in self._partitions.items()}
        return [position for position in found if position is not None], dict(self._next)

    def close(self) -> None:
        """Close the connections to the broker."""
        self._consumer.close()


def position_of(record: Any) -> Position | None:
    """Return the position of a Kafka record, or None if it is unreadable.

    Example: a record with key b"m" and value b'{"mover": "m", "lon": 17.5, "lat": 59.5}' -> Position("m", …)
    """
    try:
        value = json.loads(record.value)
        mover, lon, lat = value["mover"], value["lon"], value["lat"]
        is_valid = mover and mover == record.key.decode() and _is_within(lon, 180) and _is_within(lat, 90)
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
        return None
    return Position(mover, record.timestamp, -180.0 if lon == 180 else lon, lat, record.offset) if is_valid else None


def _is_within(degrees: Any, limit: int) -> bool:
    return type(degrees) in (int, float) and isfinite(degrees) and abs(degrees) <= limit
