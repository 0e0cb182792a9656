"""Gives a text that is blank."""

import json

KILLED_BY = ["what_is_missing_blank_or_no_string_is_no_text"]


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
    return text if isinstance(text, str) else None
