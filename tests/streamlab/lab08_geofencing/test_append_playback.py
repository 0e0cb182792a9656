"""Files of rows in append mode, before and after the closing row; two topics of a real broker as one stream."""

from typing import Any

import pytest

from streamlab.lab08_geofencing.append_playback import play_to_the_end
from streamlab.lab08_geofencing.geo import Event
from streamlab.lab08_geofencing.two_topics import FAR_MS, Sent, frame_of, partition_of, play_records, two_topics
from streamlab.services.base import Service
from streamlab.sources.topics import ANY_TIME, new_topic, send
from streamlab.spark.batch_playback import NoStream

SCHEMA = "at timestamp, name string"


def row(second: int, name: str) -> dict[str, str]:
    return {"at": f"2026-01-01T00:00:{second:02}Z", "name": name}


CLOSING = {"at": "2100-01-01T00:00:00Z", "name": "closing"}


def per_window(rows: Any) -> Any:
    from pyspark.sql import functions as F

    return rows.withWatermark("at", "5 seconds").groupBy(F.window("at", "10 seconds")).count()


def test_the_closing_row_closes_all_windows_and_a_late_row_is_dropped(
    spark: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    files = [[row(1, "a"), row(29, "b")], [row(2, "late")], [row(31, "c")]]
    rows = play_to_the_end(spark, SCHEMA, files, CLOSING, per_window)

    assert sorted((each.window.start.second, each["count"]) for each in rows) == [(0, 1), (20, 1), (30, 1)]
    assert capfd.readouterr().err == ""


def test_without_a_closing_row_open_windows_have_no_result(spark: Any) -> None:
    rows = play_to_the_end(spark, SCHEMA, [[row(1, "a"), row(29, "b")]], None, per_window)

    assert [each.window.start.second for each in rows] == [0]


def test_a_query_that_does_not_return_a_stream_is_rejected(spark: Any) -> None:
    with pytest.raises(NoStream):
        play_to_the_end(spark, SCHEMA, [], CLOSING, lambda rows: None)


def test_records_have_the_columns_and_offsets_of_kafka_and_keep_every_byte(spark: Any) -> None:
    moves = [Sent("positions", b"m\xff", value, time_ms) for value, time_ms in ((b"1", 1500), (b"", 2))]
    first = [moves[0], Sent("fences", None, None, 0), moves[1]]

    rows = play_records(spark, [first, [Sent("fences", b"f", b"2", 7)]], lambda records: records)

    place = partition_of(first[0])
    assert [(each.topic, each.key, each.value, each.partition, each.offset) for each in rows] == [
        ("positions", b"m\xff", b"1", place, 0),
        ("fences", None, None, 0, 0),
        ("positions", b"m\xff", b"", place, 1),
        ("fences", b"f", b"2", 0, 1),
    ]
    assert [round(1000 * each.timestamp.timestamp()) for each in rows] == [1500, 0, 2, 7]
    assert FAR_MS > 4e12


def test_a_record_of_another_topic_is_rejected(spark: Any) -> None:
    with pytest.raises(ValueError, match="got 'other'"):
        play_records(spark, [[Sent("other", b"k", b"v", 0)]], lambda records: records)


@pytest.mark.parametrize("names", [("t", "t"), ("", "t"), ("t", "")])
def test_the_two_topics_need_different_names(spark: Any, names: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match="two topics"):
        two_topics(spark, "127.0.0.1:9", *names)


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

    assert [(each.key, each.value) for each in received if each.topic == "positions"] == [(b"m", b"place")]
    assert [(each.offset, each.value) for each in received if each.topic == "fences"] == [(0, b"polygon"), (1, None)]


def test_a_frame_of_events_has_timestamps_even_if_it_is_empty() -> None:
    filled, empty = frame_of([Event("ENTER", "m", "f", 1_500)]), frame_of([])

    assert list(filled.columns) == list(empty.columns) == ["kind", "mover", "fence", "time"]
    assert str(filled["time"][0]) == "1970-01-01 00:00:01.500000"
    assert str(empty["time"].dtype).startswith("datetime64")
