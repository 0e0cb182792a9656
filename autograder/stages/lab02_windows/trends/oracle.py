"""The right answers about hashtags, trends and mentions in plain Python, without a regular expression.

Lexicon and moods are vaderSentiment's, as in the task.
"""

import math
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer  # type: ignore[import-untyped]

from autograder.stages.lab02_windows.windows.oracle import batches_of_window, slides, sums

Top = list[tuple[str, int]]
Row = tuple[int, Top, float]
URLS = ("http://", "https://")
CONTINUES = "_&/#"


def hashtags(text: str) -> list[str]:
    """Return the tags of a text, case-folded, in order, with repeats.

    Example: hashtags("#Boston a#b http://x.y/#c (#2026 #GoSox)") -> ["boston", "gosox"]
    """
    shown = _without_urls(text)
    tags = [_run(shown, at + 1) for at, each in enumerate(shown) if each == "#" and not _is_continuation(shown, at)]
    return [tag.casefold() for tag in tags if any(each.isalpha() for each in tag)]


def _without_urls(text: str) -> str:
    """Return the text with a space in place of each character of a URL."""
    shown, inside = "", False
    for at, each in enumerate(text):
        inside = not each.isspace() and (inside or any(_starts_at(text, at, scheme) for scheme in URLS))
        shown += " " if inside else each
    return shown


def _starts_at(text: str, at: int, scheme: str) -> bool:
    return text[at : at + len(scheme)].casefold() == scheme


def _is_continuation(text: str, at: int) -> bool:
    """Return whether the # at `at` continues a word, an entity, a path or another #."""
    return at > 0 and (text[at - 1].isalnum() or text[at - 1] in CONTINUES)


def _run(text: str, start: int) -> str:
    end = start
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return text[start:end]


# Trends and mentions


def trending(counts: Iterable[Sequence[Any]], k: int) -> Top:
    """Return the k highest sums, by removing the best one k times.

    Example: trending([("b", 1), ("a", 1), ("c", 3), ("a", 0)], 2) -> [("c", 3), ("a", 1)]
    """
    left = {tag: count for tag, count in sums(counts).items() if count > 0}
    top: Top = []
    while left and len(top) < k:
        highest = max(left.values())
        first = min((tag for tag in left if left[tag] == highest), key=lambda tag: [ord(each) for each in tag])
        top.append((first, left.pop(first)))
    return top


def mentions(batches: Sequence[Iterable[str]], name: str, window_batches: int, slide_batches: int) -> dict[int, Row]:
    """Return batch number -> (texts that mention the name, describing words with counts, their mean mood)."""
    answers = {}
    for at in slides(batches, slide_batches):
        texts = [text for batch in batches_of_window(batches, at, window_batches) for text in batch]
        answers[at] = mentions_in(texts, name)
    return answers


def mentions_in(texts: Iterable[str], name: str) -> Row:
    """Return the row of one window."""
    wanted = name.casefold()
    about = [text for text in texts if wanted in words(text)]
    found = [word for text in about for word in words(text) if word in describing() and word != wanted]
    ordered = trending([(word, 1) for word in found], len(found)) or []
    return len(about), ordered, math.fsum(map(mood, about)) / len(about) if about else 0.0


def words(text: str) -> list[str]:
    """Return the maximal runs of alphanumeric characters, case-folded.

    Example: words("Harvard's #1_choice") -> ["harvard", "s", "1", "choice"]
    """
    return "".join(each if each.isalnum() else " " for each in text).casefold().split()


@cache
def describing() -> frozenset[str]:
    """Return the words of the lexicon that are alphabetic."""
    return frozenset(word for word in _analyzer().lexicon if word.isalpha())


@cache
def mood(text: str) -> float:
    """Return vaderSentiment's compound score, -1 to 1."""
    scores = _analyzer().polarity_scores(text)
    return float(scores["compound"])


@cache
def _analyzer() -> SentimentIntensityAnalyzer:
    return SentimentIntensityAnalyzer()
