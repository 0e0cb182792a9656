"""The input of the throughput check of Lab 1: plain words with one space between them, many times each.

`words` is `str.split` for both sides, so that only counting is compared. benchmarks/thresholds.py determines the size:
large enough that the time for counting decides, and not the start of a job.
"""

from collections import Counter
from typing import Any

from autograder.checks import Mismatch, same_counts
from autograder.checks.pairs import are_counts
from autograder.checks.seeds import random_for

WORDS = 2_250_000
WORDS_A_LINE = 60
VOCABULARY_SIZE = 1000
DIFFERENT_LINES = 4000
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def workload(seed: str) -> tuple[bytes, int]:
    """Return a text and the number of its words."""
    rng = random_for(seed, "throughput")
    vocabulary = ["".join(rng.choices(LETTERS, k=rng.randint(2, 5))) for _ in range(VOCABULARY_SIZE)]
    weights = [1 / rank for rank in range(1, VOCABULARY_SIZE + 1)]
    different = [" ".join(rng.choices(vocabulary, weights, k=WORDS_A_LINE)) for _ in range(DIFFERENT_LINES)]
    lines = rng.choices(different, k=WORDS // WORDS_A_LINE)
    return "".join(f"{line}\n" for line in lines).encode("utf-8"), len(lines) * WORDS_A_LINE


def same_counts_at_once(content: bytes, got: Any) -> Mismatch | None:
    """Compare all counts of a turn; look for the first difference only if they differ."""
    expected = Counter(content.decode("utf-8").split())
    if are_counts(got) and len(got) == len(expected) and dict(got) == expected:
        return None
    return same_counts(expected, got)
