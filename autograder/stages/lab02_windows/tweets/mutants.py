"""Wrong versions of `tweet_text`, `near`, each with the checks that must catch it."""

import json

from autograder.verify.marks import mutant, right

LINE_OBJECT = "a_line_that_is_no_object_has_no_text"
POINT_DECIDES = "a_point_decides_alone"
POINT_NEAR = "a_point_is_near_in_the_rectangle_and_on_its_edge"
RETWEET_TEXT = "a_retweet_has_no_text_of_its_own"
TEXT_WHOLE = "the_text_is_the_whole_of_what_was_written"
MISSING_BLANK = "what_is_missing_blank_or_no_string_is_no_text"
MISSING_OR = "what_is_missing_or_odd_counts_as_not_there"
WITHOUT_POINT = "without_a_point_the_box_decides"

# tweet_text


@right
def tweet_text(raw):
    try:
        tweet = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(tweet, dict):
        return None
    if isinstance(tweet.get("retweeted_status"), dict):
        return None
    extended = tweet.get("extended_tweet")
    holders = [(extended, "full_text"), (tweet, "full_text"), (tweet, "text")]
    text = next((each[name] for each, name in holders if isinstance(each, dict) and name in each), None)
    return text if isinstance(text, str) and text.strip() else None


mutant(
    "any_json",
    LINE_OBJECT,
    (
        """        return None
    if not isinstance(tweet, dict):
""",
        "",
    ),
)  # Takes whatever is JSON for a tweet.
mutant(
    "any_retweeted_status",
    RETWEET_TEXT,
    ('isinstance(tweet.get("retweeted_status"), dict)', '"retweeted_status" in tweet'),
)  # Takes null in retweeted_status for a retweet.
mutant(
    "ascii",
    TEXT_WHOLE,
    (
        "    return text if isinstance(text, str) and text.strip() else None",
        """    text = text.encode("ascii", "ignore").decode() if isinstance(text, str) else ""
    return text if text.strip() else None""",
    ),
)  # Leaves out what is not ASCII.
mutant("blank_is_a_text", MISSING_BLANK, ("and text.strip() else", "else"))  # Gives a text that is blank.
mutant(
    "depth_unknown", LINE_OBJECT, ("(ValueError, RecursionError)", "json.JSONDecodeError")
)  # Expects a malformed line to raise JSONDecodeError, and not that one can be nested too deep.
mutant(
    "empty_retweet", RETWEET_TEXT, ('isinstance(tweet.get("retweeted_status"), dict', 'tweet.get("retweeted_status"')
)  # Takes an original that is an empty object for none.
mutant("empty_text_for_none", MISSING_BLANK, ("else None", 'else ""'))  # Gives an empty text in place of None.
mutant(
    "extended_form_unknown",
    TEXT_WHOLE,
    (
        """    extended = tweet.get("extended_tweet")
    holders = [(extended, "full_text"), (tweet, "full_text"), (tweet, "text")]
    text = next((each[name] for each, name in holders if isinstance(each, dict) and name in each), None)""",
        '    text = tweet.get("full_text", tweet.get("text"))',
    ),
)  # Knows full_text, but not where a stream has it: in extended_tweet.
mutant(
    "extended_is_always_an_object",
    TEXT_WHOLE,
    (
        """    extended = tweet.get("extended_tweet")
    holders = [(extended, "full_text"), (tweet, "full_text"), (tweet, "text")]
    text = next((each[name] for each, name in holders if isinstance(each, dict) and name in each), None)""",
        """    text = tweet.get("extended_tweet", {}).get("full_text") or tweet.get("full_text", tweet.get("text"))""",
    ),
)  # Expects an object in extended_tweet, and finds null.
mutant(
    "full_text_unknown",
    TEXT_WHOLE,
    (
        """    holders = [(extended, "full_text"), (tweet, "full_text"), (tweet, "text")]
    text = next((each[name] for each, name in holders if isinstance(each, dict) and name in each), None)""",
        """    text = extended.get("full_text", tweet.get("text")) if isinstance(extended, dict) else tweet.get("text")""",
    ),
)  # Knows extended_tweet, but not the full_text of a search.
mutant(
    "malformed_line_is_a_text",
    LINE_OBJECT,
    (
        """    except (ValueError, RecursionError):
        return None""",
        """    except (ValueError, RecursionError):
        return raw.strip() or None""",
    ),
)  # Gives a line that is no JSON as a text.
mutant(
    "numbers_become_texts",
    MISSING_BLANK,
    ("text if isinstance(text, str) and text", "str(text) if text is not None and str(text)"),
)  # Makes a text of whatever stands there.
mutant(
    "raises_on_malformed_lines",
    LINE_OBJECT,
    (
        """    try:
        tweet = json.loads(raw)
    except (ValueError, RecursionError):
        return None""",
        "    tweet = json.loads(raw)",
    ),
)  # Lets the error of a malformed line through.
mutant(
    "repairs_bytes", TEXT_WHOLE, ("return text", 'return text.replace("\\ufffd", "")')
)  # Takes out the marks of bytes that were no UTF-8.
mutant(
    "retweet_counted_twice",
    RETWEET_TEXT,
    (
        """    if isinstance(tweet.get("retweeted_status"), dict):
        return None""",
        """    if isinstance(tweet.get("retweeted_status"), dict):
        tweet = tweet["retweeted_status"]""",
    ),
)  # Gives the text of the tweet that was passed on, which is then counted twice.
mutant(
    "retweets_are_tweets",
    RETWEET_TEXT,
    (
        """    if isinstance(tweet.get("retweeted_status"), dict):
        return None
""",
        "",
    ),
)  # Gives the text of a retweet as if it were another.
mutant(
    "rt_in_the_text",
    RETWEET_TEXT,
    ('isinstance(tweet.get("retweeted_status"), dict', 'str(tweet.get("text", "")).startswith("RT @"'),
)  # Tells a retweet by its text, which anybody can write.
mutant(
    "short_form",
    TEXT_WHOLE,
    (
        """    extended = tweet.get("extended_tweet")
    holders = [(extended, "full_text"), (tweet, "full_text"), (tweet, "text")]
    text = next((each[name] for each, name in holders if isinstance(each, dict) and name in each), None)""",
        '    text = tweet.get("text")',
    ),
)  # Takes the text that is cut after 140 characters, whatever else there is.
mutant(
    "text_is_always_there",
    MISSING_BLANK,
    (
        "(each[name] for each, name in holders if isinstance(each, dict) and name in each), None",
        "each[name] for each, name in holders if isinstance(each, dict) and name in each",
    ),
)  # Expects a text in every object.
# near


@right(task="near")
def _get(value, *names):
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


@right
def near(tweet, place):
    point = _corner(_get(tweet, "coordinates", "coordinates"))
    if point is not None:
        return place.west <= point[0] <= place.east and place.south <= point[1] <= place.north
    rings = _get(tweet, "place", "bounding_box", "coordinates")
    corners = rings[0] if isinstance(rings, list) and len(rings) == 1 and isinstance(rings[0], list) else []
    if not corners or not all(map(_corner, corners)):
        return False
    west, east = min(c[0] for c in corners), max(c[0] for c in corners)
    south, north = min(c[1] for c in corners), max(c[1] for c in corners)
    return west <= place.east and place.west <= east and south <= place.north and place.south <= north


# Asks for a corner of the box inside the rectangle: a box around the place has none.
@mutant("a_corner_has_to_lie_inside", WITHOUT_POINT, task="near")
def _get(value, *names):
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


@mutant("a_corner_has_to_lie_inside", WITHOUT_POINT, task="near")
def _corner(value):
    return (
        value if isinstance(value, list) and len(value) == 2 and all(type(v) in (int, float) for v in value) else None
    )


@mutant("a_corner_has_to_lie_inside", WITHOUT_POINT)
def near(tweet, place):
    point = _corner(_get(tweet, "coordinates", "coordinates"))
    if point is not None:
        return place.west <= point[0] <= place.east and place.south <= point[1] <= place.north
    rings = _get(tweet, "place", "bounding_box", "coordinates")
    corners = rings[0] if isinstance(rings, list) and len(rings) == 1 and isinstance(rings[0], list) else []
    if not corners or not all(map(_corner, corners)):
        return False
    return any(place.west <= c[0] <= place.east and place.south <= c[1] <= place.north for c in corners)


# Asks the box when the point is outside.
@mutant("box_as_well", POINT_DECIDES, task="near")
def _get(value, *names):
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


@mutant("box_as_well", POINT_DECIDES, task="near")
def _corner(value):
    return (
        value if isinstance(value, list) and len(value) == 2 and all(type(v) in (int, float) for v in value) else None
    )


@mutant("box_as_well", POINT_DECIDES)
def near(tweet, place):
    point = _corner(_get(tweet, "coordinates", "coordinates"))
    if point is not None and place.west <= point[0] <= place.east and place.south <= point[1] <= place.north:
        return True
    rings = _get(tweet, "place", "bounding_box", "coordinates")
    corners = rings[0] if isinstance(rings, list) and len(rings) == 1 and isinstance(rings[0], list) else []
    if not corners or not all(map(_corner, corners)):
        return False
    west, east = min(c[0] for c in corners), max(c[0] for c in corners)
    south, north = min(c[1] for c in corners), max(c[1] for c in corners)
    return west <= place.east and place.west <= east and south <= place.north and place.south <= north


# Lets the box decide where there is one.
@mutant("box_first", POINT_DECIDES, task="near")
def _get(value, *names):
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


@mutant("box_first", POINT_DECIDES, task="near")
def _corner(value):
    return (
        value if isinstance(value, list) and len(value) == 2 and all(type(v) in (int, float) for v in value) else None
    )


@mutant("box_first", POINT_DECIDES)
def near(tweet, place):
    point = _corner(_get(tweet, "coordinates", "coordinates"))
    rings = _get(tweet, "place", "bounding_box", "coordinates")
    corners = rings[0] if isinstance(rings, list) and len(rings) == 1 and isinstance(rings[0], list) else []
    if not corners or not all(map(_corner, corners)):
        corners = [point] if point else []
    if not corners:
        return False
    west, east = min(c[0] for c in corners), max(c[0] for c in corners)
    south, north = min(c[1] for c in corners), max(c[1] for c in corners)
    return west <= place.east and place.west <= east and south <= place.north and place.south <= north


# Asks for the whole box to lie inside the rectangle.
@mutant("box_has_to_lie_inside", WITHOUT_POINT, task="near")
def _get(value, *names):
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


@mutant("box_has_to_lie_inside", WITHOUT_POINT, task="near")
def _corner(value):
    return (
        value if isinstance(value, list) and len(value) == 2 and all(type(v) in (int, float) for v in value) else None
    )


@mutant("box_has_to_lie_inside", WITHOUT_POINT)
def near(tweet, place):
    point = _corner(_get(tweet, "coordinates", "coordinates"))
    if point is not None:
        return place.west <= point[0] <= place.east and place.south <= point[1] <= place.north
    rings = _get(tweet, "place", "bounding_box", "coordinates")
    corners = rings[0] if isinstance(rings, list) and len(rings) == 1 and isinstance(rings[0], list) else []
    if not corners or not all(map(_corner, corners)):
        return False
    return all(place.west <= c[0] <= place.east and place.south <= c[1] <= place.north for c in corners)


# Leaves the edges of the rectangle out.
@mutant("edges_are_outside", POINT_NEAR, task="near")
def _get(value, *names):
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


@mutant("edges_are_outside", POINT_NEAR, task="near")
def _corner(value):
    return (
        value if isinstance(value, list) and len(value) == 2 and all(type(v) in (int, float) for v in value) else None
    )


@mutant("edges_are_outside", POINT_NEAR)
def near(tweet, place):
    point = _corner(_get(tweet, "coordinates", "coordinates"))
    if point is not None:
        return place.west < point[0] < place.east and place.south < point[1] < place.north
    rings = _get(tweet, "place", "bounding_box", "coordinates")
    corners = rings[0] if isinstance(rings, list) and len(rings) == 1 and isinstance(rings[0], list) else []
    if not corners or not all(map(_corner, corners)):
        return False
    west, east = min(c[0] for c in corners), max(c[0] for c in corners)
    south, north = min(c[1] for c in corners), max(c[1] for c in corners)
    return west <= place.east and place.west <= east and south <= place.north and place.south <= north


# Takes every field for there and well-formed.
@mutant("fields_are_always_there", [POINT_NEAR, WITHOUT_POINT, POINT_DECIDES, MISSING_OR])
def near(tweet, place):
    longitude, latitude = tweet["coordinates"]["coordinates"]
    inside = place.west <= longitude <= place.east and place.south <= latitude <= place.north
    [ring] = tweet["place"]["bounding_box"]["coordinates"]
    return inside or any(place.west <= c[0] <= place.east and place.south <= c[1] <= place.north for c in ring)


# Takes the rectangle for half-open: its east and north edges are outside.
@mutant("half_open", POINT_NEAR, task="near")
def _get(value, *names):
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


@mutant("half_open", POINT_NEAR, task="near")
def _corner(value):
    return (
        value if isinstance(value, list) and len(value) == 2 and all(type(v) in (int, float) for v in value) else None
    )


@mutant("half_open", POINT_NEAR)
def near(tweet, place):
    point = _corner(_get(tweet, "coordinates", "coordinates"))
    if point is not None:
        return place.west <= point[0] < place.east and place.south <= point[1] < place.north
    rings = _get(tweet, "place", "bounding_box", "coordinates")
    corners = rings[0] if isinstance(rings, list) and len(rings) == 1 and isinstance(rings[0], list) else []
    if not corners or not all(map(_corner, corners)):
        return False
    west, east = min(c[0] for c in corners), max(c[0] for c in corners)
    south, north = min(c[1] for c in corners), max(c[1] for c in corners)
    return west <= place.east and place.west <= east and south <= place.north and place.south <= north


# Takes the first coordinate for the latitude, as everybody says it aloud.
@mutant("latitude_first", [POINT_NEAR, POINT_DECIDES], task="near")
def _get(value, *names):
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


@mutant("latitude_first", [POINT_NEAR, POINT_DECIDES], task="near")
def _corner(value):
    return (
        value if isinstance(value, list) and len(value) == 2 and all(type(v) in (int, float) for v in value) else None
    )


@mutant("latitude_first", [POINT_NEAR, POINT_DECIDES])
def near(tweet, place):
    point = _corner(_get(tweet, "coordinates", "coordinates"))
    point = point[::-1] if point else None
    if point is not None:
        return place.west <= point[0] <= place.east and place.south <= point[1] <= place.north
    rings = _get(tweet, "place", "bounding_box", "coordinates")
    corners = rings[0] if isinstance(rings, list) and len(rings) == 1 and isinstance(rings[0], list) else []
    if not corners or not all(map(_corner, corners)):
        return False
    west, east = min(c[0] for c in corners), max(c[0] for c in corners)
    south, north = min(c[1] for c in corners), max(c[1] for c in corners)
    return west <= place.east and place.west <= east and south <= place.north and place.south <= north


# Compares longitudes, and forgets latitudes.
@mutant("longitude_only", POINT_NEAR, task="near")
def _get(value, *names):
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


@mutant("longitude_only", POINT_NEAR, task="near")
def _corner(value):
    return (
        value if isinstance(value, list) and len(value) == 2 and all(type(v) in (int, float) for v in value) else None
    )


@mutant("longitude_only", POINT_NEAR)
def near(tweet, place):
    point = _corner(_get(tweet, "coordinates", "coordinates"))
    if point is not None:
        return place.west <= point[0] <= place.east
    rings = _get(tweet, "place", "bounding_box", "coordinates")
    corners = rings[0] if isinstance(rings, list) and len(rings) == 1 and isinstance(rings[0], list) else []
    if not corners or not all(map(_corner, corners)):
        return False
    west, east = min(c[0] for c in corners), max(c[0] for c in corners)
    south, north = min(c[1] for c in corners), max(c[1] for c in corners)
    return west <= place.east and place.west <= east and south <= place.north and place.south <= north


# Takes the middle of the box for a point.
@mutant("middle_of_the_box", WITHOUT_POINT, task="near")
def _get(value, *names):
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


@mutant("middle_of_the_box", WITHOUT_POINT, task="near")
def _corner(value):
    return (
        value if isinstance(value, list) and len(value) == 2 and all(type(v) in (int, float) for v in value) else None
    )


@mutant("middle_of_the_box", WITHOUT_POINT)
def near(tweet, place):
    point = _corner(_get(tweet, "coordinates", "coordinates"))
    if point is not None:
        return place.west <= point[0] <= place.east and place.south <= point[1] <= place.north
    rings = _get(tweet, "place", "bounding_box", "coordinates")
    corners = rings[0] if isinstance(rings, list) and len(rings) == 1 and isinstance(rings[0], list) else []
    if not corners or not all(map(_corner, corners)):
        return False
    west, east = min(c[0] for c in corners), max(c[0] for c in corners)
    south, north = min(c[1] for c in corners), max(c[1] for c in corners)
    return place.west <= (west + east) / 2 <= place.east and place.south <= (south + north) / 2 <= place.north


# Expects null, and not that a field is of a wrong type.
@mutant("missing_but_not_odd", MISSING_OR)
def near(tweet, place):
    if tweet.get("coordinates"):
        corners = [tweet["coordinates"]["coordinates"]]
    elif tweet.get("place") and tweet["place"].get("bounding_box"):
        corners = tweet["place"]["bounding_box"]["coordinates"][0]
    else:
        return False
    longitudes, latitudes = [c[0] for c in corners], [c[1] for c in corners]
    meets = min(longitudes) <= place.east and place.west <= max(longitudes)
    return meets and min(latitudes) <= place.north and place.south <= max(latitudes)


# Knows points only.
@mutant("no_boxes", [WITHOUT_POINT, MISSING_OR], task="near")
def _get(value, *names):
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


@mutant("no_boxes", [WITHOUT_POINT, MISSING_OR], task="near")
def _corner(value):
    return (
        value if isinstance(value, list) and len(value) == 2 and all(type(v) in (int, float) for v in value) else None
    )


@mutant("no_boxes", [WITHOUT_POINT, MISSING_OR])
def near(tweet, place):
    point = _corner(_get(tweet, "coordinates", "coordinates"))
    if point is not None:
        return place.west <= point[0] <= place.east and place.south <= point[1] <= place.north
    return False


# Takes a point that is of a wrong form for one that is outside.
@mutant("odd_point_is_a_point", MISSING_OR, task="near")
def _get(value, *names):
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


@mutant("odd_point_is_a_point", MISSING_OR, task="near")
def _corner(value):
    return (
        value if isinstance(value, list) and len(value) == 2 and all(type(v) in (int, float) for v in value) else None
    )


@mutant("odd_point_is_a_point", MISSING_OR)
def near(tweet, place):
    point = _corner(_get(tweet, "coordinates", "coordinates"))
    if point is None and tweet.get("coordinates") is not None:
        return False
    if point is not None:
        return place.west <= point[0] <= place.east and place.south <= point[1] <= place.north
    rings = _get(tweet, "place", "bounding_box", "coordinates")
    corners = rings[0] if isinstance(rings, list) and len(rings) == 1 and isinstance(rings[0], list) else []
    if not corners or not all(map(_corner, corners)):
        return False
    west, east = min(c[0] for c in corners), max(c[0] for c in corners)
    south, north = min(c[1] for c in corners), max(c[1] for c in corners)
    return west <= place.east and place.west <= east and south <= place.north and place.south <= north


# Wants a box to overlap the place: touching it is not enough.
@mutant("touching_is_not_enough", WITHOUT_POINT, task="near")
def _get(value, *names):
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


@mutant("touching_is_not_enough", WITHOUT_POINT, task="near")
def _corner(value):
    return (
        value if isinstance(value, list) and len(value) == 2 and all(type(v) in (int, float) for v in value) else None
    )


@mutant("touching_is_not_enough", WITHOUT_POINT)
def near(tweet, place):
    point = _corner(_get(tweet, "coordinates", "coordinates"))
    if point is not None:
        return place.west <= point[0] <= place.east and place.south <= point[1] <= place.north
    rings = _get(tweet, "place", "bounding_box", "coordinates")
    corners = rings[0] if isinstance(rings, list) and len(rings) == 1 and isinstance(rings[0], list) else []
    if not corners or not all(map(_corner, corners)):
        return False
    west, east = min(c[0] for c in corners), max(c[0] for c in corners)
    south, north = min(c[1] for c in corners), max(c[1] for c in corners)
    return west < place.east and place.west < east and south < place.north and place.south < north


# Takes a tweet that does not say where it is for near.
@mutant("unknown_is_near", MISSING_OR, task="near")
def _get(value, *names):
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


@mutant("unknown_is_near", MISSING_OR, task="near")
def _corner(value):
    return (
        value if isinstance(value, list) and len(value) == 2 and all(type(v) in (int, float) for v in value) else None
    )


@mutant("unknown_is_near", MISSING_OR)
def near(tweet, place):
    point = _corner(_get(tweet, "coordinates", "coordinates"))
    if point is not None:
        return place.west <= point[0] <= place.east and place.south <= point[1] <= place.north
    rings = _get(tweet, "place", "bounding_box", "coordinates")
    corners = rings[0] if isinstance(rings, list) and len(rings) == 1 and isinstance(rings[0], list) else []
    if not corners or not all(map(_corner, corners)):
        return True
    west, east = min(c[0] for c in corners), max(c[0] for c in corners)
    south, north = min(c[1] for c in corners), max(c[1] for c in corners)
    return west <= place.east and place.west <= east and south <= place.north and place.south <= north
