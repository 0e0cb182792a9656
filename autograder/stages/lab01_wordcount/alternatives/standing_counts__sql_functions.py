"""Spark's own functions, without a line of Python on the workers."""

from pyspark.sql import functions as F


def standing_counts(lines):
    found = F.expr(r"regexp_extract_all(lower(value), '([\\p{L}\\p{N}]+(?:\'[\\p{L}\\p{N}]+)*)', 1)")
    return lines.select(F.explode(found).alias("word")).groupBy("word").agg(F.count("*").alias("count"))
