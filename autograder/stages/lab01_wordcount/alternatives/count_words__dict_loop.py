"""One plain dict for each partition."""

from operator import add


def count_words(lines):
    def count(part):
        counts = {}
        for line in part:
            for word in words(line):
                counts[word] = counts.get(word, 0) + 1
        return counts.items()

    return lines.mapPartitions(count).reduceByKey(add)
