"""Drives `byte_rates` with the reports of a case, spread over several partitions."""

from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, plain, type_name

SCHEMA = "sender string, receiver string, at_ms long, total_bytes long"
PARTITIONS = 3


@drive("byte_rates")
def byte_rates(stage: Any, spark: Any, case: Any) -> Rows:
    """Return the columns, the rows, and how many jobs the call itself has started."""
    from pyspark.sql import DataFrame

    reports = spark.createDataFrame([tuple(row) for row in case["reports"]], SCHEMA).repartition(PARTITIONS)
    before = _jobs_so_far(spark)
    given = stage.byte_rates(reports)
    jobs = _jobs_so_far(spark) - before
    if not isinstance(given, DataFrame):
        return {"returned": type_name(given)}
    return {"columns": given.columns, "rates": [plain(list(row)) for row in given.collect()], "jobs": jobs}


def _jobs_so_far(spark: Any) -> int:
    return int(spark.sparkContext._jsc.sc().dagScheduler().numTotalJobs())
