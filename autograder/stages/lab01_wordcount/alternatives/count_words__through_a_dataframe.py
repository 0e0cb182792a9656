"""Combines inside each partition, then lets Spark SQL add up."""

from collections import Counter
from itertools import chain

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def count_words(lines):
    def count(part):
        return Counter(chain.from_iterable(map(words, part))).items()

    spark = SparkSession(lines.context)
    partial = spark.createDataFrame(lines.mapPartitions(count), "word string, n long")
    return partial.groupBy("word").agg(F.sum("n").alias("n")).rdd.map(tuple)
