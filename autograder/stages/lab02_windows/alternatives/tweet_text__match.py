"""Patterns say which form a tweet has."""

import json


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
