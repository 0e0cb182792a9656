"""Other correct solutions of `recoverable_counts`; each must get full marks."""

import json
import os
import tempfile
from pathlib import Path

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

from autograder.checks.mutant_markers import alternative


# Adds up each batch first; renames a temporary file to the file of totals.
@alternative("batch_sums_first")
def recoverable_counts(checkpoint_dir, input_dir):
    folder = f"{input_dir}-totals"

    def save(time, totals):
        os.makedirs(folder, exist_ok=True)
        words = totals.collectAsMap()
        handle, draft = tempfile.mkstemp(dir=folder, prefix=".draft-")
        with open(handle, "w", encoding="utf-8") as file:
            json.dump(words, file)
        os.rename(draft, os.path.join(folder, f"totals-{round(time.timestamp() * 1000)}.json"))

    def begin():
        streaming = StreamingContext(SparkContext.getOrCreate(), BATCH_S)
        streaming.checkpoint(checkpoint_dir)
        words = streaming.textFileStream(input_dir).flatMap(lambda line: line.split())
        counts = words.map(lambda word: (word, 1)).reduceByKey(lambda one, more: one + more)
        state = counts.updateStateByKey(lambda new, so_far: (so_far or 0) + sum(new))
        state.checkpoint(5 * BATCH_S)
        state.foreachRDD(save)
        return streaming

    return StreamingContext.getOrCreate(checkpoint_dir, begin)


# Uses the session of the notebook, which is another one in the killed job; renames a complete draft.
@alternative("rename")
def recoverable_counts(checkpoint_dir, input_dir):
    def write(time, totals):
        folder = Path(input_dir + "-totals")
        folder.mkdir(parents=True, exist_ok=True)
        name = f"totals-{round(time.timestamp() * 1000)}.json"
        draft = folder / f".{name}"
        draft.write_text(json.dumps(dict(totals.collect())), encoding="utf-8")
        os.replace(draft, folder / name)

    def create():
        context = StreamingContext(spark.sparkContext, BATCH_S)
        context.checkpoint(checkpoint_dir)
        ones = context.textFileStream(input_dir).flatMap(str.split).map(lambda word: (word, 1))
        totals = ones.updateStateByKey(lambda new, total: sum(new) + (total or 0))
        totals.checkpoint(5 * BATCH_S)  # Spark's default of 10 s would give short batches a long lineage
        totals.foreachRDD(write)
        return context

    return StreamingContext.getOrCreate(checkpoint_dir, create)
