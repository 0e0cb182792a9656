"""Other correct solutions of `tweet_text` and `near`; each must get full marks."""

import json

from autograder.checks.mutant_markers import alternative


# Matches the forms of a tweet with patterns.
@alternative("match")
def tweet_text(raw):
    try:
        tweet = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    match tweet:
        case {"retweeted_status": dict()}:
            return None
        case {"extended_tweet": {"full_text": str()}}:
            text = tweet["extended_tweet"]["full_text"]
        case {"full_text": str(text)} | {"text": str(text)}:
            pass
        case _:
            return None
    return text if text.strip() else None


# Looks in one place after another.
@alternative("one_after_another")
def tweet_text(raw):
    try:
        tweet = json.loads(raw)
    except Exception:
        return None
    if type(tweet) is not dict or type(tweet.get("retweeted_status")) is dict:
        return None
    places = [tweet.get("extended_tweet"), tweet, {"full_text": tweet.get("text")}]
    for place in places:
        text = place.get("full_text") if type(place) is dict else None
        if type(text) is str:
            return None if text == "" or text.isspace() else text
    return None


def _numbers(values):
    longitude, latitude = values
    if isinstance(longitude, bool) or isinstance(latitude, bool) or isinstance(values, str):
        raise TypeError("no degrees")
    return longitude + 0.0, latitude + 0.0


# Reads the fields as they should be, and treats every error as a missing field.
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
    apart = east < place.west or place.east < west or north < place.south or place.north < south
    return not apart
