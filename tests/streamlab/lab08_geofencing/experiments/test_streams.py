"""Files of records arrive one by one, and late rows are counted."""

import os
from datetime import UTC, datetime
from typing import Any

import pytest

from streamlab.lab08_geofencing.experiments.streams import play
from streamlab.lab08_geofencing.two_topics import Sent, partition_of

if os.environ.get("CI") != "true":
    pytest.importorskip("pyarrow", reason="pyarrow is in requirements-databases.lock")

FILES = [
    [Sent.of_text("fences", "pasture", None, 0), Sent.of_text("positions", "cow", "here", 100_000)],
    [Sent.of_text("positions", "cow", "there", 60_000), Sent.of_text("positions", "bull", "here", 200_000)],
]


def test_records_have_the_columns_of_kafkas_source(spark: Any) -> None:
    played = play(spark, FILES, lambda records: records)

    rows = [(*row[2:5], bytes(row.key), row.value and bytes(row.value)) for row in played.rows]
    of_cow, of_bull = (partition_of(Sent.of_text("positions", mover, None, 0)) for mover in ("cow", "bull"))
    assert of_cow != of_bull  # each partition counts its own offsets
    of_positions = [(of_cow, 0, b"cow", b"here"), (of_cow, 1, b"cow", b"there"), (of_bull, 0, b"bull", b"here")]
    assert sorted(rows) == [("fences", 0, 0, b"pasture", None), *(("positions", *row) for row in sorted(of_positions))]
    assert {row.timestamp.astimezone(UTC) for row in played.rows} >= {datetime.fromtimestamp(100, UTC)}
    assert (played.total, played.dropped, len(played.seconds)) == (4, 0, 2)


def test_late_rows_are_counted_even_if_rows_are_not_kept(spark: Any) -> None:
    def counts(records: Any) -> Any:
        from pyspark.sql import functions as F

        return records.withWatermark("timestamp", "10 seconds").groupBy(F.window("timestamp", "10 seconds")).count()

    played = play(spark, FILES, counts, keep_rows=False)

    assert (played.rows, played.dropped) == ([], 1)
    assert played.total >= 2
