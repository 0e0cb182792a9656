"""Given batches and files are played, and every answer is returned with its batch number."""

from typing import Any

import pytest

from streamlab.spark.batch_playback import NoStream, play_batches
from streamlab.spark.batches import STATE_EVERY_BATCHES
from streamlab.spark.file_playback import play_files

EVENTS = "id string, event_time timestamp"


def test_each_batch_has_its_answer_under_its_number(spark: Any) -> None:
    answers = play_batches(spark, [["a b"], [], ["c"]], lambda lines: lines.flatMap(lambda line: line.split()))

    assert answers == [(1, ["a", "b"]), (2, []), (3, ["c"])]


def test_playing_no_batches_returns_no_answers(spark: Any) -> None:
    assert play_batches(spark, [], lambda lines: lines.count()) == []


def test_a_window_has_one_answer_per_slide(spark: Any) -> None:
    answers = play_batches(spark, [[1], [2], [3], [4], [5]], lambda numbers: numbers.window(0.3, 0.2), 0.1)

    assert [(number, sorted(rows)) for number, rows in answers] == [(2, [1, 2]), (4, [2, 3, 4])]


def test_state_is_carried_from_batch_to_batch_across_checkpoints(spark: Any) -> None:
    def totals(pairs: Any) -> Any:
        return pairs.updateStateByKey(lambda new, total: sum(new, total or 0))

    answers = play_batches(spark, [[("a", 1)]] * 2 * (STATE_EVERY_BATCHES + 1), totals)

    assert answers[-1] == (12, [("a", 12)])


def test_an_error_in_a_batch_is_raised(spark: Any) -> None:
    with pytest.raises(Exception, match="ZeroDivisionError"):
        play_batches(spark, [[1], [0]], lambda numbers: numbers.map(lambda number: 1 / number))


def test_a_query_that_does_not_return_a_stream_is_reported_with_its_type(spark: Any) -> None:
    with pytest.raises(NoStream, match="expected a DStream, got list"):
        play_batches(spark, [[1]], lambda numbers: [numbers])
    with pytest.raises(NoStream, match="got int"):
        play_files(spark, EVENTS, [], lambda rows: 1)
    with pytest.raises(NoStream, match="got DataFrame"):
        play_files(spark, EVENTS, [], lambda rows: spark.range(3))  # a static table


def test_files_arrive_one_by_one_and_late_rows_are_counted(spark: Any) -> None:
    def at(second: int) -> dict[str, str]:
        return {"id": str(second), "event_time": f"2026-01-01T10:00:{second:02}Z"}

    def counts(events: Any) -> Any:
        from pyspark.sql import functions as f

        on_time = events.withWatermark("event_time", "10 seconds")
        return on_time.groupBy(f.window("event_time", "5 seconds")).count().select("count")

    answers = play_files(spark, EVENTS, [[at(1), at(2), at(30)], [at(3), at(22)], []], counts)

    assert [sorted(row["count"] for row in answer.changed) for answer in answers] == [[1, 2], [1], []]
    assert [answer.dropped for answer in answers] == [0, 1, 0]
    assert [answer.state_rows for answer in answers] == [1, 2, 2]  # the watermark of 20 s has closed the first window
