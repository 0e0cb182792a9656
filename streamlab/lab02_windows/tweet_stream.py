"""Tweets in the format of the Twitter API v1.1, made from a seed, since the real stream is no longer available.

`tweets` yields lines in order of arrival. Most lines are tweets, as JSON objects; some are not, as on a real
connection. People, events and hashtags are invented; only the names of the places are real. A tweet has two times: the
time at which it was *written* is in `created_at` (seconds) and `timestamp_ms`; the time at which it *arrives* is not in
the tweet.

Equal arguments give equal bytes, on every Python from 3.11 to 3.13 and in every process, if faker, which invents the
people, has the version of the lock.

Fields, formats and messages follow the archived documentation; `datasets/lab02_windows/tweets/README.md` has the
addresses.
"""

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from json import JSONEncoder
from random import Random
from typing import Any, NamedTuple

from streamlab.lab02_windows.tweet_content import SHORT_LIMIT, Location, Post, Writers, short_link
from streamlab.lab02_windows.tweet_timeline import USUAL, Arrivals, TweetMix, write_script

START_MS = 1_539_201_600_000  # Wed Oct 10 20:00:00 +0000 2018, the hour of the documentation's example
REMEMBERED = 200  # tweets that may be retweeted, duplicated or deleted
SHORTEST_S, LONGEST_S = 0.001, 7 * 86_400.0
ID_EPOCH_MS = 1_288_834_974_657  # ids count milliseconds from here, 22 bits follow
LATEST_MS = 3_000_000_000_000  # ids have no room for much later times
ENTITY = re.compile(
    r"(?P<url>https?://\S+)|(?<![\w&/#])#(?P<text>\w*[^\W\d_]\w*)|(?<![\w@])@(?P<screen_name>\w+)", re.I
)
KINDS = {"url": "urls", "text": "hashtags", "screen_name": "user_mentions"}
Tweet = dict[str, Any]
# As the API did: ASCII only, other letters as \\uXXXX.
to_json = JSONEncoder(separators=(",", ":"), allow_nan=False).encode


class Arrival(NamedTuple):
    """One line and its time of arrival, in milliseconds since 1970."""

    arrival_ms: int
    line: str


def tweets(
    seed: str, count: int, mix: TweetMix = USUAL, *, duration_s: float = 3600.0, start_ms: int = START_MS
) -> Iterator[str]:
    """Yield `count` lines that arrive within `duration_s` seconds from `start_ms` on, in order of arrival.

    `mix` sets the frequency of each kind; `FLAWLESS` of the module `tweet_timeline` has only good tweets in order.
    Raises ValueError at once for a seed that is not a text, a negative count, or a time out of range.
    Example: json.loads(next(tweets("demo", 1, FLAWLESS)))["created_at"] -> "Wed Oct 10 20:…:… +0000 2018"
    """
    return (line for _, line in tweet_arrivals(seed, count, mix, duration_s=duration_s, start_ms=start_ms))


def tweet_arrivals(
    seed: str, count: int, mix: TweetMix = USUAL, *, duration_s: float = 3600.0, start_ms: int = START_MS
) -> Iterator[Arrival]:
    """Yield the lines of `tweets`, each with its time of arrival, which stands for processing time."""
    if not isinstance(seed, str) or seed != seed.encode(errors="replace").decode():
        raise ValueError(f"seed must be a text that UTF-8 can hold, got {seed!r:.60}")
    if isinstance(count, bool) or not isinstance(count, int) or count < 0:
        raise ValueError(f"count must be a whole number of lines, 0 or more, got {count!r:.60}")
    if not isinstance(duration_s, (int, float)) or not SHORTEST_S <= duration_s <= LONGEST_S:
        raise ValueError(f"duration_s must be in {SHORTEST_S} … {LONGEST_S:.0f} seconds, got {duration_s!r:.60}")
    if isinstance(start_ms, bool) or not isinstance(start_ms, int) or not ID_EPOCH_MS <= start_ms <= LATEST_MS:
        raise ValueError(f"start_ms must be whole ms since 1970, {ID_EPOCH_MS} … {LATEST_MS}, got {start_ms!r:.60}")
    return _Stream(seed, mix, duration_s, start_ms).lines(count)


class _Recent(list[Any]):
    """The newest `REMEMBERED` items."""

    added = 0

    def add(self, new: object) -> None:
        """Add `new`; it replaces the oldest item of a full list."""
        place = self.added % REMEMBERED
        self[place : place + 1] = [new]
        self.added += 1


class _Stream:
    """Generates one stream, line by line."""

    def __init__(self, seed: str, mix: TweetMix, duration_s: float, start_ms: int) -> None:
        self._mix, self._start_ms = mix, start_ms
        script = write_script(Random(f"{seed}/tweets/script"), mix, duration_s)
        self._arrivals = Arrivals(Random(f"{seed}/tweets/arrivals"), script, mix)
        self._writers = Writers(seed, script, mix)
        self._rng = Random(f"{seed}/tweets/kinds")
        self._originals, self._sent = _Recent(), _Recent()  # tweets, lines

    def lines(self, count: int) -> Iterator[Arrival]:
        """Yield the lines in order of arrival."""
        for number, arrival_s in enumerate(self._arrivals.times_s(count)):
            arrival_ms = self._start_ms + int(arrival_s * 1000)
            yield Arrival(arrival_ms, self._line(number, arrival_s, arrival_ms))

    def _line(self, number: int, arrival_s: float, arrival_ms: int) -> str:
        mix, rng = self._mix, self._rng
        drawn = rng.random()
        if drawn < mix.notice_rate and self._originals:
            return notice(rng.choice(self._originals), arrival_ms, number, rng)
        drawn -= mix.notice_rate
        if 0 <= drawn < mix.duplicate_rate and self._sent:
            return rng.choice(self._sent)
        drawn -= mix.duplicate_rate
        line = to_json(self._tweet(number, arrival_s))
        if 0 <= drawn < mix.malformed_rate:
            return malformed(line, rng)
        self._sent.add(line)
        return line

    def _tweet(self, number: int, arrival_s: float) -> Tweet:
        mix, rng, written_s = self._mix, self._rng, self._arrivals.written_s(arrival_s)
        written_ms = self._start_ms + int(written_s * 1000)
        number_id = (written_ms - ID_EPOCH_MS) << 22 | number & 0x3FFFFF  # encodes the time of writing
        ahead_s = rng.uniform(60, 86_400) if rng.random() < mix.future_rate else 0
        dated_ms = written_ms + int(ahead_s * 1000)
        older = [each for each in self._originals if each["id"] < number_id] if rng.random() < mix.retweet_rate else []
        if older:
            user = self._writers.someone(in_boston=rng.random() < mix.boston_share)
            tweet = retweet_object(rng.choice(older), user, number_id, dated_ms)
        else:
            tweet = tweet_object(self._writers.post(written_s), number_id, dated_ms, rng)
            self._originals.add(tweet)
        return with_bad_field(tweet, rng) if rng.random() < mix.field_fault_rate else tweet


def created_at(at_s: int) -> str:
    """Return a time in seconds since 1970 in the API's format, in English regardless of the locale."""
    weekday, month, day, clock, year = time.asctime(time.gmtime(at_s)).split()
    return f"{weekday} {month} {day:0>2} {clock} +0000 {year}"


def tweet_object(post: Post, number_id: int, dated_ms: int, rng: Random) -> Tweet:
    """Return the API's object for a post. Tweets may share nested objects: do not change them."""
    found = entities(post.text)
    if len(post.text) <= SHORT_LIMIT:
        return _api_object(post, number_id, dated_ms, found)
    whole = {"full_text": post.text, "display_text_range": [0, len(post.text)], "entities": found}
    link = short_link(rng)  # to the full text
    cut = SHORT_LIMIT - len(link) - 2
    found = entities(post.text, until=cut)
    found["urls"].append({"url": link, "indices": [cut + 2, SHORT_LIMIT]})
    start = replace(post, text=f"{post.text[:cut]}… {link}")
    return _api_object(start, number_id, dated_ms, found, extended_tweet=whole)


def retweet_object(original: Tweet, user: dict[str, Any], number_id: int, dated_ms: int) -> Tweet:
    """Return a retweet: a new tweet around the original, which loses its `timestamp_ms` there."""
    whole = original.get("extended_tweet", {}).get("full_text") or original["text"]
    text = f"RT @{original['user']['screen_name']}: {whole}"
    until = SHORT_LIMIT - 1 if len(text) > SHORT_LIMIT else None
    post = Post(user, f"{text[:until]}…" if until else text, original["lang"])
    status = {field: value for field, value in original.items() if field != "timestamp_ms"}
    return _api_object(post, number_id, dated_ms, entities(text, until), retweeted_status=status)


def _api_object(post: Post, number_id: int, dated_ms: int, found: dict[str, list[Any]], **more: Tweet) -> Tweet:
    return {
        "created_at": created_at(dated_ms // 1000),
        "id": number_id,
        "id_str": str(number_id),
        "text": post.text,
        "user": post.user,
        "truncated": "extended_tweet" in more,
        "coordinates": _geo("Point", post.point) if post.point else None,
        "place": place_object(post.where) if post.where else None,
        **more,
        **{"entities": found, "lang": post.language, "timestamp_ms": str(dated_ms)},
    }


def place_object(of: Location) -> dict[str, Any]:
    """Return the API's `place`. A venue is a point of interest whose box has no extent, except for the whole city."""
    is_city, city = of.box == of.city.box, of.city
    west, south, east, north = of.box
    if not is_city:
        west = east = round((west + east) / 2, 6)
        south = north = round((south + north) / 2, 6)
    return {
        "id": sha256(of.full_name.encode()).hexdigest()[:16],
        "place_type": "city" if is_city else "poi",
        "name": city.name if is_city else of.full_name,
        "full_name": city.full_name if is_city else of.full_name,
        "country_code": city.country_code,
        "country": city.country,
        "bounding_box": _geo("Polygon", [[[west, south], [west, north], [east, north], [east, south]]]),
    }


def _geo(kind: str, coordinates: object) -> dict[str, Any]:
    return {"type": kind, "coordinates": coordinates}


def entities(text: str, until: int | None = None) -> dict[str, list[Any]]:
    """Return hashtags, links and names in a text, each with its half-open interval of code points; none past `until`.

    Neither a `#` in a link nor digits alone make a hashtag.
    Example: entities("hi #Boston")["hashtags"] -> [{"text": "Boston", "indices": [3, 10]}]
    """
    found: dict[str, list[Any]] = {"hashtags": [], "urls": [], "user_mentions": []}
    for match in ENTITY.finditer(text):
        if (until is None or match.end() <= until) and match.lastgroup:
            found[KINDS[match.lastgroup]].append({match.lastgroup: match[match.lastgroup], "indices": [*match.span()]})
    return found


GONE = object()
_PLACE = {"full_name": "Boston, MA"}
# Values that a field of a good tweet never has. (null in place of an optional object is valid.)
_BAD_VALUES: dict[str, tuple[Any, ...]] = {
    "text": (GONE, None, 42, ["Harvard"], "  \n "),
    "created_at": (GONE, None, "yesterday", "2018-10-10T20:19:24Z", 1_539_202_764),
    "timestamp_ms": (GONE, None, "soon", 1_539_202_764_000),
    "id": (GONE, "one"),
    "id_str": (None,),
    "user": (GONE, None, "somebody"),
    "lang": (7,),
    "entities": (GONE, {"hashtags": None}, ["#Harvard"]),
    "coordinates": (
        *("Boston", [-71.117, 42.374]),
        *(_geo("Point", each) for each in (None, [-71.117], ["-71.117", "42.374"], [True, False])),
    ),
    "place": (
        *("Boston, MA", _PLACE),
        *(_PLACE | {"bounding_box": box} for box in (None, _geo("Polygon", []), _geo("Polygon", [[["west"]]]))),
    ),
    "extended_tweet": ("long", {"full_text": None}),
    "retweeted_status": ("yes", []),
}
BAD_FIELDS = [(field, value) for field, values in _BAD_VALUES.items() for value in values]
CONTROLS = "\x00\x01\x07\x08\x0b\x0c\x1b\x1f"  # JSON does not allow them unescaped in a string; none ends a line
NO_OBJECTS = ("null", "[]", "42", "true", '"Boston"', '[{"text": "in a list"}]')
_ANSWERS = ("<html><body>503 Service Unavailable</body></html>", "Exceeded connection limit for user")
NO_JSON = ("   ", *_ANSWERS, "{'text': 'single quotes'}", "\ufffd\ufffd\ufffd\x00\x10", "{")


def with_bad_field(tweet: Tweet, rng: Random) -> Tweet:
    """Return a copy of the tweet in which one field is missing or not as documented."""
    field, value = rng.choice(BAD_FIELDS)
    return {each: kept for each, kept in tweet.items() if each != field} | ({} if value is GONE else {field: value})


def notice(tweet: Tweet, arrival_ms: int, lines_before: int, rng: Random) -> str:
    """Draw a message of the API: `tweet` was deleted, lines were left out, or an empty keep-alive line."""
    drawn = rng.random()
    if drawn < 0.6:
        user = tweet["user"]
        status = {"id": tweet["id"], "id_str": tweet["id_str"], "user_id": user["id"], "user_id_str": user["id_str"]}
        return to_json({"delete": {"status": status, "timestamp_ms": str(arrival_ms)}})
    if drawn < 0.8:
        return to_json({"limit": {"track": lines_before // 7, "timestamp_ms": str(arrival_ms)}})
    return ""


def malformed(line: str, rng: Random) -> str:
    """Draw a tweet's line as a bad connection garbles it: never a JSON object."""
    kind = rng.randrange(6)
    if kind < 2:  # the connection broke, the most frequent cause
        return line[: rng.randrange(1, len(line))]
    if kind == 2:
        return line.replace('":"', f'":"{rng.choice(CONTROLS)}', 1)
    if kind == 3:
        return line.replace('":', "\ufffd:", 3)
    if kind == 4:
        return line + line  # a line feed got lost
    return rng.choice(NO_OBJECTS if rng.random() < 0.5 else NO_JSON)
