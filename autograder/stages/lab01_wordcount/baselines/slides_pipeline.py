# %% [markdown]
# The word count of the slides: every single word becomes a pair (word, 1), and the pairs are added up.

# %% role="given"
from pyspark import RDD


# %% task="words"
def words(line: str) -> list[str]:
    return line.split()


# %% task="count_words"
def count_words(lines: RDD[str]) -> RDD[tuple[str, int]]:
    return lines.flatMap(words).map(lambda word: (word, 1)).reduceByKey(lambda one, more: one + more)
