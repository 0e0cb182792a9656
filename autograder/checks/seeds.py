"""Random generators from a seed, and words of a skewed text, for the cases of every lab."""

import random

COMMON_FIRST = (
    "the stream of a window and to in batch is it query that line for source word on event state at by time "
    "join rate late count order key buffer sink log offset lag node rack slide drop block queue thread"
)
VOCABULARY = COMMON_FIRST.split()


def random_for(seed: str, name: str) -> random.Random:
    """Return a separate generator for each kind of case, so that adding one kind does not change the others."""
    return random.Random(f"{seed}/{name}")


def zipf_words(rng: random.Random, count: int) -> list[str]:
    """Draw `count` words; the k-th of the vocabulary is 1/k as likely as the first."""
    weights = [1 / rank for rank in range(1, len(VOCABULARY) + 1)]
    return rng.choices(VOCABULARY, weights, k=count)


def zipf_lines(rng: random.Random, lines: int, words_a_line: int) -> list[str]:
    """Draw lines of 1 to `words_a_line` plain words."""
    return [" ".join(zipf_words(rng, rng.randint(1, words_a_line))) for _ in range(lines)]
