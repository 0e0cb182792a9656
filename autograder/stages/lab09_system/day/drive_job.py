"""A job of four files. The first writer raises at one of its batches; then the job is started again.

Each record is an alert of its account, or a dead letter.
"""

import json
from pathlib import Path
from typing import Any

from autograder.inside.rows import Rows, plain, type_name
from streamlab.lab09_system import LogError
from streamlab.quiet_log import quiet_log
from streamlab.sources.whole_files import write_whole

RECORDS = "account string"


class ScriptedWriter:
    """Keeps what it gets; raises LogError at batch `fails_at`."""

    def __init__(self, fails_at: int | None = None) -> None:
        self.writes, self.last, self._fails_at = list[Any](), -1, fails_at

    def write(self, number: int, rows: Any) -> bool:
        """Keep a batch."""
        self.writes.append([plain(number), [_row(each) for each in rows]])
        if number == self._fails_at:
            raise LogError("the log stays down")
        self.last = number
        return True


def played(stage: Any, spark: Any, case: Any, scratch: Path) -> Rows:
    """Return what both writers got, and whether the error of the first one ended the query."""
    from pyspark.sql.streaming.query import StreamingQuery

    arriving, checkpoint = scratch / "arriving", str(scratch / "checkpoint")
    arriving.mkdir()
    rows = _rows(spark.readStream.schema(RECORDS).json(str(arriving)))
    first, second = ScriptedWriter(case["fails_at"]), ScriptedWriter()
    with quiet_log("py4j.clientserver"):  # it would print the error on stderr, which costs a graded cell its points
        query = stage.start_job(rows, first, checkpoint)
        if not isinstance(query, StreamingQuery):
            return {"returned": type_name(query)}
        for number, accounts in enumerate(case["files"][: case["fails_at"] + 1]):
            _arrive(arriving, number, accounts)
            problem = _error_of(query)
        query.stop()
    query = stage.start_job(rows, second, checkpoint)
    _error_of(query)
    for number, accounts in enumerate(case["files"]):
        if number > case["fails_at"]:
            _arrive(arriving, number, accounts)
            _error_of(query)
    query.stop()
    return {"first": first.writes, "second": second.writes, "ended": problem}


def _rows(records: Any) -> Any:
    from pyspark.sql import functions as F

    account = F.col("account")
    kind = F.when(account == "dead", "DEAD").otherwise("AWAY").alias("kind")
    rest = (
        F.lit("p").alias("subject"),
        F.lit(5).cast("long").alias("time_ms"),
        F.length("account").cast("long").alias("cents"),
    )
    return records.where(account != "nobody").select(kind, account, *rest, F.encode("account", "utf-8").alias("record"))


def _arrive(folder: Path, number: int, accounts: list[str]) -> None:
    lines = [json.dumps({"account": account}) for account in accounts or ["nobody"]]
    write_whole(folder / f"{number}.json", "\n".join(lines))


def _error_of(query: Any) -> bool:
    """Wait until all files are processed; return whether the query ended with an error."""
    from pyspark.errors import PySparkException

    try:
        query.processAllAvailable()
    except PySparkException:
        return True
    return query.exception() is not None


def _row(row: Any) -> Any:
    if not isinstance(row, list | tuple):
        return type_name(row)
    return plain([bytes(each).decode() if isinstance(each, bytes | bytearray) else each for each in row])
