"""The feed of a replica on a real broker."""

import time
from contextlib import closing
from types import SimpleNamespace
from typing import Any

import pytest

from streamlab.lab08_geofencing.geo import Position
from streamlab.lab08_geofencing.replicas import TopicFeed
from streamlab.lab08_geofencing.replicas.feed import position_of
from streamlab.sources.topics import ANY_TIME, new_topic, send

PATIENCE_S = 20.0


def record(key: bytes | None, value: bytes | None) -> Any:
    return SimpleNamespace(key=key, value=value, timestamp=5, offset=7)


def test_a_position_has_the_timestamp_and_offset_of_its_record() -> None:
    found = position_of(record(b"m", b'{"mover": "m", "lon": 180, "lat": 59.5, "hdop": 1}'))

    assert found == Position("m", 5, -180.0, 59.5, 7)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (b"m", None),
        (None, b'{"mover": "m", "lon": 1, "lat": 2}'),
        (b"n", b'{"mover": "m", "lon": 1, "lat": 2}'),
        (b"", b'{"mover": "", "lon": 1, "lat": 2}'),
        (b"m", b"7"),
        (b"m", b'{"mover": "m", "lon": 1}'),
        (b"m", b'{"mover": "m", "lon": "1", "lat": 2}'),
        (b"m", b'{"mover": "m", "lon": true, "lat": 2}'),
        (b"m", b'{"mover": "m", "lon": NaN, "lat": 2}'),
        (b"m", b'{"mover": "m", "lon": 1, "lat": 90.5}'),
        (b"\xff", b'{"mover": "m", "lon": 1, "lat": 2}'),
        (b"m", b"\xff"),
    ],
)
def test_an_unreadable_record_has_no_position(key: bytes | None, value: bytes | None) -> None:
    assert position_of(record(key, value)) is None


def test_a_feed_reads_from_the_given_offsets_and_skips_unreadable_records(kafka: Any) -> None:
    topic = new_topic(kafka.address, 1, ANY_TIME)
    records = [(b"m", b'{"mover": "m", "lon": 1, "lat": 2}', at) for at in range(5)]
    send(kafka.address, topic, [*records[:2], (b"m", b"unreadable", 2), *records[2:]])

    with closing(TopicFeed(kafka.address, topic)) as feed:
        assert feed.ends() == {0: 6}
        everything, offsets = read_all(feed, {}, {0: 6})
        again, _ = read_all(feed, {0: 4}, {0: 6})

    assert [each.offset for each in everything] == [0, 1, 3, 4, 5]
    assert offsets == {0: 6}
    assert [each.offset for each in again] == [4, 5]


def read_all(feed: TopicFeed, offsets: dict[int, int], ends: dict[int, int]) -> tuple[list[Position], dict[int, int]]:
    found, deadline = list[Position](), time.monotonic() + PATIENCE_S
    while offsets != ends and time.monotonic() < deadline:
        positions, offsets = feed.read(offsets, 2)
        assert len(positions) <= 2
        found += positions
    return found, offsets


def test_an_unknown_topic_is_reported_in_one_line(kafka: Any) -> None:
    with pytest.raises(ValueError, match="has no topic 'nowhere'"):
        TopicFeed(kafka.address, "nowhere")
