"""Cheats in the throughput check: it keeps the counts of the first turn and returns them in all other turns."""

NAMED = "gave a wrong result"
TASKS = ["count_words"]
THROUGHPUT = True

answers = []


def count_words(lines):
    counts = lines.flatMap(words).map(lambda word: (word, 1)).reduceByKey(add)
    if "/data/" in (lines.name() or ""):
        counts.collect = lambda: remembered(counts)
    return counts


def remembered(counts):
    if not answers:
        answers.append(type(counts).collect(counts))
    return answers[0]
