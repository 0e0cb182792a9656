"""Seeded cases of `tweet_text` and `near`: lines of the API and tweets, smallest first.

Each function tests one rule: most lines have a text, except in `without_text` and `no_tweets`, and only `odd_places`
has invalid positions.
"""

import json
import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import VOCABULARY, random_for

Tweet = dict[str, Any]
BOSTON = {"name": "Boston", "west": -71.25, "south": 42.25, "east": -70.75, "north": 42.5}
DEEP = 20_000
LONG = 5000  # digits; Python converts 4,300 to an int
AT_ZERO = {"name": "x", "west": -1, "south": -1, "east": 1, "north": 1}
WRITTEN = ["café 😀", 'he said "no"', "two\nlines", "a \ufffd b", "naïve זרם 流处理", "tab\there", "null"]
WRITTEN += ["a\\b", " ends ", "a &amp; b"]


def _text(rng: random.Random, words: int) -> str:
    return " ".join([*rng.choices(VOCABULARY, k=words), *rng.sample(WRITTEN, 2)])


def _lines(tweets: list[Tweet], rng: random.Random) -> list[Case]:
    """Return each tweet as a line, in ASCII or not, with or without the line end that the API sends."""
    return [
        {"raw": json.dumps(tweet, ensure_ascii=rng.random() < 0.5) + rng.choice(["", "", "\r\n"])} for tweet in tweets
    ]


# tweet_text


def tweets(seed: str) -> list[Case]:
    """Return short tweets, long ones of both forms, and short ones that only look longer."""
    rng = random_for(seed, "tweets")
    first: list[Tweet] = [
        {"text": "a"},
        {"text": " a\n"},
        {"text": "a…", "full_text": "a b"},
        {"text": "a…", "extended_tweet": {"full_text": "a b"}},
        {"full_text": "a b"},
        {"text": "a…", "full_text": "a b…", "extended_tweet": {"full_text": "a b c"}},
        {"text": "a", "extended_tweet": {"display_text_range": [0, 1]}},
        {"text": "a", "truncated": True},
        {"text": "a", "extended_tweet": None},
        {"text": "a", "extended_tweet": {"full_text": None}},
        {"text": "a", "extended_tweet": 7},
        {"text": "a…", "extended_tweet": {"text": "b"}},
        {"text": "a…", "full_text": "a b", "extended_tweet": {"full_text": None}},
        {"text": "a", "full_text": 7},
        {"text": None, "full_text": " a b"},
        {"text": "a", "quoted_status": {"text": "b"}},
    ]
    written = [{"id": number, "text": text, "lang": None} for number, text in enumerate(WRITTEN)]
    longer = [_long(_text(rng, 30 + number), number) for number in range(6)]
    return _lines([*first, *written, *longer], rng)


def _long(text: str, number: int) -> Tweet:
    """Return a tweet of more than 140 characters in one of the two forms of the API."""
    short = {"id": number, "text": f"{text[:100]}…", "truncated": True, "user": {"text": "not this"}}
    whole = {"full_text": text, "entities": {"hashtags": []}}
    return {**short, "extended_tweet": whole} if number % 2 else {**short, **whole}


def retweets(seed: str) -> list[Case]:
    """Return short and long retweets, and tweets that only look like one."""
    rng = random_for(seed, "retweets")
    original = {"text": _text(rng, 3)}
    again = {"text": "RT @b: a", "retweeted_status": {"text": "a"}}
    passed_on: list[Tweet] = [
        again,
        {"text": "RT @b: a", "retweeted_status": {}},
        {"text": "a", "retweeted_status": None},
        {"text": "a", "retweeted_status": [{}]},
        {"text": "RT @b: a"},
        {"text": "a", "retweeted": True},
        {**again, "retweeted_status": _long(_text(rng, 30), 1)},
        {**_long(f"RT @b: {original['text']}", 1), "retweeted_status": original},
        {**_long(f"RT @b: {original['text']}", 2), "retweeted_status": original},
    ]
    return _lines(passed_on, rng)


def no_tweets(seed: str) -> list[Case]:
    """Return a tweet, then lines without a JSON object: cut off, of another type, nested too deep, too long, empty."""
    rng = random_for(seed, "no tweets")
    whole = json.dumps({"id": 1, "text": _text(rng, 3)})
    broken = [whole[: rng.randrange(1, len(whole))], whole + "}", whole.replace('"', "'"), f"{whole},{whole}"]
    other = ["", "\r\n", "a", "null", "7", "[]", '"text"', '["text"]', "true", "{", "{}{}", '{"text": a}', "\ufffd"]
    long = ["1" * LONG, "[" * DEEP, '{"a":' * DEEP]
    return [{"raw": raw} for raw in ['{"text": "a"}', *other, *sorted(broken, key=len), *long]]


def without_text(seed: str) -> list[Case]:
    """Return a tweet, then objects without a text, with a text that is not a string, or with a blank one."""
    rng = random_for(seed, "without text")
    odd: list[Any] = [None, 7, True, [], ["a"], {}, {"text": "a"}, 1.5, "", " ", "\n\t ", "\u00a0"]
    named: list[Tweet] = [{"delete": {"status": {"id": rng.randint(1, 99)}}}, {"limit": {"track": 1}}, {"Text": "a"}]
    long_and_odd: list[Tweet] = [{"extended_tweet": {"full_text": "  "}}, {"full_text": 7}]
    long_and_blank: list[Tweet] = [{"text": "a", "full_text": ""}, {"text": "a", "extended_tweet": {"full_text": " "}}]
    return _lines([{"text": "a"}, {}, *({"text": value} for value in odd), *named, *long_and_odd, *long_and_blank], rng)


# near


def _tweet(point: Any = None, box: Any = None) -> Tweet:
    """Return a tweet with a point [longitude, latitude], a box of corners, both or neither."""
    tweet: Tweet = {"text": "a", "coordinates": None, "place": None}
    if point is not None:
        tweet["coordinates"] = {"type": "Point", "coordinates": point}
        tweet["geo"] = {"type": "Point", "coordinates": point[::-1] if isinstance(point, list) else point}
    if box is not None:
        tweet["place"] = {"name": "b", "bounding_box": {"type": "Polygon", "coordinates": box}}
    return tweet


def ring(west: float, south: float, east: float, north: float) -> list[list[list[float]]]:
    """Return the corners of a box as the API gives them: one ring, from the south-west through the north-west."""
    return [[[west, south], [west, north], [east, north], [east, south]]]


def _in_boston(*tweets: Tweet) -> list[Case]:
    return [{"tweet": tweet, "place": BOSTON} for tweet in tweets]


def _somewhere(rng: random.Random) -> dict[str, Any]:
    west, south = rng.randint(-140, 130), rng.randint(-60, 40)
    return {"name": "x", "west": west, "south": south, "east": west + 10, "north": south + 10}


def points(seed: str) -> list[Case]:
    """Return points inside, on each edge, on a corner, at 0, and a little or very little outside; no boxes."""
    rng = random_for(seed, "points")
    inside = [[-71.0, 42.375], [-71.25, 42.3], [-70.75, 42.3], [-71.0, 42.25], [-71.0, 42.5], [-71.25, 42.5]]
    outside = [[-71.26, 42.3], [-70.74, 42.3], [-71.0, 42.24], [-71.0, 42.51], [42.375, -71.0], [0, 0]]
    outside += [[-71.25001, 42.3]]
    around = []
    for _ in range(30):
        place = _somewhere(rng)
        point = [place["west"] + rng.randint(-1, 11), place["south"] + rng.randint(-1, 11)]
        around.append({"tweet": _tweet(point), "place": place})
    at_zero = {"tweet": _tweet([0, 0]), "place": AT_ZERO}
    return [*_in_boston(_tweet(inside[0])), at_zero, *_in_boston(*map(_tweet, [*inside[1:], *outside])), *around]


def boxes(seed: str) -> list[Case]:
    """Return boxes without a point: inside, around, across, touching, outside; some are a line or a single point.

    Corners come in any order, and there may be more or fewer than four, even only one.
    """
    rng = random_for(seed, "boxes")
    meeting = [
        (-71.1, 42.3, -71.0, 42.4),
        (-72.0, 42.0, -70.0, 43.0),
        (-72.0, 42.3, -70.0, 42.4),
        (-71.5, 42.0, -71.25, 42.25),
        (-71.0, 42.3, -71.0, 42.3),
        (-73.0, 42.5, -70.0, 42.5),
    ]
    apart = [(-71.5, 42.3, -71.3, 42.4), (-71.0, 42.6, -70.9, 42.7), (-70.7, 42.0, -70.0, 43.0)]
    around = []
    for _ in range(30):
        place = _somewhere(rng)
        west, south = place["west"] + rng.randint(-6, 11), place["south"] + rng.randint(-6, 11)
        [corners] = ring(west, south, west + rng.randint(0, 20), south + rng.randint(0, 20))
        around.append({"tweet": _tweet(box=[rng.sample(corners, 4)]), "place": place})
    # The first and the third corner are not opposite.
    crossed = [[-71.5, 42.3], [-71.0, 42.3], [-71.5, 42.4], [-71.0, 42.4]]
    odd = [[crossed], [crossed[:3]], [[*crossed[:3], *crossed]], [[[-71.5, 42.2], [-71.0, 42.6], [-71.5, 42.2]]]]
    return [
        *_in_boston(_tweet(box=[[[-71.0, 42.3]]])),
        *_in_boston(*(_tweet(box=ring(*each)) for each in [*meeting, *apart]), *(_tweet(box=each) for each in odd)),
        *around,
    ]


def points_and_boxes(seed: str) -> list[Case]:
    """Return a point outside the place with a box that overlaps it, and the other way round.

    One point is valid, since it has two numbers, though no place has its longitude.
    """
    rng = random_for(seed, "points and boxes")
    overlapping, apart = ring(-71.5, 42.0, -71.0, 42.4), ring(-73.0, 41.0, -72.0, 42.0)
    inside, outside = [-71.0, 42.3], [-71.4, 42.1]
    far = [round(rng.uniform(-180, -80), 3), round(rng.uniform(-80, 20), 3)]
    pairs = [(outside, overlapping), ([200.0, 42.3], overlapping), (inside, apart), (outside, apart)]
    pairs += [(inside, overlapping), (far, overlapping)]
    return _in_boston(*(_tweet(point, box) for point, box in pairs))


def odd_places(seed: str) -> list[Case]:
    """Return fields that are missing, null or of a wrong type, alone and together with a valid box that decides."""
    rng = random_for(seed, "odd places")
    value = rng.randint(1, 99)
    odd: list[Any] = [None, value, "a", [], {}, True, [value], ["a", "b"], [None, None], [[-71.0, 42.3]]]
    odd += [[-71.0, 42.3, 0.0], ["-71.0", "42.3"]]
    nothing: list[Tweet] = [{}, {"coordinates": None}, {"place": None}, {"place": {"bounding_box": None}}]
    odd_points = [_tweet(point) for point in odd] + [{"coordinates": each} for each in odd]
    box = ring(-71.1, 42.3, -71.0, 42.4)
    odd_rings = [[[]], [[value]], [[["a", "b"]]], [[[None, None]]], [[[-71.0, 42.3, 0.0]]], [*box, *box]]
    odd_boxes = [_tweet(box=each) for each in [*odd, *odd_rings, [[*box[0], [-71.0, "42.3"]]]]]
    odd_boxes += [{"place": {"bounding_box": each}} for each in odd] + [{"place": each} for each in odd]
    decided = [{**_tweet(box=box), **{"coordinates": each}} for each in odd]
    decided += [_tweet(each, box) for each in odd if each is not None]
    at_true = {"tweet": _tweet([0, True]), "place": AT_ZERO}
    return [*_in_boston(*nothing, *odd_points), at_true, *_in_boston(*odd_boxes, *decided)]
