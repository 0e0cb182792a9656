"""Keeps of each word the count of the last batch that had it."""

import json
import os
from pathlib import Path

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

KILLED_BY = [
    "totals_cover_the_words_of_all_files",
    "a_run_that_was_killed_ends_with_the_totals_of_one_that_never_died",
]


def recoverable_counts(checkpoint_dir, input_dir):
    def write(time, totals):
        folder = Path(input_dir + "-totals")
        folder.mkdir(parents=True, exist_ok=True)
        name = f"totals-{round(time.timestamp() * 1000)}.json"
        draft = folder / f".{name}"
        draft.write_text(json.dumps(dict(totals.collect())), encoding="utf-8")
        os.replace(draft, folder / name)

    def create():
        context = StreamingContext(SparkContext.getOrCreate(), BATCH_S)
        context.checkpoint(checkpoint_dir)
        ones = context.textFileStream(input_dir).flatMap(str.split).map(lambda word: (word, 1))
        totals = ones.updateStateByKey(lambda new, total: sum(new) if new else total)
        totals.checkpoint(5 * BATCH_S)
        totals.foreachRDD(write)
        return context

    return StreamingContext.getOrCreate(checkpoint_dir, create)
