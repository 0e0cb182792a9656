"""Drive `event_time_counts`: events in files, one file after another."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected, plain, type_name

SCHEMA = "id string, key string, event_time timestamp"
COLUMNS = ["start", "end", "key", "count"]


@drive("event_time_counts")
def event_time_counts(stage: Any, spark: Any, case: Any) -> Rows:
    """Return the windows after all files, and how many events were dropped."""
    window_s, watermark_s, query = case["window_s"], case["watermark_s"], stage.event_time_counts
    return or_rejected(
        lambda: windows_after_files(lambda events: query(events, window_s, watermark_s), spark, case["files"])
    )


def windows_after_files(query: Callable[[Any], Any], spark: Any, files: list[list[dict[str, Any]]]) -> Rows:
    """Return the columns, the newest rows of each window and key, and how many events were older than the watermark.

    Columns are identified by name: if the names are as expected, rows have them in the order of `COLUMNS`.
    """
    from streamlab.spark.batch_playback import NoStream
    from streamlab.spark.file_playback import play_files

    columns: list[str] = []

    def described(events: Any) -> Any:
        counts = query(events)
        columns.extend(getattr(counts, "columns", []))
        return counts

    try:
        answers = play_files(spark, SCHEMA, [[_as_read(event) for event in events] for events in files], described)
    except NoStream as other:
        return {"returned": type_name(other.returned)}
    order = COLUMNS if sorted(columns) == sorted(COLUMNS) else columns
    rows = _newest([[plain([row[name] for name in order]) for row in answer.changed] for answer in answers])
    return {"columns": columns, "windows": rows, "dropped": sum(answer.dropped for answer in answers)}


def _as_read(event: dict[str, Any]) -> dict[str, Any]:
    at = datetime.fromtimestamp(event["event_time_s"], UTC)
    return {"id": event["id"], "key": event["key"], "event_time": at.isoformat(timespec="microseconds")}


def _newest(answers: list[list[Any]]) -> list[Any]:
    """Return, for each window and key, the rows of the last answer that contains them."""
    newest: dict[str, list[Any]] = {}
    for rows in answers:
        of_this_answer: dict[str, list[Any]] = {}
        for row in rows:
            of_this_answer.setdefault(json.dumps(row[:-1]), []).append(row)
        newest |= of_this_answer
    return [row for place in sorted(newest) for row in newest[place]]
