"""Wrong versions of `recoverable_counts`, each with the checks that must catch it."""

import json
import os
import tempfile
from pathlib import Path

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

from autograder.verify.marks import mutant, right

RUN_WAS = "a_run_that_was_killed_ends_with_the_totals_of_one_that_never_died"
BATCH_WRITES = "every_batch_writes_its_totals_to_a_file_of_its_own"
TOTALS_COVER = "totals_cover_the_words_of_all_files"

# recoverable_counts


@right
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
        totals = ones.updateStateByKey(lambda new, total: sum(new) + (total or 0))
        totals.checkpoint(5 * BATCH_S)
        totals.foreachRDD(write)
        return context

    return StreamingContext.getOrCreate(checkpoint_dir, create)


mutant(
    "begins_anew", RUN_WAS, ("StreamingContext.getOrCreate(checkpoint_dir, create", "create(")
)  # Makes a new context at every start, and does not look for a checkpoint.
mutant(
    "checkpoint_elsewhere", RUN_WAS, ("getOrCreate(checkpoint_dir", "getOrCreate(tempfile.mkdtemp()")
)  # Looks for its checkpoint in a folder that is new at every start.
mutant("lines_are_words", [TOTALS_COVER, RUN_WAS], ("flatMap(str.split).map", "map"))  # Takes a line for a word.
mutant(
    "newest_words_only", [TOTALS_COVER, RUN_WAS], ("+ (total or 0)", "if new else total")
)  # Keeps of each word the count of the last batch that had it.
mutant(
    "no_context", [TOTALS_COVER, BATCH_WRITES, RUN_WAS], ("return StreamingContext", "StreamingContext")
)  # Starts the context itself, and returns nothing.
mutant(
    "one_file", [TOTALS_COVER, BATCH_WRITES, RUN_WAS], ('f"totals-{round(time.timestamp() * 1000)}', '"totals-0')
)  # Writes all totals to one file, over and over.
mutant(
    "silent_words_dropped", [TOTALS_COVER, RUN_WAS], (" 0)", " 0) if new else None")
)  # Drops the words that a batch does not have.
