"""Text to play: real, with chosen statistics, or natural-looking. It is the same on every machine and in every run."""

import random
from pydoc_data import topics

SYLLABLES = [consonant + vowel for consonant in "bdfghklmnprstvwz" for vowel in "aeiou"]


def real_text() -> list[str]:
    """Return the Python language reference that the interpreter ships for `help()`: about 450 kB, 11 000 lines.

    Source: the module `pydoc_data.topics`, its topics in alphabetical order. The text differs slightly between Python
    versions, so compare counts with counts of the same lines, never with numbers in a book.
    """
    return [line for _, text in sorted(topics.topics.items()) for line in text.splitlines()]


def zipf_lines(
    seed: str, lines: int, words_per_line: int = 12, vocabulary: int = 20_000, skew: float = 1.1
) -> list[str]:
    """Return `lines` lines of invented words that follow Zipf's law: the word of rank r has weight r ** -skew.

    170 000 lines of 12 words are about 9 MB and take about a second. Equal arguments give equal lines.
    Example: zipf_lines("demo", lines=1, words_per_line=3) -> ["<three words>"]
    """
    if lines < 0 or words_per_line < 1 or vocabulary < 1:
        raise ValueError(
            "lines must be 0 or more, words_per_line and vocabulary at least 1; "
            f"got {lines}, {words_per_line}, {vocabulary}"
        )
    rng = random.Random(f"{seed}/zipf_lines")
    words = _invented_words(rng, vocabulary)
    weights = [rank**-skew for rank in range(1, vocabulary + 1)]
    picked = rng.choices(words, weights, k=lines * words_per_line)
    return [" ".join(picked[at : at + words_per_line]) for at in range(0, len(picked), words_per_line)]


def _invented_words(rng: random.Random, count: int) -> list[str]:
    """Return `count` different pronounceable words; the frequent (first) ones are short, as in natural text."""
    words: dict[str, None] = {}
    while len(words) < count:
        longest = 1 + len(words).bit_length() // 4
        syllables = rng.choices(SYLLABLES, k=rng.randint(1, longest))
        words["".join(syllables)] = None
    return list(words)


def sentences(seed: str, n: int) -> list[str]:
    """Return `n` English-looking sentences with capitals, full stops and names, made by faker."""
    from faker import Faker

    if n < 0:
        raise ValueError(f"n must be 0 or more sentences, got {n}")
    fake = Faker("en_US")
    fake.seed_instance(f"{seed}/sentences")
    return [f"{fake.first_name()} said: {fake.sentence()}" for _ in range(n)]
