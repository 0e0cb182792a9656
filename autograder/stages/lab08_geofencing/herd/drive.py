"""Drives `contacts` with files of fixes that arrive one after another, and `scaling` with samples of runs."""

from datetime import UTC, datetime
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected, plain, type_name
from streamlab.lab08_geofencing.append_playback import play_to_the_end
from streamlab.lab08_geofencing.geo import MeasuringError
from streamlab.spark.batch_playback import NoStream

SCHEMA = "mover string, time timestamp, lon double, lat double"
COLUMNS = ["a", "b", "begin", "end", "together_s"]
SHUFFLES = "spark.sql.shuffle.partitions"
CLOSING = ("closing", 4_102_444_800_000, 0.0, -45.0)  # in the year 2100


@drive("contacts")
def contacts(stage: Any, spark: Any, case: Any) -> Rows:
    """Return all contacts after a closing fix."""
    arguments = case["arguments"]
    before = spark.conf.get(SHUFFLES)
    spark.conf.set(SHUFFLES, "1")  # few rows, so one partition is fastest
    files = [[_row(*fix) for fix in file] for file in case["files"]]
    try:
        return or_rejected(
            lambda: _as_rows(
                play_to_the_end(spark, SCHEMA, files, _row(*CLOSING), lambda fixes: stage.contacts(fixes, *arguments))
            )
        )
    except NoStream as other:
        return {"returned": type_name(other.returned)}
    finally:
        spark.conf.set(SHUFFLES, before)


def _row(mover: str, time_ms: int, lon: float, lat: float) -> Rows:
    time = datetime.fromtimestamp(time_ms / 1000, UTC).isoformat(timespec="milliseconds")
    return {"mover": mover, "time": time, "lon": lon, "lat": lat}


def _as_rows(rows: list[Any]) -> Rows:
    columns = list(rows[0].asDict()) if rows else COLUMNS
    order = COLUMNS if sorted(columns) == sorted(COLUMNS) else columns
    return {"columns": columns, "contacts": [[plain(row[name]) for name in order] for row in rows]}


@drive("scaling")
def scaling(stage: Any, case: Any) -> Rows:
    """Return the rows, or the error."""
    runs = {nodes: [tuple(sample) for sample in samples] for nodes, samples in case["runs"]}
    return or_rejected(lambda: {"scaled": plain(stage.scaling(runs))}, MeasuringError)
