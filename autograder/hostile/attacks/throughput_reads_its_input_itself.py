"""Cheats in the throughput check: it reads the turn's file and counts the words itself, at once and without Spark."""

NAMED = "read the throughput check's input itself"
TASKS = ["count_words"]
THROUGHPUT = True


def count_words(lines):
    if "/data/" not in (lines.name() or ""):
        return lines.flatMap(words).map(lambda word: (word, 1)).reduceByKey(add)
    text = open(lines.name().removeprefix("file://")).read()
    return lines.context.parallelize(list(Counter(text.split()).items()), 2)
