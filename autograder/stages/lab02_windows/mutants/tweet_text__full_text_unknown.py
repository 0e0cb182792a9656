"""Knows extended_tweet, but not the full_text of a search."""

import json

KILLED_BY = ["the_text_is_the_whole_of_what_was_written"]


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
    text = extended.get("full_text", tweet.get("text")) if isinstance(extended, dict) else tweet.get("text")
    return text if isinstance(text, str) and text.strip() else None
