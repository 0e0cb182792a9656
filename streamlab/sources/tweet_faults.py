"""What a stream holds beside good tweets: the API's own messages, broken lines, tweets with one bad field.

The API's messages (deletions, limits, empty lines that keep the connection alive) are those of
https://developer.twitter.com/en/docs/twitter-api/v1/tweets/filter-realtime/guides/streaming-message-types
Keeps out: how often (`tweet_mix`).
"""

from random import Random
from typing import Any

from streamlab.sources.tweet_objects import Tweet, to_json

GONE = object()
CONTROLS = "\x00\x01\x07\x08\x0b\x0c\x1b\x1f"  # not allowed raw in a JSON string; no line breaks
NO_OBJECTS = ("null", "[]", "42", "true", '"Boston"', '[{"text": "in a list"}]')
NO_JSON = (
    "   ",
    "<html><body>503 Service Unavailable</body></html>",
    "Exceeded connection limit for user",
    "{'text': 'single quotes'}",
    "\ufffd\ufffd\ufffd\x00\x10",
    "{",
)
# One field of a tweet, and what it must not be. (A tweet with null in place of an optional object is a good tweet.)
BAD_FIELDS: tuple[tuple[str, Any], ...] = (
    ("text", GONE),
    ("text", None),
    ("text", 42),
    ("text", ["Harvard"]),
    ("text", "  \n "),
    ("created_at", GONE),
    ("created_at", None),
    ("created_at", "yesterday"),
    ("created_at", "2018-10-10T20:19:24Z"),
    ("created_at", 1_539_202_764),
    ("timestamp_ms", GONE),
    ("timestamp_ms", None),
    ("timestamp_ms", "soon"),
    ("timestamp_ms", 1_539_202_764_000),
    ("id", GONE),
    ("id", "one"),
    ("id_str", None),
    ("user", GONE),
    ("user", None),
    ("user", "somebody"),
    ("lang", 7),
    ("entities", GONE),
    ("entities", {"hashtags": None}),
    ("entities", ["#Harvard"]),
    ("coordinates", "Boston"),
    ("coordinates", [-71.117, 42.374]),
    ("coordinates", {"type": "Point", "coordinates": None}),
    ("coordinates", {"type": "Point", "coordinates": [-71.117]}),
    ("coordinates", {"type": "Point", "coordinates": ["-71.117", "42.374"]}),
    ("coordinates", {"type": "Point", "coordinates": [True, False]}),
    ("place", "Boston, MA"),
    ("place", {"full_name": "Boston, MA"}),
    ("place", {"full_name": "Boston, MA", "bounding_box": None}),
    ("place", {"full_name": "Boston, MA", "bounding_box": {"type": "Polygon", "coordinates": []}}),
    ("place", {"full_name": "Boston, MA", "bounding_box": {"type": "Polygon", "coordinates": [[["west"]]]}}),
    ("extended_tweet", "long"),
    ("extended_tweet", {"full_text": None}),
    ("retweeted_status", "yes"),
    ("retweeted_status", []),
)


def with_bad_field(tweet: Tweet, rng: Random) -> Tweet:
    """A copy of the tweet in which one field is missing or not as documented."""
    field, value = rng.choice(BAD_FIELDS)
    return {each: kept for each, kept in tweet.items() if each != field} | ({} if value is GONE else {field: value})


def notice(tweet: Tweet, arrival_ms: int, lines_before: int, rng: Random) -> str:
    """A message of the API: mostly that `tweet` was deleted, else that lines were left out, or an empty line."""
    drawn = rng.random()
    if drawn < 0.6:
        user = tweet["user"]
        status = {field: tweet[field] for field in ("id", "id_str")}
        status |= {"user_id": user["id"], "user_id_str": user["id_str"]}
        return to_json({"delete": {"status": status, "timestamp_ms": str(arrival_ms)}})
    if drawn < 0.8:
        return to_json({"limit": {"track": lines_before // 7, "timestamp_ms": str(arrival_ms)}})
    return ""


def malformed(line: str, rng: Random) -> str:
    """What becomes of a tweet's line on a bad way: never a JSON object again."""
    kind = rng.randrange(6)
    if kind < 2:  # the connection broke, which is the commonest cause
        return line[: rng.randrange(1, len(line))]
    if kind == 2:
        return line.replace('":"', f'":"{rng.choice(CONTROLS)}', 1)
    if kind == 3:
        return line.replace('":', "\ufffd:", 3)
    if kind == 4:
        return line + line  # a line feed got lost
    return rng.choice(NO_OBJECTS if rng.random() < 0.5 else NO_JSON)
