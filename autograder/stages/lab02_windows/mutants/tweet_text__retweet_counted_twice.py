"""Gives the text of the tweet that was passed on, which is then counted twice."""

import json

KILLED_BY = ["a_retweet_has_no_text_of_its_own"]


def tweet_text(raw):
    try:
        tweet = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(tweet, dict):
        return None
    if isinstance(tweet.get("retweeted_status"), dict):
        tweet = tweet["retweeted_status"]
    extended = tweet.get("extended_tweet")
    holders = [(extended, "full_text"), (tweet, "full_text"), (tweet, "text")]
    text = next((each[name] for each, name in holders if isinstance(each, dict) and name in each), None)
    return text if isinstance(text, str) and text.strip() else None
