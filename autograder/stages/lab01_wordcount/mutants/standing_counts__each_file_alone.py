"""Counts each file alone, as if the answer were a log of appended rows."""

from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, StringType

KILLED_BY = ["each_word_has_one_row"]


def standing_counts(lines):
    found = F.udf(lambda line: words(line), ArrayType(StringType()))
    return (
        lines.select(F.explode(found("value")).alias("word"), F.input_file_name().alias("file"))
        .groupBy("word", "file")
        .count()
        .drop("file")
    )
