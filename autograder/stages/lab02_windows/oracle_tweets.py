"""The right answers about texts and tweets in plain Python: text, place, hashtags, mentions.

Keeps out: Spark, regular expressions, and every line of the reference. vaderSentiment is the given lexicon and
the given mood; what is made of them is worked out here.
"""

import json
import math
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer  # type: ignore[import-untyped]

from autograder.stages.lab02_windows import oracle

Row = tuple[int, list[tuple[str, int]], float]
URLS = ("http://", "https://")
GOES_ON = "_&/#"


def tweet_text(raw: str) -> str | None:
    """The text that the author of one line of the API wrote, or None.

    Example: tweet_text('{"text": "a…", "extended_tweet": {"full_text": "a b"}}') -> "a b"
    """
    tweet = _object(raw)
    if isinstance(tweet.get("retweeted_status"), dict):
        return None
    extended = tweet.get("extended_tweet")
    holders = [(extended, "full_text"), (tweet, "full_text"), (tweet, "text")]
    texts = [holder[name] for holder, name in holders if isinstance(holder, dict) and name in holder]
    first = texts[0] if texts else None
    return first if isinstance(first, str) and first.strip() else None


def _object(raw: str) -> dict[str, Any]:
    """What the line holds; an empty object where it holds none."""
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def near(tweet: dict[str, Any], place: dict[str, Any]) -> bool:
    """Whether the tweet's point, or else its box, has a point in common with the place.

    Example: near({"coordinates": {"coordinates": [-71, 42]}}, {"west": -72, "south": 41, "east": -70, "north": 43})
    -> True
    """
    corners = _point(_inside(tweet, "coordinates", "coordinates")) or _ring(
        _inside(tweet, "place", "bounding_box", "coordinates")
    )
    if not corners:
        return False
    longitudes, latitudes = [corner[0] for corner in corners], [corner[1] for corner in corners]
    return _meet(longitudes, place["west"], place["east"]) and _meet(latitudes, place["south"], place["north"])


def _inside(value: Any, *path: str) -> Any:
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _point(value: Any) -> list[Any]:
    """The one corner of a point; no corner where it is no point."""
    return [value] if isinstance(value, list) and len(value) == 2 and all(_is_degree(each) for each in value) else []


def _ring(value: Any) -> list[Any]:
    """The corners of the one ring of a box; none where it is no box."""
    ring = value[0] if isinstance(value, list) and len(value) == 1 else None
    return ring if isinstance(ring, list) and all(_point(corner) for corner in ring) else []


def _is_degree(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _meet(values: list[float], low: float, high: float) -> bool:
    """Whether the span of `values` and [low, high] have a number in common."""
    return max(min(values), low) <= min(max(values), high)


# Hashtags


def hashtags(text: str) -> list[str]:
    """The tags of a text, case-folded, in order, with repeats.

    Example: hashtags("#Boston a#b http://x.y/#c (#2026 #GoSox)") -> ["boston", "gosox"]
    """
    shown = _without_urls(text)
    tags = [_run(shown, at + 1) for at, each in enumerate(shown) if each == "#" and not _goes_on(shown, at)]
    return [tag.casefold() for tag in tags if any(each.isalpha() for each in tag)]


def _without_urls(text: str) -> str:
    """The text with a space for each character of an URL."""
    shown, inside = "", False
    for at, each in enumerate(text):
        inside = not each.isspace() and (inside or any(_stands_at(text, at, scheme) for scheme in URLS))
        shown += " " if inside else each
    return shown


def _stands_at(text: str, at: int, scheme: str) -> bool:
    return text[at : at + len(scheme)].casefold() == scheme


def _goes_on(text: str, at: int) -> bool:
    """Whether something that is no tag reaches up to the # at `at`."""
    return at > 0 and (text[at - 1].isalnum() or text[at - 1] in GOES_ON)


def _run(text: str, start: int) -> str:
    end = start
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return text[start:end]


# Mentions


@cache
def _analyzer() -> SentimentIntensityAnalyzer:
    return SentimentIntensityAnalyzer()


@cache
def describing() -> frozenset[str]:
    """The words of the lexicon that are alphabetic."""
    return frozenset(word for word in _analyzer().lexicon if word.isalpha())


@cache
def mood(text: str) -> float:
    """vaderSentiment's compound score, -1 to 1."""
    return float(_analyzer().polarity_scores(text)["compound"])


def words(text: str) -> list[str]:
    """Maximal runs of alphanumerics, case-folded.

    Example: words("Harvard's #1_choice") -> ["harvard", "s", "1", "choice"]
    """
    return "".join(each if each.isalnum() else " " for each in text).casefold().split()


def mentions(batches: Sequence[Iterable[str]], name: str, window_batches: int, slide_batches: int) -> dict[int, Row]:
    """After which batch -> (texts that mention the name, describing words with counts, mean mood of those texts)."""
    answers = {}
    for at in oracle.slides(batches, slide_batches):
        texts = [text for batch in oracle.batches_of_window(batches, at, window_batches) for text in batch]
        answers[at] = mentions_in(texts, name)
    return answers


def mentions_in(texts: Iterable[str], name: str) -> Row:
    """The row of one window."""
    wanted = name.casefold()
    about = [text for text in texts if wanted in words(text)]
    found = [word for text in about for word in words(text) if word in describing() and word != wanted]
    ordered = oracle.trending([(word, 1) for word in found], len(found)) or []
    return len(about), ordered, math.fsum(map(mood, about)) / len(about) if about else 0.0
