"""Each batch is added up first, and a temporary file takes its place in one step."""

import json
import os
import tempfile

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


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
