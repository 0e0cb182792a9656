"""Splits at spaces alone: punctuation stays, and an empty line gives an empty word."""

from pyspark.sql import functions as F

KILLED_BY = ["words_in_the_table_are_what_words_finds"]


def standing_counts(lines):
    found = F.split(F.lower("value"), " ")
    return lines.select(F.explode(found).alias("word")).groupBy("word").count()
