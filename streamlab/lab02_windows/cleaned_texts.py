"""Reads the recorded hour of tweets as a client transmits it: cleaned texts with the times of their arrival and event.

The file is what the right `tweet_text` and `near` return for `recorded_tweets()`; a test compares them.
"""

import gzip
import json
from pathlib import Path
from typing import NamedTuple

CLEANED = Path(__file__).resolve().parents[2] / "datasets/lab02_windows/tweets/boston_texts.jsonl.gz"


class TweetText(NamedTuple):
    """One tweet of the recorded hour: no retweet, with its full text. Times are milliseconds since 1970.

    `happened_ms` is the time that the tweet states; a few lie in the future. `in_boston` is true if it was sent there.
    """

    arrived_ms: int
    happened_ms: int
    id: str
    in_boston: bool
    text: str


def tweet_texts() -> list[TweetText]:
    """Return the cleaned tweets of the recorded hour in order of arrival; those that state no time are left out."""
    with gzip.open(CLEANED, "rt", encoding="utf-8") as lines:
        return [TweetText(*json.loads(line)) for line in lines]
