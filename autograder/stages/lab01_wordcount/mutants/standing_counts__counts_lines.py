"""Counts equal lines, not words."""

KILLED_BY = ["the_answer_covers_all_files_so_far", "words_in_the_table_are_what_words_finds"]


def standing_counts(lines):
    return lines.withColumnRenamed("value", "word").groupBy("word").count()
