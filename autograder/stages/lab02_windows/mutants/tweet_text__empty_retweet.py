"""Takes an original that is an empty object for none."""

import json

KILLED_BY = ["a_retweet_has_no_text_of_its_own"]


def tweet_text(raw):
    try:
        tweet = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(tweet, dict):
        return None
    if tweet.get("retweeted_status"):
        return None
    extended = tweet.get("extended_tweet")
    holders = [(extended, "full_text"), (tweet, "full_text"), (tweet, "text")]
    text = next((each[name] for each, name in holders if isinstance(each, dict) and name in each), None)
    return text if isinstance(text, str) and text.strip() else None
