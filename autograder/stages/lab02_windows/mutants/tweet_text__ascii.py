"""Leaves out what is not ASCII."""

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
    holders = [(extended, "full_text"), (tweet, "full_text"), (tweet, "text")]
    text = next((each[name] for each, name in holders if isinstance(each, dict) and name in each), None)
    text = text.encode("ascii", "ignore").decode() if isinstance(text, str) else ""
    return text if text.strip() else None
