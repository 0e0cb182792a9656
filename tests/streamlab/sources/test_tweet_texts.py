"""What is written over an hour tells its events: hashtags drift, and events make hashtags and moods rise and fall."""

import json
import random
import re
from collections import Counter
from dataclasses import replace

import pytest
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from streamlab.sources.tweet_bursts import GOOD_NEWS, write_script
from streamlab.sources.tweet_mix import FLAWLESS
from streamlab.sources.tweets import START_MS, tweets


@pytest.fixture(scope="module")
def hour() -> list[tuple[float, str]]:
    """Minutes and texts of an hour without flaws."""
    parsed = [json.loads(line) for line in tweets("boston", 12_000, replace(FLAWLESS, retweet_rate=0))]
    texts = [tweet.get("extended_tweet", tweet) for tweet in parsed]
    whole = [text.get("full_text") or text["text"] for text in texts]
    return [((int(tweet["timestamp_ms"]) - START_MS) / 60_000, text) for tweet, text in zip(parsed, whole, strict=True)]


def tags_between(hour: list[tuple[float, str]], start: float, end: float) -> Counter[str]:
    return Counter(
        tag.casefold() for minute, text in hour if start <= minute < end for tag in re.findall(r"#(\w+)", text)
    )


def test_hashtags_drift_over_the_hour(hour: list[tuple[float, str]]) -> None:
    first, last = (tags_between(hour, start, start + 10) for start in (0, 50))

    assert [tag for tag, _ in first.most_common(5)] != [tag for tag, _ in last.most_common(5)]
    assert first["boston"] / first.total() > 2 * last["boston"] / last.total()


def test_an_event_makes_its_hashtag_and_its_mood_rise_and_both_fall_again(hour: list[tuple[float, str]]) -> None:
    script = write_script(random.Random("boston/tweets/script"), FLAWLESS, 3600)
    analyzer = SentimentIntensityAnalyzer()
    for event in script.bursts[:2]:
        start, end = event.start_s / 60, (event.start_s + event.length_s) / 60
        before, during, after = (
            tags_between(hour, *span)[event.tag.casefold()] for span in ((0, start), (start, end), (end, 60))
        )
        middle = (start + end) / 2
        moods = [
            analyzer.polarity_scores(text)["compound"]
            for minute, text in hour
            if abs(minute - middle) < 4 and re.search(r"\bharvard\b", text.casefold())
        ]

        assert (before, after) == (0, 0)
        assert during > 50
        assert (sum(moods) / len(moods) > 0.25) == (event.tag == GOOD_NEWS["Harvard"])
        assert abs(sum(moods) / len(moods)) > 0.15
