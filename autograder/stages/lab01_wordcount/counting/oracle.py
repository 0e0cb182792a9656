"""Splits lines into words and counts them in plain Python, for Lab 1 and the labs that build on it.

It follows the definitions in Lab 1's notebook, without regular expressions and without code of the reference.
"""

from collections import Counter
from collections.abc import Iterable

APOSTROPHE = "'"


def words(line: str) -> list[str]:
    """Return the words of a line: runs of letters and digits, with the apostrophes inside them, case-folded.

    Example: words("rock 'n' roll_call") -> ["rock", "n", "roll", "call"]
    """
    found: list[str] = []
    inside = False
    for at in range(len(line)):
        if not _belongs_to_a_word(line, at):
            inside = False
            continue
        if not inside:
            found.append("")
        found[-1] += line[at]
        inside = True
    return [word.casefold() for word in found]


def _belongs_to_a_word(line: str, at: int) -> bool:
    if line[at] != APOSTROPHE:
        return line[at].isalnum()
    return 0 < at < len(line) - 1 and line[at - 1].isalnum() and line[at + 1].isalnum()


def word_counts(lines: Iterable[str]) -> dict[str, int]:
    """Map each word to its number of occurrences in all lines.

    Example: word_counts(["to be", "or not to be"]) -> {"to": 2, "be": 2, "or": 1, "not": 1}
    """
    return dict(Counter(word for line in lines for word in words(line)))
