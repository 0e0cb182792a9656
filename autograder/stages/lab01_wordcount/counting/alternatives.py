"""Other correct solutions of `words`, `count_words`; each must get full marks."""

from collections import Counter
from itertools import chain
from operator import add

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from autograder.checks.mutant_markers import alternative


# Combines inside each partition, then merges with aggregateByKey.
@alternative("aggregate_by_key")
def count_words(lines):
    def count(part):
        return Counter(chain.from_iterable(map(words, part))).items()

    return lines.mapPartitions(count).aggregateByKey(0, add, add)


# One Counter for each partition, updated line by line.
@alternative("counter_update")
def count_words(lines):
    def count(part):
        counts = Counter()
        for line in part:
            counts.update(words(line))
        return counts.items()

    return lines.mapPartitions(count).reduceByKey(add)


# One plain dict for each partition.
@alternative("dict_loop")
def count_words(lines):
    def count(part):
        counts = {}
        for line in part:
            for word in words(line):
                counts[word] = counts.get(word, 0) + 1
        return counts.items()

    return lines.mapPartitions(count).reduceByKey(add)


# Combines inside each partition, then lets Spark SQL add up.
@alternative("through_a_dataframe")
def count_words(lines):
    def count(part):
        return Counter(chain.from_iterable(map(words, part))).items()

    spark = SparkSession(lines.context)
    partial = spark.createDataFrame(lines.mapPartitions(count), "word string, n long")
    return partial.groupBy("word").agg(F.sum("n").alias("n")).rdd.map(tuple)


# Reads the line character by character.
@alternative("character_by_character")
def words(line):
    found, word = [], ""
    for before, c, after in zip(" " + line, line + " ", line[1:] + "  ", strict=False):
        if c.isalnum() or (c == "'" and before.isalnum() and after.isalnum()):
            word += c
        elif word:
            found.append(word.casefold())
            word = ""
    return found


# Replaces all characters but letters, digits and apostrophes by spaces with str.translate, then strips apostrophes.
@alternative("str_translate", task="words")
class _Spaces(dict):
    def __missing__(self, code):
        self[code] = code if chr(code).isalnum() or chr(code) == "'" else " "
        return self[code]


# Replaces all characters but letters, digits and apostrophes by spaces with str.translate, then strips apostrophes.
@alternative("str_translate")
def words(line):
    pieces = line.translate(_Spaces()).replace("''", " ").split()
    return [piece.strip("'").casefold() for piece in pieces if piece.strip("'")]
