"""How the tasks of Lab 1 are fed: all of the judging code that a submission's sandbox can see.

Rows are plain values; whether they are right is not known here. Where a later task calls an earlier one, a
stand-in takes the earlier one's place, so that a mistake in `words` costs points in `words` alone.
"""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, a_kind, or_rejected, plain

BATCH_S = 0.15
PATIENCE_S = 20.0
LINES_PER_S = 20_000.0
FIELDS = ("delivered", "dropped", "queued", "held_up_ms", "longest_queue")


@drive("words")
def words(stage: Any, case: Any) -> Rows:
    """The words of one line."""
    return {"words": plain(stage.words(case["line"]))}


@drive("count_words")
def count_words(stage: Any, spark: Any, case: Any) -> Rows:
    """The counts of the same lines, in each number of partitions; a `separator` makes `words` split there."""
    split = splitting_at(case["separator"]) if "separator" in case else plain_words()
    with stage.replaced(words=split):
        runs = [_counts(stage, spark, case["lines"], each) for each in case["partitions"]]
    return {"runs": runs}


def _counts(stage: Any, spark: Any, lines: list[str], partitions: int) -> Rows:
    before = jobs_so_far(spark)
    counts = stage.count_words(spark.sparkContext.parallelize(lines, partitions))
    started = jobs_so_far(spark) - before
    return {"partitions": partitions, "jobs_when_called": started, **_collected(counts)}


@drive("count_words.throughput")
def count_words_throughput(stage: Any, spark: Any, case: Any) -> Rows:
    """One turn: a file of words with a space between them, so that counting is compared and not splitting."""
    with stage.replaced(words=str.split):
        lines = spark.sparkContext.textFile(f"file://{case['path']}", minPartitions=2)
        before = jobs_so_far(spark)
        counts = stage.count_words(lines)
        return {"jobs_when_called": jobs_so_far(spark) - before, **_collected(counts)}


def _collected(counts: Any) -> Rows:
    from pyspark import RDD

    if not isinstance(counts, RDD):
        return {"returned": a_kind(counts)}
    return {"counts": plain(counts.collect())}


def jobs_so_far(spark: Any) -> int:
    """How many jobs Spark has started; the status tracker knows the same, but only some time later."""
    return int(spark.sparkContext._jsc.sc().dagScheduler().numTotalJobs())


@drive("word_counts")
def word_counts(stage: Any, spark: Any, case: Any) -> Rows:
    """The counts of each batch of a queue, or of all lines that came over a socket."""
    with stage.replaced(words=plain_words(), count_words=slides_pipeline()):
        if "batches" in case:
            return queued_batches(stage.word_counts, spark, case["batches"])
        return over_a_socket(stage.word_counts, spark, case["parts"])


@drive("local_master")
def local_master(stage: Any, case: Any) -> Rows:
    """The master for some receivers and workers."""
    return or_rejected(lambda: {"master": plain(stage.local_master(case["receivers"], case["workers"]))})


@drive("on_word")
def on_word(stage: Any, case: Any) -> Rows:
    """What each event gives, and what the states hold in the end."""
    states: list[dict[str, int]] = [{} for _ in range(1 + max(number for number, _ in case["events"]))]
    answers = [plain(stage.on_word(states[number], word)) for number, word in case["events"]]
    return {"answers": answers, "states": [plain(state) for state in states]}


@drive("standing_counts")
def standing_counts(stage: Any, spark: Any, case: Any, scratch: Path) -> Rows:
    """The table of counts after each of the files that come one by one."""
    with stage.replaced(words=plain_words()):
        return tables_after_files(stage.standing_counts, spark, case["files"], scratch)


@drive("deliver")
def deliver(stage: Any, case: Any) -> Rows:
    """What became of every message."""
    return or_rejected(lambda: _fields(stage.deliver(*case.values())))


def _fields(delivery: Any) -> Rows:
    if not all(hasattr(delivery, name) for name in FIELDS):
        return {"returned": a_kind(delivery)}
    return {name: plain(getattr(delivery, name)) for name in FIELDS}


# Streams: each waits for what it can observe, and for no longer than `PATIENCE_S`.


def queued_batches(word_counts: Callable[[Any], Any], spark: Any, batches: list[list[str]]) -> Rows:
    """The counts of each of `batches`, which come one an interval."""
    from streamlab.spark import streaming

    with streaming(spark, BATCH_S) as context:
        queue = [spark.sparkContext.parallelize(batch, 2) for batch in batches]
        answers = Answers(word_counts(context.queueStream(queue)))
        answers.play(context, until=lambda: len(answers.batches) >= len(batches))
        return answers.rows({"batches": answers.batches[: len(batches)]})


def over_a_socket(word_counts: Callable[[Any], Any], spark: Any, parts: list[list[str]]) -> Rows:
    """All counts of all batches, for lines from a server that sends the next part when one was counted."""
    from streamlab.sources.line_server import LineServer
    from streamlab.spark import streaming

    counted = [threading.Event() for _ in parts]
    with (
        LineServer(_part_by_part(parts, counted), rate_per_s=LINES_PER_S) as server,
        streaming(spark, BATCH_S) as context,
    ):
        lines = context.socketTextStream(server.host, server.port)
        answers = Answers(word_counts(lines))
        lines.foreachRDD(_telling(parts, counted))  # comes after the learner's counts of the same batch
        try:
            answers.play(context, until=counted[-1].is_set)
        finally:
            for each in counted:
                each.set()
        return answers.rows({"counts": [pair for batch in answers.batches for pair in batch]})


def _part_by_part(parts: list[list[str]], counted: list[threading.Event]) -> Iterator[str]:
    for lines, event in zip(parts, counted, strict=True):
        yield from lines
        event.wait(PATIENCE_S)


def _telling(parts: list[list[str]], counted: list[threading.Event]) -> Callable[[Any], None]:
    """Count the lines of batches that are done; the server goes on after the first empty batch behind a part."""
    arrived = 0

    def tell(batch: Any) -> None:
        nonlocal arrived
        came = batch.count()
        arrived += came
        if came:
            return
        for number, event in enumerate(counted, 1):
            if arrived >= sum(len(lines) for lines in parts[:number]):
                event.set()

    return tell


class Answers:
    """The counts of each batch of a DStream that the learner made, in the order of the batches."""

    def __init__(self, counts: Any) -> None:
        from pyspark.streaming import DStream

        self.batches: list[Any] = []
        self._problem: BaseException | None = None
        self._keeps_state = False
        self._kind = "" if isinstance(counts, DStream) else a_kind(counts)
        if not self._kind:
            counts.foreachRDD(lambda batch: self._keep(batch))

    def _keep(self, batch: Any) -> None:
        try:
            self.batches.append(plain(batch.collect()))
        except Exception as problem:
            self._problem = problem

    def play(self, context: Any, until: Callable[[], bool]) -> None:
        """Run the context until the batches of interest were counted.

        Raises what the learner's code raised; TimeoutError for batches that do not come, which says nothing of counts.
        """
        if self._kind or not self._started(context):
            return
        deadline = time.monotonic() + PATIENCE_S
        while not until() and self._problem is None:
            if time.monotonic() > deadline:
                raise TimeoutError(f"not all batches were counted within {PATIENCE_S:g} s")
            context.awaitTerminationOrTimeout(0.01)
        if self._problem is not None:
            raise self._problem

    def _started(self, context: Any) -> bool:
        """Start; Spark rejects a DStream that keeps state where there is no checkpoint directory."""
        try:
            context.start()
        except Exception as refusal:
            self._keeps_state = "checkpoint directory has not been set" in str(refusal)
            if not self._keeps_state:
                raise
        return not self._keeps_state

    def rows(self, counted: Rows) -> Rows:
        """The rows, or what came in the place of a DStream that counts every batch alone."""
        if self._keeps_state:
            return {"keeps_state": True}
        return {"returned": self._kind} if self._kind else counted


def tables_after_files(
    standing_counts: Callable[[Any], Any], spark: Any, files: list[list[str]], scratch: Path
) -> Rows:
    """The columns of the answer, and its rows after each file."""
    from pyspark.sql import DataFrame

    incoming = scratch / "incoming"
    incoming.mkdir()
    counts = standing_counts(spark.readStream.text(str(incoming)))
    if not isinstance(counts, DataFrame) or not counts.isStreaming:
        return {"returned": a_kind(counts)}
    name = f"standing_counts_{time.monotonic_ns()}"
    query = counts.writeStream.outputMode("complete").format("memory").queryName(name).start()
    try:
        tables = [_after(lines, number, query, spark, incoming) for number, lines in enumerate(files)]
    finally:
        query.stop()
        spark.catalog.dropTempView(name)
    return {"columns": counts.columns, "tables": tables}


def _after(lines: list[str], number: int, query: Any, spark: Any, incoming: Path) -> Any:
    unfinished = incoming.parent / f"{number}.txt"
    unfinished.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    unfinished.rename(incoming / unfinished.name)  # a file arrives whole
    query.processAllAvailable()
    return plain(spark.table(query.name).collect())


# Stand-ins. Each is made anew, inside a function, so that Spark sends it to its workers by value.


def plain_words() -> Callable[[str], list[str]]:
    """A `words` that is right for lines of plain words, commas and full stops."""
    return lambda line: line.replace(",", " ").replace(".", " ").lower().split()


def splitting_at(separator: str) -> Callable[[str], list[str]]:
    """A `words` for which everything between two separators is a word."""
    return lambda line: line.split(separator)


def slides_pipeline() -> Callable[[Any], Any]:
    """The `count_words` of the slides, for those who call it on every batch."""
    split = plain_words()
    return lambda lines: lines.flatMap(split).map(lambda word: (word, 1)).reduceByKey(lambda one, more: one + more)
