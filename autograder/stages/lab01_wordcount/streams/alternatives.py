"""Other correct solutions of `word_counts`, `local_master`, `on_word`, `standing_counts`; each must get full marks."""

from operator import add

from pyspark.sql import functions as F

from autograder.checks.mutant_markers import alternative


# Returns for valid numbers first, then raises.
@alternative("asks_first")
def local_master(receivers, workers):
    if receivers >= 0 and workers >= 1:
        return "local[" + str(workers + receivers) + "]"
    raise ValueError("expected receivers >= 0 and workers >= 1")


# Increments the count first, and inserts the word on KeyError.
@alternative("try_except")
def on_word(state, word):
    try:
        state[word] += 1
    except KeyError:
        state[word] = 1
    return word, state[word]


# Spark SQL functions only, so that no Python runs on the workers.
@alternative("sql_functions")
def standing_counts(lines):
    found = F.expr(r"regexp_extract_all(lower(value), '([\\p{L}\\p{N}]+(?:\'[\\p{L}\\p{N}]+)*)', 1)")
    return lines.select(F.explode(found).alias("word")).groupBy("word").agg(F.count("*").alias("count"))


# The operations of DStream, as on the slides.
@alternative("dstream_operations")
def word_counts(lines):
    return lines.flatMap(words).map(lambda word: (word, 1)).reduceByKey(add)
