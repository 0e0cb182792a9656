"""Says in how many lines a word stands, not how often."""

from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, StringType

KILLED_BY = ["the_answer_covers_all_files_so_far"]


def standing_counts(lines):
    found = F.udf(lambda line: sorted(set(words(line))), ArrayType(StringType()))
    return lines.select(F.explode(found("value")).alias("word")).groupBy("word").count()
