"""Play batches to a DStream of the learner and return its answers as plain rows."""

import re
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from autograder.inside.patience import patient
from autograder.inside.rows import Rows, plain, type_name

BATCH_S = 0.1
PATIENCE_S = 25.0
BATCH_TIME = re.compile(r"batch time ([^<\]]+)")

Query = Callable[[Any], Any]


def seconds(batches: int) -> float:
    """Return the length of `batches` in seconds, to the millisecond. Example: seconds(3) -> 0.3"""
    return round(batches * BATCH_S, 3)


def answers_to(query: Query, spark: Any, batches: list[list[Any]]) -> Rows:
    """Return the rows of the stream at each slide: {"at_batch" (from 1), "rows"}; or its type if it is not one."""
    from streamlab.spark.batch_playback import NoStream, play_batches

    try:
        with patient(PATIENCE_S) as limit_s:
            answers = play_batches(spark, batches, query, BATCH_S, limit_s)
    except NoStream as other:
        return {"returned": type_name(other.returned)}
    return {"slides": [{"at_batch": number, "rows": plain(rows)} for number, rows in answers]}


def with_bytes_read(spark: Any, play: Callable[[], Rows], slides: list[int]) -> Rows:
    """Return the answers of `play()` at `slides`, and as "read" the bytes that each batch read (memory, shuffles).

    These are Spark's own figures for its stages, whose descriptions have the time of the batch.
    """
    before = {stage.stageId() for stage in _stages(spark)}
    rows, read = play(), defaultdict[str, int](int)
    for stage in _stages(spark):
        at = BATCH_TIME.search(stage.description().get()) if stage.description().isDefined() else None
        if at and stage.stageId() not in before:
            read[at[1]] += stage.inputBytes() + stage.shuffleReadBytes()
    if "slides" in rows:
        rows["slides"] = [each for each in rows["slides"] if each["at_batch"] in slides]
    return {**rows, "read": [read[at] for at in sorted(read)]}


def _stages(spark: Any) -> list[Any]:
    context = spark.sparkContext
    java, no_quantiles = context._jsc.sc(), context._gateway.new_array(context._jvm.double, 0)
    java.listenerBus().waitUntilEmpty()
    stages = java.statusStore().stageList(None, False, False, no_quantiles, None)
    return [stages.apply(number) for number in range(stages.size())]


def described(query: Query, spark: Any, batch_s: float) -> Rows:
    """Return what the query returns; nothing is run."""
    from pyspark.streaming import DStream

    from streamlab.spark import streaming

    with streaming(spark, batch_s) as context:
        stream = query(context.queueStream([spark.sparkContext.parallelize([("a", 1)], 2)]))
    return {"stream" if isinstance(stream, DStream) else "returned": type_name(stream)}
