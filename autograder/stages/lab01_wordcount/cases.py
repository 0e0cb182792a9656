"""Seeded cases of Lab 1, smallest first: the first one shows the usual mistake with as little as possible.

Each function varies what its checks are about and keeps the rest plain, so that one mistake costs one check:
only `repeated` has a word twice in a line or words out of the alphabet's order. Texts for Spark are lower-case
words with single spaces; the odd characters are all in the cases of `words`.
"""

import random
import re
from collections.abc import Callable

from autograder.checks import Case
from autograder.checks.seeds import VOCABULARY, random_for, zipf_lines, zipf_words
from streamlab.sources.text import real_text

NOT_ENGLISH = "café über naïve señor île поток данных זרם נתונים λόγοι دفق 流处理 データ 데이터 ٣ smörgåsbord łódź"
FOREIGN = NOT_ENGLISH.split()
MANY = 25
REAL_LINES = 3000
_LATIN = re.compile("[a-z]+")


def _in_order(chance: random.Random, most: int) -> list[str]:
    """Some different plain words in the order of the alphabet."""
    return sorted(chance.sample(VOCABULARY, chance.randint(1, most)))


def _lines(seed: str, name: str, first: list[str], make: Callable[[random.Random], str]) -> list[Case]:
    chance = random_for(seed, name)
    made = [make(chance) for _ in range(MANY)]
    return [{"line": line} for line in [*first, *sorted(made, key=len)]]


def _joined(chance: random.Random, words: list[str], separators: list[str]) -> str:
    return "".join(word + chance.choice(separators) for word in words)


# words: one line a case.


def punctuated(seed: str) -> list[Case]:
    """Digits, punctuation, underscores and an emoji; nothing else is odd."""
    first = ["and, then", "call_sign", "66 routes", "3.5 kg", "go!stop", "a😀b"]
    marks = [", ", "; ", "…", "-", " — ", "_", "/", "!", "?! ", "=", "😀", "«", "» ", "+"]

    def make(chance: random.Random) -> str:
        words = [str(chance.randint(0, 2026)), *_in_order(chance, 9)]
        return chance.choice(marks) + _joined(chance, words, marks)

    return [*_lines(seed, "punctuated", first, make), _very_long(seed)]


def _very_long(seed: str) -> Case:
    numbered = [f"{word}{number}" for word in VOCABULARY for number in range(1000)]
    return {"line": ", ".join(sorted(random_for(seed, "very long").sample(numbered, 4000)))}


def gaps(seed: str) -> list[Case]:
    """Lines with nothing in them, and words with more than one space between them."""
    first = ["", " ", "a  b", " a", "a ", "a\tb", "a b\r\n", "\r\n", "a\u00a0b"]
    spaces = [" ", "  ", "\t", " \t ", "   "]
    return _lines(seed, "gaps", first, lambda chance: _joined(chance, _in_order(chance, 9), spaces))


def apostrophes(seed: str) -> list[Case]:
    """Apostrophes inside words, at their edges, doubled and alone."""
    first = ["don't", "'n'", "dogs' tails", "'", "clock''s", "and 'n' roll", "it's mine", "'tis 'twas'"]
    shapes = ["{}'s", "'{}'", "{}'", "'{}", "{}", "''{}", "' {} '", "{}'n'{}"]

    def make(chance: random.Random) -> str:
        return " ".join(chance.choice(shapes).format(word, word) for word in _in_order(chance, 8))

    return _lines(seed, "apostrophes", first, make)


def mixed_case(seed: str) -> list[Case]:
    """Upper, lower and mixed case; the letter ß, of which case folding makes ss."""
    first = ["Stop", "STOP", "Straße", "STRASSE", "go StOp", "Gruß STRASSE straßen"]
    changes: list[Callable[[str], str]] = [str.upper, str.title, str.lower, str.swapcase]

    def make(chance: random.Random) -> str:
        return " ".join(chance.choice(changes)(word) for word in _in_order(chance, 9))

    return _lines(seed, "mixed case", first, make)


def languages(seed: str) -> list[Case]:
    """Composed accents, other alphabets, one from right to left, other digits; all lower case."""
    first = ["café", "über", "naïve señor", "данных поток", "זרם נתונים", "λόγοι", "دفق", "流处理 데이터", "x² ٣"]
    some = [*FOREIGN, *VOCABULARY[:9]]
    return _lines(seed, "languages", first, lambda chance: " ".join(sorted(chance.sample(some, chance.randint(2, 9)))))


def repeated(seed: str) -> list[Case]:
    """Words that come again within a line, in an order that no sorting gives."""
    first = ["b a", "b b", "to be or not to be", "b a b"]
    return _lines(seed, "repeated", first, lambda chance: " ".join(zipf_words(chance, chance.randint(4, 20))))


# Spark: few cases, since every job takes its time.


def texts(seed: str) -> list[Case]:
    """Lines and the numbers of partitions with which the same lines are counted."""
    chance = random_for(seed, "texts")
    return [
        {"lines": ["to be or not to be", "to be"], "partitions": [1, 3]},
        {"lines": zipf_lines(chance, 60, 12), "partitions": [1, 4]},
    ]


def bar_separated(seed: str) -> list[Case]:
    """Lines for a `words` that splits at bars, which only a count that calls `words` gets right."""
    chance = random_for(seed, "bars")
    lines = ["|".join(sorted(set(zipf_lines(chance, 3, 3)))) for _ in range(5)]
    return [{"lines": ["new york|oslo", *lines], "partitions": [1], "separator": "|"}]


def batches(seed: str) -> list[Case]:
    """Batches of a queue: a plain one, one without lines, and the first one again."""
    chance = random_for(seed, "batches")
    first = ["to be or not to be", *zipf_lines(chance, 4, 6)]
    return [{"batches": [first, [], first]}]


def over_a_socket(seed: str) -> list[Case]:
    """A small part, and real text that a server sends when the small one was counted and a batch was empty."""
    chance = random_for(seed, "socket")
    small = ["to be or not", *zipf_lines(chance, 5, 6)]
    return [{"parts": [small, plain_text(chance, REAL_LINES)]}]


def plain_text(chance: random.Random, lines: int) -> list[str]:
    """Some lines in a row of Python's own reference, their letters lower case, all else left out."""
    text = real_text()
    start = chance.randrange(len(text) - lines)
    return [" ".join(_LATIN.findall(line.lower())) for line in text[start : start + lines]]


def files(seed: str) -> list[Case]:
    """Three files that come one by one; the last one has upper case, punctuation and an empty line."""
    chance = random_for(seed, "files")
    plain = [["to be or not to be", "to be"], ["not to be", *zipf_lines(chance, 3, 6)]]
    odd = ["To Be, or not.", "", f"{chance.choice(VOCABULARY).upper()}, {chance.choice(VOCABULARY).title()}."]
    return [{"files": [*plain, odd]}]


# local_master and on_word.


def machines(seed: str) -> list[Case]:
    """Receivers and workers that can be meant."""
    chance = random_for(seed, "machines")
    small = [(1, 1), (1, 2), (2, 1), (0, 1), (3, 2)]
    more = sorted((chance.randint(0, 9), chance.randint(1, 16)) for _ in range(10))
    return [{"receivers": receivers, "workers": workers} for receivers, workers in [*small, *more]]


def impossible_machines(seed: str) -> list[Case]:
    """Fewer than no receivers, or nobody to work."""
    chance = random_for(seed, "impossible machines")
    small = [(-1, 1), (1, 0), (1, -1), (0, 0), (-1, 2)]
    more = [(-chance.randint(1, 9), chance.randint(1, 9)), (chance.randint(0, 9), -chance.randint(0, 9))]
    return [{"receivers": receivers, "workers": workers} for receivers, workers in [*small, *more]]


def one_state(seed: str) -> list[Case]:
    """Words that one state sees. No two cases share a word, so none can see what another left behind."""
    chance = random_for(seed, "one state")
    cases = []
    for number, count in enumerate([1, 2, 5, 12, 40]):
        own = [f"{word}{number}" for word in chance.sample(VOCABULARY, 6)]
        words = own[:1] * count if count < 3 else chance.choices(own, k=count)
        cases.append({"events": [[0, word] for word in words]})
    return cases


def several_states(seed: str) -> list[Case]:
    """Events of two or three states, some of which see the same words."""
    chance = random_for(seed, "several states")
    cases: list[Case] = [{"events": [[0, "both"], [1, "both"]]}]
    for number, count in enumerate([4, 10, 30]):
        own = [f"{word}-{number}" for word in chance.sample(VOCABULARY, 4)]
        first = [[state, own[0]] for state in (0, 1, 0)]
        more = [[chance.randrange(3), chance.choice(own)] for _ in range(count)]
        cases.append({"events": [*first, *more]})
    return cases
