"""Drives `with_refunds` with files of payments and refunds, and the learner's `Join` of Lab 4 with the same rows."""

from datetime import UTC, datetime
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected, plain, type_name

SCHEMA = "id string, account string, cents long, at timestamp, refund_of string"
COLUMNS = ["id", "account", "cents", "at", "refund_id", "refund_cents", "refunded_at"]
SHUFFLES = "spark.sql.shuffle.partitions"


@drive("with_refunds")
def with_refunds(stage: Any, spark: Any, case: Any, earlier: Any) -> Rows:
    """Return the rows that come out after each file; for the case of the chain, also the pairs of Lab 4."""
    from streamlab import play_files
    from streamlab.spark.batch_playback import NoStream

    def query(rows: Any) -> Any:
        from pyspark.sql import functions as F

        refund_of, refunded_at = F.col("refund_of").alias("payment_id"), F.col("at").alias("refunded_at")
        refund = F.col("id").alias("refund_id"), refund_of, F.col("cents").alias("refund_cents"), refunded_at
        paid, back = rows.where("refund_of IS NULL").drop("refund_of"), rows.where("refund_of IS NOT NULL")
        return stage.with_refunds(paid, back.select(*refund), case["within_s"], case["watermark_s"])

    before = spark.conf.get(SHUFFLES)
    spark.conf.set(SHUFFLES, "1")  # few rows, so one partition is fastest
    files = [[_row(*each) for each in file] for file in case["files"]]
    try:
        rows = or_rejected(lambda: _as_rows(play_files(spark, SCHEMA, files, query, mode="append")))
    except NoStream as other:
        return {"returned": type_name(other.returned)}
    finally:
        spark.conf.set(SHUFFLES, before)
    return rows | ({"own": pairs_of(earlier("lab04_subqueries").Join, case)} if case["chained"] else {})


def _row(name: str, account: str, cents: int, at_ms: int, refund_of: str | None) -> Rows:
    at = datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="milliseconds")
    return {"id": name, "account": account, "cents": cents, "at": at, "refund_of": refund_of}


def _as_rows(files: list[Any]) -> Rows:
    appended = [row for file in files for row in file.changed]
    columns = list(appended[0].asDict()) if appended else COLUMNS
    if columns != COLUMNS:
        return {"columns": columns, "files": []}
    return {"columns": columns, "files": [[[plain(value) for value in row] for row in file.changed] for file in files]}


def pairs_of(join: Any, case: Any) -> list[Any]:
    """Return the ids of a payment and its refund, for each pair of the learner's Lab 4; rows come in order of time."""
    near = join(
        1000 * case["within_s"],
        1,  # a refund is in the window of an earlier payment, or has the same time
        lambda left, right: {"pair": [left["id"], right["id"]]},
        on=[("id", "refund_of")],
    )
    names = "id", "account", "cents", "t", "refund_of"
    rows = [dict(zip(names, row, strict=True)) for file in case["files"] for row in file]
    pairs = []
    for row in sorted(rows, key=lambda row: row["t"]):
        near.on_time(row["t"])
        pairs += [joined["pair"] for joined in near.on_row(row, int(row["refund_of"] is not None))]
    return plain(pairs)
