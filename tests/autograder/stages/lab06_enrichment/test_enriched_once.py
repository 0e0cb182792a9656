"""Task 7 inside `foreachBatch` with Lab 3's `write_once`: a failing store, a job that dies and killed workers neither
lose a payment nor write one twice.
"""

import json
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from streamlab.lab03_log.topic_playback import run_job
from streamlab.lab06_enrichment import Key, Transaction, enriched
from streamlab.lab06_enrichment.payments import bank
from streamlab.lab06_enrichment.python_workers import kill_python_workers
from streamlab.lab06_enrichment.store_server import StoreClient, StoreServer
from tests.autograder.stages.driven_reference import reference
from tests.streamlab.services.conftest import server_programs

pytestmark = pytest.mark.slow

for module in "redis", "pandas":
    server_programs(module)

COLUMNS = "id string, account string, recipient string, device string, location string, amount_cents long, at_ms long"
RESULT = "id string, rows array<string>, flags array<string>"
PARTITIONS, EACH = 3, 60
BANK = bank("once", accounts=12)
PAYMENTS = BANK.payments(2 * EACH)


class BreakingRows(dict[Key, str]):
    """Rows of a server whose connections break after `answers` lookups."""

    def __init__(self, answers: int) -> None:
        super().__init__(BANK.rows)
        self.answers = answers

    def get(self, key: Key, default: Any = None) -> Any:
        self.answers -= 1
        if self.answers < 0:
            raise ConnectionError("planned")
        return super().get(key, default)


def sink(batch: Any, number: int, address: str, table: str) -> None:
    """Enrich a batch and write it; raise the error of a broken connection."""
    lab, log = reference("lab06_enrichment"), reference("lab03_log")
    payments = batch.rdd.map(lambda row: Transaction(*row))
    results = lab.enrich_partitioned(
        payments, PARTITIONS, log.partition_for, partial(StoreClient, address), partial(lab.LruCache, 500)
    )
    rows = results.map(lambda each: (each.transaction.id, list(each.rows), list(each.flags)))
    log.write_once(batch.sparkSession.createDataFrame(rows, RESULT), number, table)


def arrive(folder: Path, number: int) -> None:
    """Move a file of payments into the stream's input folder in one step."""
    rows = [each._asdict() for each in PAYMENTS[number * EACH : (number + 1) * EACH]]
    hidden = folder.parent / f"{number}.json"
    hidden.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    shutil.move(hidden, folder / hidden.name)


def test_a_stream_with_failures_writes_each_payment_once(spark: Any, tmp_path: Path) -> None:
    files, table = tmp_path / "files", tmp_path / "table"
    files.mkdir()
    right = [enriched(each, [BANK.rows.get(key) for key in each.keys]) for each in PAYMENTS]
    rows = BreakingRows(answers=40)
    server = StoreServer(rows)
    stream = spark.readStream.schema(COLUMNS).json(str(files))
    run = partial(run_job, stream, partial(sink, address=server.address, table=str(table)), str(tmp_path / "noted"))
    written = []

    def batches() -> list[str]:
        return sorted(each.name for each in table.glob("batch=*"))

    try:
        arrive(files, 0)
        run(dies=True)  # its store breaks after 40 answers
        broke, rows.answers = rows.answers < 0, 10**9
        written.append(batches())
        run(dies=True)  # after it has written, before Spark commits the batch
        written.append(batches())
        killed = kill_python_workers()
        arrive(files, 1)
        run(dies=False)  # the first batch again, and the second
        written.append(batches())
    finally:
        server.close()

    found = spark.read.parquet(str(table)).collect()
    assert (broke, killed > 0) == (True, True)
    assert written == [[], ["batch=0"], ["batch=0", "batch=1"]]
    assert sorted((each.id, each.rows, each.flags) for each in found) == [
        (each.transaction.id, [*each.rows], [*each.flags]) for each in right
    ]
