"""Drives `cell_counts` with files in a folder, and `SparkScaler` with scripts of executors and a real cluster."""

from pathlib import Path
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, plain, type_name
from autograder.stages.lab07_irm.elastic_spark.drive_cluster import followed, with_executors
from autograder.stages.lab07_irm.manager.drive_stubs import Halves
from streamlab.lab07_irm.cell_pictures import cell_picture
from streamlab.lab07_irm.datatypes import Decision, Rules
from streamlab.spark.executors import Executor

CLUSTER = (2, 2)
SCHEMA = "path string, modificationTime timestamp, length long, content binary"


@drive("cell_counts", elastic=CLUSTER)
def cell_counts(stage: Any, spark: Any, case: Any, scratch: Path) -> Rows:
    """Return the rows for the files of a folder, and how many jobs the call alone started."""
    from pyspark.sql import DataFrame

    folder = scratch / "in"
    folder.mkdir()
    for name, *picture in case["files"]:
        content = picture[0].encode() if isinstance(picture[0], str) else cell_picture(*picture)
        (folder / name).write_bytes(content[: case["bytes"].get(name)])
    reader = spark.readStream.schema(SCHEMA) if case["stream"] else spark.read
    pictures = reader.format("binaryFile").load(str(folder))
    before = _jobs_so_far(spark)
    given = stage.cell_counts(pictures)
    jobs = _jobs_so_far(spark) - before
    if not isinstance(given, DataFrame):
        return {"returned": type_name(given)}
    with_executors(spark.sparkContext)
    rows = _streamed(given, scratch) if case["stream"] else given.collect()
    return {"columns": plain(given.dtypes), "rows": [plain(list(row)) for row in rows], "jobs": jobs}


def _streamed(given: Any, scratch: Path) -> list[Any]:
    rows: list[Any] = []
    writer = given.writeStream.foreachBatch(lambda batch, number: rows.extend(batch.collect()))
    query = writer.option("checkpointLocation", str(scratch / "checkpoint")).trigger(availableNow=True).start()
    query.awaitTermination()
    return rows


def _jobs_so_far(spark: Any) -> int:
    return int(spark.sparkContext._jsc.sc().dagScheduler().numTotalJobs())


@drive("SparkScaler", elastic=CLUSTER)
def spark_scaler(stage: Any, spark: Any, case: Any) -> Rows:
    """Return the decisions of a script, or how the executors of a cluster behaved."""
    with stage.replaced(Predictor=Halves):
        return _decided(stage, spark, case)


def _decided(stage: Any, spark: Any, case: Any) -> Rows:
    scaler = stage.SparkScaler(Rules(**case["rules"]), case["idle_s"], case["most"])
    if "tasks" in case:
        return followed(scaler, spark.sparkContext, case["tasks"], case["task_s"])
    decisions = []
    for now_s, waiting, executors in case["calls"]:
        decision = scaler.decide(now_s, waiting, [Executor(*each) for each in executors])
        if not isinstance(decision, Decision):
            return {"returned": type_name(decision)}
        decisions.append(plain([decision.total, decision.retire]))
    return {"decisions": decisions}
