"""The given texts are what the right functions return for the recorded hour."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from autograder.stages.lab02_windows.tweets import oracle
from streamlab.lab02_windows import BOSTON, recorded_tweets, tweet_arrivals, tweet_texts

LINES = 6000


def cleaned() -> Iterator[tuple[int, int, str, bool, str]]:
    """Yield the fields of each text, by the definition of the tasks `tweet_text` and `near`."""
    for arrived_ms, line in tweet_arrivals("boston", LINES):
        text = oracle.tweet_text(line)
        tweet: dict[str, Any] = json.loads(line) if text is not None else {}
        happened = str(tweet.get("timestamp_ms"))
        if text is not None and happened.isdecimal():
            yield arrived_ms, int(happened), tweet["id_str"], oracle.near(tweet, asdict(BOSTON)), text


def test_the_texts_are_those_of_the_right_functions() -> None:
    assert [tuple(each) for each in tweet_texts()] == list(cleaned())


def test_the_arrivals_are_those_of_the_recorded_hour() -> None:
    assert [line for _, line in tweet_arrivals("boston", LINES)] == list(recorded_tweets())
