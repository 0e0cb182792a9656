"""Knows full_text, but not where a stream has it: in extended_tweet."""

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
    text = tweet.get("full_text", tweet.get("text"))
    return text if isinstance(text, str) and text.strip() else None
