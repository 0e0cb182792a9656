"""The measured mood of sentences follows the requested mood, and an hour's texts reflect its events."""

import json
import random
import re
from collections import Counter
from dataclasses import replace

import pytest
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from streamlab.lab02_windows.tweet_content import BAD, DECOYS, EMOJI, GOOD, PLAIN, VENUES, sentence
from streamlab.lab02_windows.tweet_stream import START_MS, entities, tweets
from streamlab.lab02_windows.tweet_timeline import FLAWLESS, NEWS, write_script

ANALYZER = SentimentIntensityAnalyzer()


def mood_of(text: str) -> float:
    return ANALYZER.polarity_scores(text)["compound"]


def mean_mood(mood: float, rng: random.Random) -> float:
    return sum(mood_of(sentence(rng, "Harvard", mood)) for _ in range(400)) / 400


def test_the_lexicon_rates_good_words_positive_and_bad_words_negative() -> None:
    assert all(ANALYZER.lexicon[word] > 0 for word in GOOD)
    assert all(ANALYZER.lexicon[word] < 0 for word in BAD)
    assert all(word.isalpha() and word == word.casefold() for word in GOOD + BAD)


def test_plain_sentences_have_no_mood() -> None:
    assert [mood_of(plain.format(place="Harvard")) for plain in PLAIN] == [0] * len(PLAIN)


def test_a_better_mood_gives_better_sentences() -> None:
    measured = [mean_mood(mood, random.Random(f"mood {mood}")) for mood in (-1, -0.5, 0, 0.5, 1)]

    assert measured == sorted(measured)
    assert measured[0] < -0.4
    assert abs(measured[2]) < 0.1
    assert measured[4] > 0.4


def test_a_decoy_is_not_a_hashtag() -> None:
    assert [decoy for decoy in (*DECOYS, *EMOJI) if entities(f"so {decoy} there")["hashtags"]] == []


def test_every_venue_has_news() -> None:
    assert list(VENUES) == list(NEWS)


@pytest.fixture(scope="module")
def hour() -> list[tuple[float, str]]:
    """Return the minute and text of each tweet in an hour without faults."""
    parsed = [json.loads(line) for line in tweets("boston", 8000, replace(FLAWLESS, retweet_rate=0))]
    texts = [tweet.get("extended_tweet", tweet) for tweet in parsed]
    whole = [text.get("full_text") or text["text"] for text in texts]
    return [((int(tweet["timestamp_ms"]) - START_MS) / 60_000, text) for tweet, text in zip(parsed, whole, strict=True)]


def tags_between(hour: list[tuple[float, str]], start: float, end: float) -> Counter[str]:
    texts = (text for minute, text in hour if start <= minute < end)
    return Counter(tag.casefold() for text in texts for tag in re.findall(r"#(\w+)", text))


def test_hashtags_drift_over_the_hour(hour: list[tuple[float, str]]) -> None:
    first, last = (tags_between(hour, start, start + 10) for start in (0, 50))

    assert [tag for tag, _ in first.most_common(5)] != [tag for tag, _ in last.most_common(5)]
    assert first["boston"] / first.total() > 2 * last["boston"] / last.total()


def test_an_event_raises_and_then_lowers_its_hashtag_and_its_mood(hour: list[tuple[float, str]]) -> None:
    script = write_script(random.Random("boston/tweets/script"), FLAWLESS, 3600)
    events = [event for event in script.bursts if event.venue == "Harvard"]
    for event in events:
        start, end = event.start_s / 60, (event.start_s + event.length_s) / 60
        spans = (0, start), (start, end), (end, 60)
        before, during, after = (tags_between(hour, *span)[event.tag.casefold()] for span in spans)
        near = [text for minute, text in hour if abs(minute - (start + end) / 2) < 4]
        moods = [mood_of(text) for text in near if re.search(r"\bharvard\b", text.casefold())]

        assert (before, after) == (0, 0)
        assert during > 50
        assert (sum(moods) / len(moods) > 0.25) == (event.mood > 0)
        assert abs(sum(moods) / len(moods)) > 0.15
    assert [event.tag for event in events] == ["CrimsonWins", "YardFlood"]
