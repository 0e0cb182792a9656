"""The oracle of `enrich_sync` against Spark's broadcast join."""

from typing import Any

import pytest

from autograder.stages.lab06_enrichment.clients import cases, oracle
from streamlab.lab06_enrichment import KINDS

PAYMENTS = "id string, account string, recipient string, device string, location string, cents long, at_ms long"
ROWS = "kind string, account string, item string, name string"


def joined(spark: Any, case: dict[str, Any]) -> Any:
    """Return the payments with a column KIND_row for each kind."""
    from pyspark.sql import functions as f

    payments = spark.createDataFrame([tuple(each) for each in case["transactions"]], PAYMENTS)
    known = spark.createDataFrame([tuple(each) for each in case["rows"]], ROWS)
    for kind in KINDS:
        own = known.where(f.col("kind") == kind).select(
            "account", f.col("item").alias(kind), f.col("name").alias("row")
        )
        payments = payments.join(f.broadcast(own), ["account", kind], "left").withColumnRenamed("row", f"{kind}_row")
    return payments


def flags(rows: list[str | None]) -> list[str]:
    return [f"UNKNOWN_{kind.upper()}" for kind, row in zip(KINDS, rows, strict=True) if row is None]


@pytest.mark.parametrize("case", [cases.drawn("join", "broadcast", 400, accounts=30), cases.asked_for("join")[0]])
def test_rows_and_flags_agree_with_a_broadcast_join(case: dict[str, Any], spark: Any) -> None:
    expected = oracle.results(case)

    found = joined(spark, case)
    plan = found._jdf.queryExecution().executedPlan().toString()

    rows_by_id = {each["id"]: [each[f"{kind}_row"] for kind in KINDS] for each in found.collect()}
    assert "BroadcastHashJoin" in plan
    assert [[each[0], rows_by_id[each[0]], flags(rows_by_id[each[0]])] for each in case["transactions"]] == [
        [payment[0], rows, flagged] for payment, rows, flagged in expected
    ]
    assert len(rows_by_id) == len(expected)
