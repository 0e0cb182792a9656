"""Looks in one place after another."""

import json


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
