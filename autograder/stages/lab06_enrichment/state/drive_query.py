"""Runs a query on Spark whose step is the learner's.

Files arrive, the query stops, its Python workers are killed, and it resumes with the same checkpoint.
"""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from autograder.inside.rows import Rows
from streamlab.lab06_enrichment.embedded_state import CHANGE, TRANSACTION, enriched_by_state
from streamlab.lab06_enrichment.python_workers import kill_python_workers
from streamlab.sources.whole_files import write_whole

WATERMARK_S = 0
SHUFFLES = "spark.sql.shuffle.partitions"


def answers_of_query(step: Any, spark: Any, files: list[list[list[Any]]], folder: Path) -> Rows:
    """Return the answers [id, rows, flags] in order of arrival, and whether workers were killed between files."""
    before, answers, killed = spark.conf.get(SHUFFLES), list[Any](), 0
    spark.conf.set(SHUFFLES, "1")
    for name in ("payments", "changes"):
        (folder / name).mkdir()
    try:
        for number, rows in enumerate(files):
            killed += kill_python_workers() if number else 0
            _arrive(folder, number, rows)
            _run_once(step, spark, folder, answers)
    finally:
        spark.conf.set(SHUFFLES, before)
    return {"streamed": answers, "killed": killed > 0}


def _run_once(step: Any, spark: Any, folder: Path, answers: list[Any]) -> None:
    """Start the query, let it process all available files, and stop it."""
    payments = spark.readStream.schema(TRANSACTION).json(str(folder / "payments"))
    changes = spark.readStream.schema(CHANGE).json(str(folder / "changes"))

    def keep(batch: Any, number: int) -> None:
        rows = batch.collect()
        answers.extend([each.id, [each.recipient_row, each.device_row, each.location_row], each.flags] for each in rows)

    described = enriched_by_state(step, payments, changes, WATERMARK_S).writeStream.outputMode("append")
    running = described.option("checkpointLocation", str(folder / "checkpoint")).foreachBatch(keep).start()
    try:
        running.processAllAvailable()
    finally:
        running.stop()


def _arrive(folder: Path, number: int, rows: list[list[Any]]) -> None:
    payments = [_payment(*row[1:]) for row in rows if row[0] == "t"]
    changes = [_change(*row[1:]) for row in rows if row[0] == "c"]
    for name, each in ("changes", changes), ("payments", payments):
        write_whole(folder / name / f"{number}.json", "".join(f"{json.dumps(row)}\n" for row in each))


def _payment(name: str, account: str, recipient: str, device: str, location: str, cents: int, at_ms: int) -> Rows:
    what = {"recipient": recipient, "device": device, "location": location, "amount_cents": cents}
    return {"id": name, "account": account, **what, "at": _moment(at_ms)}


def _change(kind: str, account: str, item: str, at_ms: int, seq: int, row: str | None) -> Rows:
    return {"kind": kind, "account": account, "item": item, "row": row, "seq": seq, "at": _moment(at_ms)}


def _moment(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="milliseconds")
