"""What a line is, and what a tweet has to look like: names, types and forms of the fields that the kit's tweets have.

The source of each rule is the documentation named in `tweet_objects`. It says, too, that a field that is null counts
as one that is not there. Keeps out: what to do with a tweet that is not so.
"""

import json
import re
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

DATE = re.compile(
    r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
    r" \d\d \d\d:\d\d:\d\d \+0000 \d{4}"
)


class Rule(NamedTuple):
    """What one field must be."""

    field: str
    expected: str
    holds: Callable[[Any], bool]
    may_lack: bool = False


def line_kind(line: str) -> Literal["tweet", "notice", "malformed"]:
    """What a line of the stream is: a tweet, good or not; a message of the API, an empty line among them; or neither.

    Example: line_kind('{"text": "cut of') -> "malformed"
    """
    try:
        parsed = json.loads(line) if line else {"limit": None}
    except ValueError:
        return "malformed"
    if not isinstance(parsed, dict):
        return "malformed"
    return "notice" if len(parsed) == 1 and parsed.keys() <= {"delete", "limit"} else "tweet"


def schema_errors(tweet: object, is_within: bool = False) -> list[str]:
    """What is wrong with a tweet (parsed JSON), a sentence for each field; nothing for a good one.

    `is_within`: the tweet is another one's `retweeted_status`, where `timestamp_ms` is missing.
    Example: schema_errors({…, "text": 42}) -> ["text: expected a text that is not blank, got 42"]
    """
    if not isinstance(tweet, dict):
        return [f"expected an object, got {tweet!r:.60}"]
    rules = [rule for rule in RULES if not (is_within and rule.field == "timestamp_ms")]
    wrong = [
        f"{rule.field}: expected {rule.expected}, got {_shown(tweet, rule)}" for rule in rules if _broken(tweet, rule)
    ]
    if not wrong and tweet["id_str"] != str(tweet["id"]):
        wrong.append(f"id_str: expected {str(tweet['id'])!r}, the id, got {tweet['id_str']!r}")
    if not wrong and tweet["truncated"] and not tweet.get("extended_tweet"):
        wrong.append("extended_tweet: expected the whole text of a truncated tweet, got none")
    return wrong


def _broken(tweet: dict[str, Any], rule: Rule) -> bool:
    value = tweet.get(rule.field)
    return not rule.may_lack if value is None else not rule.holds(value)


def _shown(tweet: dict[str, Any], rule: Rule) -> str:
    return f"{tweet[rule.field]!r:.60}" if rule.field in tweet else "nothing"


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_position(value: object) -> bool:
    """[longitude, latitude] in degrees."""
    if not isinstance(value, list) or len(value) != 2:
        return False
    if not all(isinstance(each, (int, float)) and not isinstance(each, bool) for each in value):
        return False
    return abs(value[0]) <= 180 and abs(value[1]) <= 90


def _is_point(value: object) -> bool:
    return isinstance(value, dict) and value.get("type") == "Point" and _is_position(value.get("coordinates"))


def _is_place(value: object) -> bool:
    box = value.get("bounding_box") if isinstance(value, dict) else None
    rings = box.get("coordinates") if isinstance(box, dict) and box.get("type") == "Polygon" else None
    if not isinstance(rings, list) or len(rings) != 1 or not isinstance(rings[0], list):
        return False
    return len(rings[0]) == 4 and all(_is_position(corner) for corner in rings[0])


def _is_user(value: object) -> bool:
    return isinstance(value, dict) and _is_whole(value.get("id")) and _is_text(value.get("screen_name"))


def _is_entities(value: object) -> bool:
    kinds = ("hashtags", "urls", "user_mentions")
    return isinstance(value, dict) and all(_all_have_indices(value.get(kind)) for kind in kinds)


def _all_have_indices(found: object) -> bool:
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        return False
    spans = [each.get("indices") for each in found]
    return all(isinstance(span, list) and len(span) == 2 and all(map(_is_whole, span)) for span in spans)


def _is_extended(value: object) -> bool:
    return isinstance(value, dict) and _is_text(value.get("full_text")) and _is_entities(value.get("entities"))


RULES = (
    Rule("created_at", 'a date like "Wed Oct 10 20:19:24 +0000 2018"', lambda at: bool(DATE.fullmatch(str(at)))),
    Rule("id", "a whole number", _is_whole),
    Rule("id_str", "the id as a text", _is_text),
    Rule("text", "a text that is not blank", _is_text),
    Rule("truncated", "true or false", lambda value: isinstance(value, bool)),
    Rule("user", "an object with id and screen_name", _is_user),
    Rule("coordinates", "a GeoJSON point [longitude, latitude], or null", _is_point, may_lack=True),
    Rule("place", "an object whose bounding_box has a ring of four corners, or null", _is_place, may_lack=True),
    Rule("extended_tweet", "an object with full_text and its entities", _is_extended, may_lack=True),
    Rule("retweeted_status", "a tweet", lambda value: not schema_errors(value, is_within=True), may_lack=True),
    Rule("entities", "lists of hashtags, urls and user_mentions, each with indices", _is_entities),
    Rule("lang", "a language code", _is_text),
    Rule("timestamp_ms", "milliseconds since 1970, as a text", lambda ms: isinstance(ms, str) and ms.isdecimal()),
)
