"""The mood of a text and the words that carry one, by vaderSentiment, a published lexicon with rules.

C.J. Hutto, E.E. Gilbert: VADER, a parsimonious rule-based model for sentiment analysis of social media text (2014).
Keeps out: which texts (lab 2). Each process reads the lexicon once.
"""

from functools import cache
from typing import Any


def lexicon() -> dict[str, float]:
    """How good or bad each of 7,506 words, abbreviations and emoticons is, about -4 to 4. Words are in lower case.

    All callers share it: not to be changed.
    Example: lexicon()["great"] -> 3.1
    """
    words: dict[str, float] = _analyzer().lexicon
    return words


def mood(text: str) -> float:
    """The mood of a whole text, -1 to 1: vaderSentiment's compound score, in steps of 0.0001; 0.0 if nothing tells.

    Example: mood("Harvard is great"), mood("Harvard is not great") -> 0.6249, -0.5096
    """
    return float(_analyzer().polarity_scores(text)["compound"])


@cache
def _analyzer() -> Any:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer  # type: ignore[import-untyped]

    return SentimentIntensityAnalyzer()
