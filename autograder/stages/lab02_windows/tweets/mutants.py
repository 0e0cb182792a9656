"""Wrong versions of `tweet_text` and `near`, each with the checks that must catch it."""

import json

from autograder.checks.mutant_markers import mutant, right, survivor

WHOLE = "the_full_text_is_returned_unchanged"
RETWEET = "a_retweet_returns_none"
NO_OBJECT = "a_line_that_is_not_a_json_object_returns_none"
NO_TEXT = "a_missing_or_blank_text_returns_none"
POINT = "a_point_inside_or_on_the_edge_is_near"
BOX = "without_a_point_the_box_decides"
ALONE = "a_valid_point_overrides_the_box"
ODD = "invalid_fields_are_treated_as_missing"
IS_RETWEET = 'isinstance(tweet.get("retweeted_status"), dict)'

# tweet_text


@right
def tweet_text(raw):
    try:
        tweet = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(tweet, dict) or isinstance(tweet.get("retweeted_status"), dict):
        return None
    long = tweet["extended_tweet"].get("full_text") if isinstance(tweet.get("extended_tweet"), dict) else None
    texts = [text for text in (long, tweet.get("full_text"), tweet.get("text")) if isinstance(text, str)]
    return texts[0] if texts and texts[0].strip() else None


# The first form that exists decides, even if it is not a string.
mutant(
    "any_form_decides",
    WHOLE,
    ("if isinstance(text, str)", "if text is not None"),
    ("if texts and", "if str in map(type, texts[:1]) and"),
)
mutant(
    "falls_back_from_a_blank_form",
    NO_TEXT,
    ("texts[0] if texts and texts[0].strip() else None", "next(filter(str.strip, texts), None)"),
)
mutant(
    "any_extended_tweet", WHOLE, ('if isinstance(tweet.get("extended_tweet"), dict)', 'if tweet.get("extended_tweet")')
)
mutant(
    "extended_without_full_text",
    WHOLE,
    (
        "    return texts[0]",
        '    texts = texts[-1:] if tweet.get("extended_tweet") and not long else texts\n    return texts[0]',
    ),
)
mutant("unescapes", WHOLE, ("return texts[0] if", 'return texts[0].replace("&amp;", "&") if'))
mutant(
    "extended_text",
    WHOLE,
    ("(long, tweet.get", '(long, _field(tweet, "extended_tweet", "text"), tweet.get'),
)
mutant("any_retweeted_status", RETWEET, (IS_RETWEET, '"retweeted_status" in tweet'))
# Every author can write "RT @".
mutant("rt_in_the_text", RETWEET, (IS_RETWEET, '"RT @" in str(tweet.get("text"))'))
mutant("any_json", NO_OBJECT, ("not isinstance(tweet, dict) or ", ""))
# A line can be nested so deeply that Python raises RecursionError.
mutant("length_unknown", NO_OBJECT, ("(ValueError, RecursionError)", "(json.JSONDecodeError, RecursionError)"))


# near


def _field(value, *names):
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _holds(place, longitude, latitude):
    return place.west <= longitude <= place.east and place.south <= latitude <= place.north


@right
def near(tweet, place):
    def is_corner(value):
        return isinstance(value, list) and len(value) == 2 and all(type(each) in (int, float) for each in value)

    point, rings = _field(tweet, "coordinates", "coordinates"), _field(tweet, "place", "bounding_box", "coordinates")
    corners = []
    if is_corner(point):
        corners = [point]
    elif isinstance(rings, list) and len(rings) == 1 and isinstance(rings[0], list) and all(map(is_corner, rings[0])):
        corners = rings[0]
    if not corners:
        return False
    west, south = map(min, zip(*corners))
    east, north = map(max, zip(*corners))
    return west <= place.east and place.west <= east and south <= place.north and place.south <= north


MEETS = "west <= place.east and place.west <= east and south <= place.north and place.south <= north"

mutant("latitude_first", [POINT, ALONE], ("corners = [point]", "corners = [point[::-1]]"))
# A box around the place has no corner inside.
mutant("a_corner_has_to_lie_inside", BOX, (MEETS, "any(_holds(place, *corner) for corner in corners)"))
mutant(
    "first_and_third_corner",
    BOX,
    ("map(min, zip(*corners))", "map(min, zip(*corners[:3:2]))"),
    ("map(max, zip(*corners))", "map(max, zip(*corners[:3:2]))"),
)
mutant("middle_of_the_box", BOX, (MEETS, "_holds(place, (west + east) / 2, (south + north) / 2)"))


mutant(
    "three_numbers_are_a_point",  # elsewhere
    ODD,
    (
        "elif isinstance(rings",
        "elif isinstance(point, list) and len(point) == 3:\n        return False\n    elif isinstance(rings",
    ),
)
mutant(
    "degrees_have_a_range",
    ALONE,
    ("if is_corner(point):", "if is_corner(point) and abs(point[0]) <= 180 and abs(point[1]) <= 90:"),
)
mutant(
    "a_line_at_least", BOX, ("and isinstance(rings[0], list)", "and isinstance(rings[0], list) and len(rings[0]) > 1")
)
mutant("zero_is_missing", POINT, ("if is_corner(point):", "if is_corner(point) and any(point):"))
mutant("rounds_degrees", POINT, ("corners = [point]", "corners = [[round(each, 4) for each in point]]"))


survivor(
    "near",
    "longitudes, latitudes = zip(*corners, strict=True)",
    "longitudes, latitudes = zip(*corners, strict=False)",
    reason="equivalent: every corner has two numbers",
)
