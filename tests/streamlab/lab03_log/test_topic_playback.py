"""Topics of a real broker: filled, read by a group of two, played to a query, and counted by a job that dies."""

from pathlib import Path
from typing import Any

import pytest

from streamlab.lab03_log.topic_playback import CLOSING, Died, play_topic, run_job, topic_as_stream
from streamlab.services.base import Service
from streamlab.sources.topics import ANY_TIME, Record, new_topic, read_by_two, send
from streamlab.spark.batch_playback import NoStream

RECORDS = [(b"a", b"1", 1000), (b"b", None, 9999), (None, b"3", 10_000)]


@pytest.fixture
def address(kafka: Service) -> str:
    return kafka.address


def per_window(events: Any) -> Any:
    from pyspark.sql import functions as f

    return events.withWatermark("timestamp", "0 seconds").groupBy(f.window("timestamp", "10 seconds")).count()


def test_a_group_of_two_shares_a_topic_and_gets_every_record(address: str, capfd: pytest.CaptureFixture[str]) -> None:
    topic = new_topic(address, 2, ANY_TIME)
    owned, got = read_by_two(address, topic, lambda: send(address, topic, RECORDS), expected=3)

    assert sorted(owned) == [[0], [1]]
    received = sorted((record for records in got.values() for record in records), key=lambda record: record.key or b"")
    assert [record.value for record in received] == [b"3", b"1", None]
    assert all(isinstance(record, Record) for record in received)
    assert capfd.readouterr().err == ""


def test_windows_are_emitted_after_a_record_from_the_future_has_closed_them(address: str, spark: Any) -> None:
    rows = play_topic(spark, address, RECORDS, per_window)

    assert sorted((row.window.start.timestamp(), row["count"]) for row in rows) == [(0, 2), (10, 1)]


def test_a_query_that_does_not_return_a_stream_is_rejected(address: str, spark: Any) -> None:
    with pytest.raises(NoStream):
        play_topic(spark, address, [], lambda events: 5)


def test_a_job_that_dies_writes_the_same_batch_again(
    address: str, spark: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    topic = new_topic(address, 2, ANY_TIME)
    send(address, topic, [*RECORDS, CLOSING])
    written: list[tuple[int, int]] = []

    def keep(rows: Any, number: int) -> None:
        written.append((number, rows.count()))

    for dies in (True, False):
        run_job(per_window(topic_as_stream(spark, address, topic)), keep, str(tmp_path / "checkpoint"), dies)

    assert [each for each in written if each[1]] == [(1, 2), (1, 2)]
    assert capfd.readouterr().err == ""


def test_the_error_of_a_job_is_raised(address: str, spark: Any, tmp_path: Path) -> None:
    topic = new_topic(address, 2, ANY_TIME)
    send(address, topic, [*RECORDS, CLOSING])

    def fails(rows: Any, number: int) -> None:
        raise Died("this one")

    with pytest.raises(Exception, match="this one"):
        run_job(topic_as_stream(spark, address, topic), fails, str(tmp_path), False)
