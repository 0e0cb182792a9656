"""Two topics of a real broker as one stream."""

from typing import Any

from streamlab.lab08_geofencing.geo import Event
from streamlab.lab08_geofencing.two_topics import frame_of, two_topics
from streamlab.services.base import Service
from streamlab.sources.topics import ANY_TIME, new_topic, send


def test_both_topics_are_read_from_the_start_and_named_by_their_role(kafka: Service, spark: Any, tmp_path: Any) -> None:
    fences, positions = (new_topic(kafka.address, partitions, ANY_TIME) for partitions in (1, 3))
    send(kafka.address, fences, [(b"f", b"polygon", 1), (b"f", None, 2)])
    send(kafka.address, positions, [(b"m", b"place", 3)])
    received: list[Any] = []

    stream = two_topics(spark, kafka.address, fences, positions).writeStream.option("checkpointLocation", str(tmp_path))
    query = stream.foreachBatch(lambda rows, _: received.extend(rows.collect())).start()
    try:
        query.processAllAvailable()
    finally:
        query.stop()

    assert sorted((each.topic, each.key, each.value) for each in received if each.topic == "positions") == [
        ("positions", b"m", b"place")
    ]
    assert [(each.offset, each.value) for each in received if each.topic == "fences"] == [(0, b"polygon"), (1, None)]


def test_a_frame_of_events_has_timestamps_even_if_it_is_empty() -> None:
    filled, empty = frame_of([Event("ENTER", "m", "f", 1_500)]), frame_of([])

    assert list(filled.columns) == list(empty.columns) == ["kind", "mover", "fence", "time"]
    assert str(filled["time"][0]) == "1970-01-01 00:00:01.500000"
    assert str(empty["time"].dtype).startswith("datetime64")
