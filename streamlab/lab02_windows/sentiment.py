"""The mood of a text, and the words that carry a mood, from vaderSentiment, a published lexicon with rules.

C.J. Hutto, E.E. Gilbert: VADER, a parsimonious rule-based model for sentiment analysis of social media text (2014).
Each process reads the lexicon once.
"""

from functools import cache
from typing import Any


def lexicon() -> dict[str, float]:
    """Return how good or bad each of 7,506 words, abbreviations and emoticons is, about -4 to 4, in lower case.

    All callers share the dictionary; do not change it.
    Example: lexicon()["great"] -> 3.1
    """
    words: dict[str, float] = _analyzer().lexicon
    return words


def mood(text: str) -> float:
    """Return the mood of a text, -1 to 1: vaderSentiment's compound score in steps of 0.0001; 0.0 if it has no mood.

    Example: mood("Harvard is great"), mood("Harvard is not great") -> 0.6249, -0.5096
    """
    return float(_analyzer().polarity_scores(text)["compound"])


@cache
def _analyzer() -> Any:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer  # type: ignore[import-untyped]

    return SentimentIntensityAnalyzer()
