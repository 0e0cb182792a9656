"""Seeded cases of `words` and `count_words`, smallest first: the first one shows the usual mistake in a few letters.

Each function varies only the property that its checks test, so that one mistake costs one check: only `repeated` has
a word twice in a line or words out of alphabetical order. Texts for Spark are short lower-case words with single
spaces, which the stub for `words` finds; only the cases of `words` have unusual characters.
"""

import random
from collections.abc import Callable

from autograder.checks import Case
from autograder.checks.seeds import VOCABULARY, random_for, zipf_lines, zipf_words
from autograder.stages.lab01_wordcount.counting.drive import LONGEST_WORD

NOT_ENGLISH = "café über naïve señor île поток данных זרם נתונים λόγοι دفق 流处理 データ 데이터 ٣ smörgåsbord łódź"
FOREIGN = NOT_ENGLISH.split()
MANY = 25


def _in_order(rng: random.Random, most: int) -> list[str]:
    """Return up to `most` different plain words in alphabetical order."""
    return sorted(rng.sample(VOCABULARY, rng.randint(1, most)))


def _lines(seed: str, name: str, first: list[str], make: Callable[[random.Random], str]) -> list[Case]:
    rng = random_for(seed, name)
    made = [make(rng) for _ in range(MANY)]
    return [{"line": line} for line in [*first, *sorted(made, key=len)]]


def _joined(rng: random.Random, words: list[str], separators: list[str]) -> str:
    return "".join(word + rng.choice(separators) for word in words)


# words: one line per case


def punctuated(seed: str) -> list[Case]:
    """Return lines with digits, punctuation, underscores, an emoji and a combining accent, and nothing else unusual."""
    first = ["and, then", "call_sign", "66 routes", "3.5 kg", "go!stop", "a😀b", "cafe\u0301s"]
    marks = [", ", "; ", "…", "-", " — ", "_", "/", "!", "?! ", "=", "😀", "«", "» ", "+"]

    def make(rng: random.Random) -> str:
        words = [str(rng.randint(0, 2026)), *_in_order(rng, 9)]
        return rng.choice(marks) + _joined(rng, words, marks)

    return [*_lines(seed, "punctuated", first, make), _very_long(seed)]


def _very_long(seed: str) -> Case:
    numbered = [f"{word}{number}" for word in VOCABULARY for number in range(1000)]
    return {"line": ", ".join(sorted(random_for(seed, "very long").sample(numbered, 4000)))}


def gaps(seed: str) -> list[Case]:
    """Return lines without words, and lines with more than one space between words."""
    first = ["", " ", "a  b", " a", "a ", "a\tb", "a b\r\n", "\r\n", "a\u00a0b", "join  window"]
    spaces = [" ", "  ", "\t", " \t ", "   "]
    return _lines(seed, "gaps", first, lambda rng: _joined(rng, _in_order(rng, 9), spaces))


def apostrophes(seed: str) -> list[Case]:
    """Return lines with apostrophes inside words, between digits, at edges, after _, doubled, alone and typographic."""
    first = ["don't", "'n'", "don\u2019t", "5'10", "a_'b", "dogs' tails", "'", "clock''s", "and 'n' roll"]
    first += ["90's music", "it's mine", "'tis 'twas'"]
    shapes = ["{}'s", "'{}'", "{}'", "'{}", "{}", "''{}", "' {} '", "{}'n'{}"]

    def make(rng: random.Random) -> str:
        return " ".join(rng.choice(shapes).format(word, word) for word in _in_order(rng, 8))

    return _lines(seed, "apostrophes", first, make)


def mixed_case(seed: str) -> list[Case]:
    """Return lines in upper, lower and mixed case.

    They include ß, which folds to ss, and İ, which folds to an i and a combining mark that is not a letter.
    """
    first = ["Stop", "STOP", "Straße", "STRASSE", "go StOp", "İstanbul", "Gruß STRASSE straßen"]
    changes: list[Callable[[str], str]] = [str.upper, str.title, str.lower, str.swapcase]

    def make(rng: random.Random) -> str:
        return " ".join(rng.choice(changes)(word) for word in _in_order(rng, 9))

    return _lines(seed, "mixed case", first, make)


def languages(seed: str) -> list[Case]:
    """Return lower-case lines with composed accents, other alphabets (one is right-to-left) and other digits."""
    first = ["café", "über", "naïve señor", "данных поток", "זרם נתונים", "λόγοι", "دفق", "流处理 데이터", "x² ٣"]
    some = [*FOREIGN, *VOCABULARY[:9]]
    return _lines(seed, "languages", first, lambda rng: " ".join(sorted(rng.sample(some, rng.randint(2, 9)))))


def repeated(seed: str) -> list[Case]:
    """Return lines that repeat words, in an order that no sorting produces."""
    first = ["b a", "b b", "b a b", "late event late", "to be or not to be"]
    return _lines(seed, "repeated", first, lambda rng: " ".join(zipf_words(rng, rng.randint(4, 20))))


# count_words: few cases, since every job takes time


def texts(seed: str) -> list[Case]:
    """Return lines and the numbers of partitions to count them in; no word repeats in the first two cases."""
    rng = random_for(seed, "texts")
    return [
        {"lines": [], "partitions": [1, 2]},
        {"lines": ["late", "on time"], "partitions": [1, 2]},
        {"lines": ["to be or not to be", "", "to be"], "partitions": [1, 4]},
        {"lines": short_lines(rng, 60, 12), "partitions": [1, 4]},
    ]


def bar_separated(seed: str) -> list[Case]:
    """Return lines for a `words` that splits at bars; only a count that calls `words` gets them right."""
    rng = random_for(seed, "bars")
    lines = ["|".join(sorted(set(zipf_lines(rng, 3, 3)))) for _ in range(5)]
    return [{"lines": ["new york|oslo", *lines], "partitions": [1], "separator": "|"}]


def short_lines(rng: random.Random, lines: int, words_a_line: int) -> list[str]:
    """Return lines of words that the stub for `words` finds; a few are empty."""
    return [_short(line.split()) for line in zipf_lines(rng, lines, words_a_line)]


def _short(words: list[str]) -> str:
    return " ".join(word for word in words if len(word) <= LONGEST_WORD)
