"""Gives a line that is no JSON as a text."""

import json

KILLED_BY = ["a_line_that_is_no_object_has_no_text"]


def tweet_text(raw):
    try:
        tweet = json.loads(raw)
    except (ValueError, RecursionError):
        return raw.strip() or None
    if not isinstance(tweet, dict):
        return None
    if isinstance(tweet.get("retweeted_status"), dict):
        return None
    extended = tweet.get("extended_tweet")
    holders = [(extended, "full_text"), (tweet, "full_text"), (tweet, "text")]
    text = next((each[name] for each, name in holders if isinstance(each, dict) and name in each), None)
    return text if isinstance(text, str) and text.strip() else None
