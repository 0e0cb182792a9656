"""The right answers about lines and tweets in plain Python: the text of a line, the place of a tweet."""

import json
import math
from typing import Any


def tweet_text(raw: str) -> str | None:
    """Return the text that the author of one line of the API wrote, or None.

    Example: tweet_text('{"text": "a…", "extended_tweet": {"full_text": "a b"}}') -> "a b"
    """
    tweet = _object(raw)
    if isinstance(tweet.get("retweeted_status"), dict):
        return None
    candidates = [_inside(tweet, "extended_tweet", "full_text"), tweet.get("full_text"), tweet.get("text")]
    texts = [each for each in candidates if isinstance(each, str)]
    return texts[0] if texts and texts[0].strip() else None


def _object(raw: str) -> dict[str, Any]:
    """Return the object in the line, or an empty one."""
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def near(tweet: dict[str, Any], place: dict[str, Any]) -> bool:
    """Return whether the tweet's point, or without a valid one its box, has a point in common with the place.

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
    """Return the one corner of a valid point, otherwise no corner."""
    return [value] if isinstance(value, list) and len(value) == 2 and all(_is_degree(each) for each in value) else []


def _ring(value: Any) -> list[Any]:
    """Return the corners of the one ring of a valid box, otherwise no corner."""
    ring = value[0] if isinstance(value, list) and len(value) == 1 else None
    return ring if isinstance(ring, list) and all(_point(corner) for corner in ring) else []


def _is_degree(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _meet(values: list[float], low: float, high: float) -> bool:
    """Return whether the span of `values` and [low, high] have a number in common."""
    return max(min(values), low) <= min(max(values), high)
