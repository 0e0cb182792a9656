"""Batches for a DStream of the learner's, and its answers as plain rows. Keeps out: which task it is, what is right."""

from collections.abc import Callable
from typing import Any

from autograder.inside.rows import Rows, a_kind, plain

BATCH_S = 0.1
PATIENCE_S = 25.0


def seconds(batches: int) -> float:
    """So many batches in seconds, to the millisecond. Example: seconds(3) -> 0.3"""
    return round(batches * BATCH_S, 3)


def answers_to(query: Callable[[Any], Any], spark: Any, batches: list[list[Any]], name: str) -> list[Rows] | Rows:
    """Rows of `at_batch` (1 is the first) and, under `name`, what the stream has then. What is no DStream is named."""
    from streamlab.spark.batch_playback import NoStream, play_batches

    try:
        answers = play_batches(spark, batches, query, BATCH_S, PATIENCE_S)
    except NoStream as other:
        return {"returned": a_kind(other.came)}
    return [{"at_batch": number, name: plain(rows)} for number, rows in answers]


def rejected_or_accepted(query: Callable[[Any], Any], spark: Any, batch_s: float) -> Rows:
    """What happens when the query is described, and only described."""
    from streamlab.spark import streaming

    with streaming(spark, batch_s) as context:
        try:
            query(context.queueStream([spark.sparkContext.parallelize([("a", 1)], 2)]))
        except ValueError as refusal:
            return {"rejected": str(refusal)[:200]}
        return {"accepted": True}
