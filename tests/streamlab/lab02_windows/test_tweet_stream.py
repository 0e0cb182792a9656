"""The stream as a whole: the same bytes every time, and the shares of the mix."""

import itertools
import json
import os
import random
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from streamlab.lab02_windows.tweet_stream import ID_EPOCH_MS, START_MS, created_at, tweet_arrivals, tweets
from streamlab.lab02_windows.tweet_timeline import FLAWLESS, USUAL, TweetMix
from tests.streamlab.lab02_windows.tweet_schema import line_kind, schema_errors

ROOT = Path(__file__).resolve().parents[3]
COUNT = 20_000
LARGE = replace(USUAL, future_rate=0.01, bursts_per_hour=0, outages=0)  # for measuring the shares


def written_ms(tweet: dict[str, Any]) -> int:
    """Return the time when a tweet was written, from its id; its date may be wrong."""
    return (tweet["id"] >> 22) + ID_EPOCH_MS


def ahead_ms(tweet: dict[str, Any]) -> int:
    """Return how far a tweet's date is ahead of the time when it was written."""
    return int(tweet["timestamp_ms"]) - written_ms(tweet)


def share(count: float, of: float) -> Any:
    """Return an approximation that equals a share within 4.5 standard deviations of the expected one."""
    return pytest.approx(count, abs=4.5 * (count * (1 - count) / of) ** 0.5)


@pytest.fixture(scope="module")
def arrivals() -> list[tuple[int, str]]:
    return list(tweet_arrivals("shares", COUNT, LARGE))


@pytest.fixture(scope="module")
def once(arrivals: list[tuple[int, str]]) -> dict[str, tuple[int, dict[str, Any]]]:
    """Return its tweets without duplicates: line -> (time of arrival, object)."""
    return {line: (at_ms, json.loads(line)) for at_ms, line in reversed(arrivals) if line_kind(line) == "tweet"}


@pytest.fixture(scope="module")
def good(once: dict[str, tuple[int, dict[str, Any]]]) -> list[tuple[int, dict[str, Any]]]:
    """Return the tweets whose fields are all as documented: (time of arrival, object)."""
    return [tweet for line, tweet in once.items() if not schema_errors(line)]


def test_the_bytes_do_not_depend_on_the_process_or_its_locale() -> None:
    program = "from streamlab.lab02_windows import tweets\nfor line in tweets('bytes', 200): print(ascii(line))"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "2", "LC_ALL": "C", "TZ": "Asia/Tokyo"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)

    assert done.stdout.splitlines() == [ascii(line) for line in tweets("bytes", 200)]


def test_streams_do_not_affect_each_other_or_the_global_random_state() -> None:
    random.seed(1)
    undisturbed = random.random()
    random.seed(1)
    pairs = list(zip(tweets("a", 50), tweets("b", 50), strict=True))

    assert random.random() == undisturbed
    assert [a for a, _ in pairs] == list(tweets("a", 50))
    assert [b for _, b in pairs] == list(tweets("b", 50))


def test_every_argument_changes_the_stream() -> None:
    others = ({}, {"seed": "two"}, {"mix": FLAWLESS}, {"duration_s": 60.0}, {"start_ms": START_MS + 1000})

    assert len({tuple(tweets(**{"seed": "one", "count": 50, **other})) for other in others}) == len(others)


def test_tweets_are_the_lines_of_the_arrivals() -> None:
    assert list(tweets("both", 100)) == [line for _, line in tweet_arrivals("both", 100)]


def test_a_stream_is_generated_lazily() -> None:
    assert len(list(itertools.islice(tweets("endless", 10**12), 10))) == 10


@pytest.mark.parametrize("count", [0, 7])
def test_the_stream_has_the_requested_number_of_lines(count: int) -> None:
    assert len(list(tweets("count", count))) == count


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seed": 1}, "seed must be a text"),
        ({"seed": "\udcff"}, "seed must be a text that UTF-8 can hold"),
        ({"count": -1}, "count must be a whole number of lines, 0 or more, got -1"),
        ({"count": 1.5}, "count must be a whole number"),
        ({"duration_s": 0}, "duration_s must be in 0.001 … 604800 seconds, got 0"),
        ({"duration_s": float("nan")}, "duration_s must be in"),
        ({"duration_s": 1e12}, "duration_s must be in"),
        ({"start_ms": 0}, "start_ms must be whole ms since 1970"),
        ({"start_ms": 1.5e12}, "start_ms must be whole ms"),
    ],
)
def test_invalid_arguments_are_rejected_at_the_call(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        tweets(**{"seed": "bad", "count": 1, **arguments})


def test_lines_arrive_in_order_within_the_stream(arrivals: list[tuple[int, str]]) -> None:
    times_ms = [at_ms for at_ms, _ in arrivals]

    assert times_ms == sorted(times_ms)
    assert times_ms[0] >= START_MS
    assert times_ms[-1] <= START_MS + 3_600_000


def test_every_line_can_be_sent_as_one_line(arrivals: list[tuple[int, str]]) -> None:
    assert not any("\n" in line or "\r" in line for _, line in arrivals)
    assert all(line.encode() or not line for _, line in arrivals)


def test_each_kind_of_line_has_the_share_of_the_mix(
    arrivals: list[tuple[int, str]], once: dict[str, Any], good: list[tuple[int, dict[str, Any]]]
) -> None:
    kinds = Counter(line_kind(line) for _, line in arrivals)
    duplicates = kinds["tweet"] - len(once)
    counted = {"notice_rate": kinds["notice"], "malformed_rate": kinds["malformed"], "duplicate_rate": duplicates}

    for name, count in counted.items():
        assert count / COUNT == share(getattr(LARGE, name), COUNT), name
    assert 1 - len(good) / len(once) == share(LARGE.field_fault_rate, len(once))


def test_each_kind_of_tweet_has_the_share_of_the_mix(good: list[tuple[int, dict[str, Any]]]) -> None:
    own = [tweet for _, tweet in good if "retweeted_status" not in tweet]
    placed = [tweet["place"] for tweet in own if tweet["place"]]
    in_boston = [place for place in placed if -71.2 < place["bounding_box"]["coordinates"][0][0][0] < -70.9]
    settled_ms = [at_ms - written_ms(tweet) for at_ms, tweet in good if at_ms > START_MS + 300_000]
    counted = {
        "retweet_rate": (len(good) - len(own), len(good)),
        "long_rate": (sum(tweet["truncated"] for tweet in own), len(own)),
        "point_rate": (sum(tweet["coordinates"] is not None for tweet in own), len(own)),
        "box_rate": (sum(tweet["coordinates"] is None and tweet["place"] is not None for tweet in own), len(own)),
        "boston_share": (len(in_boston), len(placed)),
        "late_rate": (sum(delay_ms >= 5000 for delay_ms in settled_ms), len(settled_ms)),
        "future_rate": (sum(ahead_ms(tweet) > 0 for _, tweet in good), len(good)),
    }

    for name, (count, of) in counted.items():
        assert count / of == share(getattr(LARGE, name), of), name
    assert all(tweet["place"] for tweet in own if tweet["coordinates"])


def test_a_duplicate_arrives_soon_after_its_original(arrivals: list[tuple[int, str]]) -> None:
    lines = [line for _, line in arrivals if line_kind(line) == "tweet"]
    first: dict[str, int] = {}
    distances = [number - first.setdefault(line, number) for number, line in enumerate(lines)]

    assert max(distances) < 300  # among the last 200 tweets, not counting duplicates


def test_delays_and_future_dates_are_in_their_ranges(good: list[tuple[int, dict[str, Any]]]) -> None:
    delays_ms = [at_ms - written_ms(tweet) for at_ms, tweet in good]
    future_ms = [ahead_ms(tweet) for _, tweet in good if ahead_ms(tweet)]

    assert 0 <= min(delays_ms) <= max(delays_ms) <= 300_001
    assert 60_000 <= min(future_ms) <= max(future_ms) <= 86_400_000


def test_both_dates_of_a_tweet_agree(good: list[tuple[int, dict[str, Any]]]) -> None:
    assert all(tweet["created_at"] == created_at(int(tweet["timestamp_ms"]) // 1000) for _, tweet in good)


def test_ids_are_unique(good: list[tuple[int, dict[str, Any]]]) -> None:
    assert len({tweet["id"] for _, tweet in good}) == len(good)


def test_a_retweet_is_written_after_its_original(good: list[tuple[int, dict[str, Any]]]) -> None:
    retweets = [tweet for _, tweet in good if "retweeted_status" in tweet]

    assert all(written_ms(tweet["retweeted_status"]) <= written_ms(tweet) for tweet in retweets)
    assert not any("retweeted_status" in tweet["retweeted_status"] for tweet in retweets)


def test_texts_contain_the_parts_that_make_cleaning_hard(good: list[tuple[int, dict[str, Any]]]) -> None:
    texts = [tweet["text"] for _, tweet in good]

    for part in ("\n", "&amp;", "https://t.co/", "://news.example/", "#1", "Straße", "東京", "👩‍🚀", "RT @", "…"):
        assert any(part in text for text in texts), part
    assert {tweet["lang"] for _, tweet in good} == {"en", "fr", "de", "pt", "ja"}


def test_hashtags_differ_in_case(good: list[tuple[int, dict[str, Any]]]) -> None:
    tags = {tag["text"] for _, tweet in good for tag in tweet["entities"]["hashtags"]}

    assert {"RedSox", "redsox", "REDSOX"} <= tags


def test_a_flawless_stream_has_only_valid_tweets_in_order_of_event_time() -> None:
    lines = list(tweets("flawless", 2000, FLAWLESS))
    parsed = [json.loads(line) for line in lines]
    times_ms = [int(tweet["timestamp_ms"]) for tweet in parsed]

    assert not any(schema_errors(line) for line in lines)
    assert times_ms == sorted(times_ms)
    assert len(set(lines)) == 2000


@pytest.mark.parametrize("only", ["notice_rate", "duplicate_rate"])  # either kind needs a tweet before it
def test_a_stream_of_only_notices_or_duplicates_still_starts_with_a_tweet(only: str) -> None:
    none_else: dict[str, Any] = {"notice_rate": 0, "malformed_rate": 0, "duplicate_rate": 0}
    lines = list(tweets("one kind", 20, TweetMix(**none_else | {only: 1})))

    assert line_kind(lines[0]) == "tweet"
    assert len({line for line in lines if line_kind(line) == "tweet"}) == 1


@pytest.mark.parametrize("duration_s", [0.001, 1.0, 7 * 86_400.0])
def test_very_short_and_very_long_streams_work(duration_s: float) -> None:
    stream = list(tweet_arrivals("length", 300, duration_s=duration_s))

    assert len(stream) == 300
    assert stream[-1].arrival_ms <= START_MS + duration_s * 1000
