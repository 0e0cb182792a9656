"""Other right solutions of `tweet_text`, `near`; each must get full marks."""

import json

from autograder.verify.marks import alternative


# Takes the fields as they should be, and whatever goes wrong for a sign that they are not there.
@alternative("asks_forgiveness", task="near")
def _numbers(values):
    longitude, latitude = values
    if isinstance(longitude, bool) or isinstance(latitude, bool) or isinstance(values, str):
        raise TypeError("no degrees")
    return longitude + 0.0, latitude + 0.0


# Takes the fields as they should be, and whatever goes wrong for a sign that they are not there.
@alternative("asks_forgiveness")
def near(tweet, place):
    try:
        longitude, latitude = _numbers(tweet["coordinates"]["coordinates"])
    except (TypeError, KeyError, ValueError, AttributeError):
        pass
    else:
        return place.west <= longitude <= place.east and place.south <= latitude <= place.north
    try:
        [ring] = tweet["place"]["bounding_box"]["coordinates"]
        corners = [_numbers(corner) for corner in ring]
        west, east = min(c[0] for c in corners), max(c[0] for c in corners)
        south, north = min(c[1] for c in corners), max(c[1] for c in corners)
    except (TypeError, KeyError, ValueError, AttributeError):
        return False
    beside = east < place.west or place.east < west or north < place.south or place.north < south
    return not beside


# Two intervals that meet, once for longitudes and once for latitudes; a point is a box of one corner.
@alternative("intervals", task="near")
def _degrees(value):
    return type(value) in (int, float)


# Two intervals that meet, once for longitudes and once for latitudes; a point is a box of one corner.
@alternative("intervals", task="near")
def _corner(value):
    return isinstance(value, list) and len(value) == 2 and _degrees(value[0]) and _degrees(value[1])


# Two intervals that meet, once for longitudes and once for latitudes; a point is a box of one corner.
@alternative("intervals", task="near")
def _get(value, *names):
    for name in names:
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value


# Two intervals that meet, once for longitudes and once for latitudes; a point is a box of one corner.
@alternative("intervals")
def near(tweet, place):
    point = _get(tweet, "coordinates", "coordinates")
    rings = _get(tweet, "place", "bounding_box", "coordinates")
    if _corner(point):
        corners = [point]
    elif isinstance(rings, list) and len(rings) == 1 and isinstance(rings[0], list) and all(map(_corner, rings[0])):
        corners = rings[0]
    else:
        corners = []
    if not corners:
        return False
    longitudes, latitudes = zip(*corners, strict=True)
    meets_longitudes = min(longitudes) <= place.east and place.west <= max(longitudes)
    return meets_longitudes and min(latitudes) <= place.north and place.south <= max(latitudes)


# Patterns say which form a tweet has.
@alternative("match")
def tweet_text(raw):
    try:
        tweet = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    match tweet:
        case {"retweeted_status": dict()}:
            return None
        case {"extended_tweet": {"full_text": text}} | {"full_text": text} | {"text": text}:
            return text if isinstance(text, str) and text.strip() else None
        case _:
            return None


# Looks in one place after another.
@alternative("one_after_another")
def tweet_text(raw):
    try:
        tweet = json.loads(raw)
    except Exception:
        return None
    if type(tweet) is not dict or type(tweet.get("retweeted_status")) is dict:
        return None
    extended = tweet.get("extended_tweet")
    places = [tweet.get("full_text"), tweet.get("text")]
    if isinstance(extended, dict):
        places.insert(0, extended.get("full_text"))
    for text in places:
        if text is not None:
            return text if isinstance(text, str) and not (text == "" or text.isspace()) else None
    return None
