"""Names its columns in its own way."""

from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, StringType

KILLED_BY = ["the_answer_covers_all_files_so_far", "each_word_has_one_row", "words_in_the_table_are_what_words_finds"]


def standing_counts(lines):
    found = F.udf(lambda line: words(line), ArrayType(StringType()))
    return lines.select(F.explode(found("value")).alias("w")).groupBy("w").agg(F.count("*").alias("n"))
