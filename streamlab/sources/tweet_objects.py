"""A post as the Twitter API v1.1 gave it: one JSON object.

Fields and their forms are those of the archived documentation:
- tweet: https://developer.twitter.com/en/docs/twitter-api/v1/data-dictionary/object-model/tweet
  (an older state: https://web.archive.org/web/20170214192006/https://dev.twitter.com/overview/api/tweets)
- place and point: https://developer.twitter.com/en/docs/twitter-api/v1/data-dictionary/object-model/geo
- long tweets (`truncated`, `extended_tweet`): https://developer.twitter.com/en/docs/tweets/tweet-updates
- ids: https://github.com/twitter-archive/snowflake/releases/tag/snowflake-2010
Left out, since no lab reads them: reply and quote fields, counts of likes and retweets, `source`, the old `geo`.
Keeps out: what is written, and lines that are no tweets or faulty ones (`tweet_faults`).
"""

import re
import time
from functools import lru_cache
from json import JSONEncoder
from random import Random
from typing import Any

from streamlab.sources.tweet_texts import SHORT_LIMIT, Post
from streamlab.sources.tweet_venues import place_object
from streamlab.sources.tweet_words import short_link

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
ID_EPOCH_MS = 1_288_834_974_657  # ids count milliseconds from here, 22 bits follow
ENTITY = re.compile(
    r"(?P<url>https?://\S+)|(?<![\w&/#])#(?P<text>\w*[^\W\d_]\w*)|(?<![\w@])@(?P<screen_name>\w+)", re.I
)
KINDS = (("urls", "url"), ("hashtags", "text"), ("user_mentions", "screen_name"))

Tweet = dict[str, Any]
# As the API did: ASCII only, other letters as \\uXXXX.
to_json = JSONEncoder(separators=(",", ":"), allow_nan=False).encode
_place_object = lru_cache(maxsize=None)(place_object)


def tweet_id(written_ms: int, number: int) -> int:
    """An id that tells when the tweet was written, to the millisecond; `number` makes it the only one.

    Example: tweet_id(1539202764000, 0) >> 22 -> 250367789343
    """
    return (written_ms - ID_EPOCH_MS) << 22 | number & 0x3FFFFF


@lru_cache(maxsize=4096)
def created_at(at_s: int) -> str:
    """A time in seconds since 1970 as the API writes it, in English whatever the locale is.

    Example: created_at(1539202764) -> "Wed Oct 10 20:19:24 +0000 2018"
    """
    at = time.gmtime(at_s)
    clock = f"{at.tm_hour:02}:{at.tm_min:02}:{at.tm_sec:02}"
    return f"{DAYS[at.tm_wday]} {MONTHS[at.tm_mon - 1]} {at.tm_mday:02} {clock} +0000 {at.tm_year}"


def tweet_object(post: Post, number_id: int, dated_ms: int, rng: Random) -> Tweet:
    """The API's object for a post. Objects within it may be shared with other tweets: not to be changed."""
    is_long = len(post.text) > SHORT_LIMIT
    text, found = _shortened(post.text, rng) if is_long else (post.text, entities(post.text))
    tweet = {
        **_head(number_id, dated_ms, text, post.user),
        "truncated": is_long,
        "coordinates": {"type": "Point", "coordinates": post.point} if post.point else None,
        "place": _place_object(post.where) if post.where else None,
    }
    if is_long:
        whole = {"full_text": post.text, "display_text_range": [0, len(post.text)], "entities": entities(post.text)}
        tweet["extended_tweet"] = whole
    return tweet | {"entities": found, "lang": post.language, "timestamp_ms": str(dated_ms)}


def retweet_object(original: Tweet, user: dict[str, Any], number_id: int, dated_ms: int) -> Tweet:
    """Somebody passes a tweet on: a tweet of its own around the original, which has no `timestamp_ms` there."""
    whole = original.get("extended_tweet", {}).get("full_text") or original["text"]
    text = f"RT @{original['user']['screen_name']}: {whole}"
    is_cut = len(text) > SHORT_LIMIT
    return {
        **_head(number_id, dated_ms, f"{text[: SHORT_LIMIT - 1]}…" if is_cut else text, user),
        "truncated": False,
        "coordinates": None,
        "place": None,
        "retweeted_status": {field: value for field, value in original.items() if field != "timestamp_ms"},
        "entities": entities(text, until=SHORT_LIMIT - 1 if is_cut else None),
        "lang": original["lang"],
        "timestamp_ms": str(dated_ms),
    }


def entities(text: str, until: int | None = None) -> dict[str, list[Any]]:
    """Hashtags, links and names in a text, each with the half-open interval of its code points; none beyond `until`.

    A `#` in a link makes no hashtag, nor do digits alone.
    Example: entities("hi #Boston")["hashtags"] -> [{"text": "Boston", "indices": [3, 10]}]
    """
    found: dict[str, list[Any]] = {"hashtags": [], "urls": [], "user_mentions": []}
    for match in ENTITY.finditer(text):
        if until is None or match.end() <= until:
            kind, name = next(each for each in KINDS if match[each[1]])
            found[kind].append({name: match[name], "indices": list(match.span())})
    return found


def _head(number_id: int, dated_ms: int, text: str, user: dict[str, Any]) -> Tweet:
    return {
        "created_at": created_at(dated_ms // 1000),
        "id": number_id,
        "id_str": str(number_id),
        "text": text,
        "user": user,
    }


def _shortened(text: str, rng: Random) -> tuple[str, dict[str, list[Any]]]:
    """What is left of a long text, with a link to all of it; and the entities that lie whole within what is left."""
    link = short_link(rng)
    cut = SHORT_LIMIT - len(link) - 2
    found = entities(text, until=cut)
    found["urls"].append({"url": link, "indices": [cut + 2, SHORT_LIMIT]})
    return f"{text[:cut]}… {link}", found
