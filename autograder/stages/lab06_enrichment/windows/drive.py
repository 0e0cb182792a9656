"""Drives `fraud_windows` with files of enriched transactions that arrive one after another, and in a killed job."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from autograder.inside import drive
from autograder.inside.counterparts import Ask
from autograder.inside.rows import Rows, or_rejected, plain, type_name
from autograder.stages.lab06_enrichment.windows.drive_job import found_on_kafka

SCHEMA = "id string, account string, amount_cents long, at timestamp, flags array<string>"
COLUMNS = ["start", "end", "account", "amount_cents", "transactions", "suspicious"]
SHUFFLES = "spark.sql.shuffle.partitions"


@drive("fraud_windows")
def fraud_windows(stage: Any, spark: Any, case: Any, earlier: Any, scratch: Path, outside: Ask) -> Rows:
    """Return the windows after all files, and the rows dropped and kept at each; or the windows of the killed job."""
    from streamlab import play_files
    from streamlab.spark.batch_playback import NoStream

    before = spark.conf.get(SHUFFLES)
    spark.conf.set(SHUFFLES, "1")  # few rows, so one partition is fastest
    try:
        if "files" not in case:
            write_once = earlier("lab03_log").write_once
            return _of_job(found_on_kafka(stage, spark, case, write_once, scratch, outside))
        files = [[_row(*each) for each in file] for file in case["files"]]
        played = lambda: play_files(  # noqa: E731
            spark, SCHEMA, files, lambda rows: stage.fraud_windows(rows, case["watermark_s"])
        )
        return or_rejected(lambda: _as_rows(played()))
    except NoStream as other:
        return {"returned": type_name(other.returned)}
    finally:
        spark.conf.set(SHUFFLES, before)


def _row(name: str, account: str, cents: int, at_ms: int, flags: list[str]) -> Rows:
    at = datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="milliseconds")
    return {"id": name, "account": account, "amount_cents": cents, "at": at, "flags": flags}


def _as_rows(files: list[Any]) -> Rows:
    changed = [row for file in files for row in file.changed]
    columns = _columns(changed)
    newest = {} if columns != COLUMNS else {(row.start, row.end, row.account): row for row in changed}
    windows = [_window(row) for row in newest.values()]
    return {
        "columns": columns,
        "windows": windows,
        "dropped": [file.dropped for file in files],
        "state_rows": [file.state_rows for file in files],
    }


def _of_job(found: Any) -> Rows:
    columns = _columns(found.table)
    table, topic = ([_window(row) for row in rows if columns == COLUMNS] for rows in (found.table, found.topic))
    return {"columns": columns, "windows": table, "topic": topic, "killed": found.killed}


def _columns(rows: list[Any]) -> list[str]:
    return list(rows[0].asDict()) if rows else COLUMNS


def _window(row: Any) -> list[Any]:
    """Return [start in s, end in s, account, cents, transactions, [[id, flags], …]]."""
    suspicious = [list(each) for each in row.suspicious or []]
    return [plain(each) for each in (row.start, row.end, row.account, row.amount_cents, row.transactions, suspicious)]
