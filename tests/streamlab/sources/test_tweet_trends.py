"""Hashtags follow Zipf's law at each moment, and their ranks drift."""

from collections import Counter
from random import Random

import pytest

from streamlab.sources.tweet_trends import TAGS, Trends


def trends(skew: float = 1.1, drift: float = 1.0) -> Trends:
    return Trends(Random("trends"), skew, drift, duration_s=3600)


@pytest.mark.parametrize("at_s", [0, 1800, 3599.9, 3600])
def test_the_second_hashtag_is_half_as_popular_as_the_first_at_skew_1(at_s: float) -> None:
    rng, zipf = Random("picks"), trends(skew=1)
    counts = Counter(zipf.pick(rng, at_s) for _ in range(20_000))
    first, second = zipf.leaders(at_s, 2)

    assert 1.8 < counts[first] / counts[second] < 2.2


def test_leaders_drift() -> None:
    drifting = trends()
    start, end = drifting.leaders(0, 10), drifting.leaders(3599, 10)

    assert start == list(TAGS[:10])
    assert start != end
    assert 0 < len(set(start) & set(end)) < 10


def test_without_drift_leaders_stay() -> None:
    assert trends(drift=0).leaders(0, 10) == trends(drift=0).leaders(3599, 10)


def test_a_stronger_drift_changes_more() -> None:
    kept = [len(set(trends(drift=drift).leaders(3599, 20)) & set(TAGS[:20])) for drift in (0, 0.5, 4)]

    assert kept == sorted(kept, reverse=True)
    assert kept[0] > kept[1] > kept[2]


def test_no_hashtag_is_there_twice_whatever_its_case() -> None:
    assert len({tag.casefold() for tag in TAGS}) == len(TAGS)
