"""Splits well and keeps upper and lower case apart."""

from pyspark.sql import functions as F

KILLED_BY = ["words_in_the_table_are_what_words_finds"]


def standing_counts(lines):
    found = F.split(F.col("value"), "[ ,.]+")
    return lines.select(F.explode(found).alias("word")).where("word != ''").groupBy("word").count()
