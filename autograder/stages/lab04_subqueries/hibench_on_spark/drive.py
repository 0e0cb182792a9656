"""Drive `hibench_on_spark` with visits in files, one after another, in update mode."""

from datetime import UTC, datetime
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected, plain, type_name

SCHEMA = "time timestamp, ip string, word string"
SHARE = "_share"


@drive("hibench_on_spark")
def hibench_on_spark(stage: Any, spark: Any, case: Any) -> Rows:
    """Return the columns, the rows that each file changed with their partitions, and the state rows after each file."""
    return or_rejected(lambda: _answers(stage, spark, case))


def _answers(stage: Any, spark: Any, case: Any) -> Rows:
    from streamlab.spark.batch_playback import NoStream
    from streamlab.spark.file_playback import play_files

    columns: list[str] = []

    def described(visits: Any) -> Any:
        from pyspark.sql import functions as F

        answer = stage.hibench_on_spark(case["workload"], visits, case["instances"])
        columns.extend(getattr(answer, "columns", []))
        return answer.withColumn(SHARE, F.spark_partition_id()) if hasattr(answer, "withColumn") else answer

    try:
        answers = play_files(spark, SCHEMA, [[_as_read(visit) for visit in file] for file in case["files"]], described)
    except NoStream as other:
        return {"returned": type_name(other.returned)}
    files = [[_changed(row, columns) for row in answer.changed] for answer in answers]
    return {"columns": columns, "files": files, "state_rows": [answer.state_rows for answer in answers]}


def _as_read(visit: dict[str, Any]) -> dict[str, Any]:
    at = datetime.fromtimestamp(visit["t"] / 1000, UTC)
    return {"time": at.isoformat(timespec="milliseconds"), "ip": visit["ip"], "word": visit["word"]}


def _changed(row: Any, columns: list[str]) -> dict[str, Any]:
    values = {name: _in_ms(row[name]) for name in columns}
    return {"values": values, "share": row[SHARE]}


def _in_ms(value: Any) -> Any:
    return round(value.timestamp() * 1000) if isinstance(value, datetime) else plain(value)
