"""Events rise and fade, outages delay tweets, hashtags drift, and lines arrive as a Poisson process."""

from collections import Counter
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from streamlab.lab02_windows import tweet_timeline
from streamlab.lab02_windows.tweet_timeline import NEWS, SHARE_HELD, TAGS, Arrivals, Burst, Script, Trends, TweetMix

BURST = Burst("Harvard", "YardFlood", mood=-0.9, start_s=100, length_s=200, strength=0.6)
CALM = Script(3600, (), (), {})
ON_TIME = TweetMix(late_rate=0, delay_max_s=1)
SEEDS = [str(seed) for seed in range(30)]


def script(seed: str, mix: TweetMix = tweet_timeline.USUAL, duration_s: float = 3600) -> Script:
    return tweet_timeline.write_script(Random(seed), mix, duration_s)


def at_harvard(script: Script) -> list[Burst]:
    return [burst for burst in script.bursts if burst.venue == "Harvard"]


def arrivals(script: Script = CALM, mix: TweetMix = ON_TIME) -> Arrivals:
    return Arrivals(Random("arrivals"), script, mix)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"late_rate": 1.5}, "late_rate must be a number in 0 … 1, got 1.5"),
        ({"retweet_rate": -0.1}, "retweet_rate must be a number in 0 … 1"),
        ({"boston_share": float("nan")}, "boston_share must be a number in 0 … 1, got nan"),
        ({"future_rate": "often"}, "future_rate must be a number in 0 … 1, got 'often'"),
        ({"long_rate": True}, "long_rate must be a number"),
        ({"notice_rate": 0.5, "malformed_rate": 0.4, "duplicate_rate": 0.2}, "must be at most 1, got 1.1"),
        ({"point_rate": 0.6, "box_rate": 0.6}, "point_rate [+] box_rate must be at most 1"),
        ({"late_min_s": 10, "late_max_s": 5}, "late_min_s must be in"),
        ({"late_min_s": 0}, "late_min_s must be in"),
        ({"drift": -1}, "drift must be a number in 0 … 1000000, got -1"),
        ({"bursts_per_hour": float("inf")}, "bursts_per_hour must be a number in 0 … 1000, got inf"),
        ({"outages": 101}, "outages must be a whole number in 0 … 100, got 101"),
        ({"outages": 1.5}, "outages must be a whole number"),
    ],
)
def test_a_mix_out_of_range_is_rejected(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TweetMix(**arguments)


@pytest.mark.parametrize(
    ("at_s", "level"),
    [
        (99.9, 0),
        (100, 0),
        (115, 0.3),
        (130, 0.6),  # the peak, after 15 % of its length
        (215, 0.3),
        (300, 0),  # half-open
    ],
)
def test_a_burst_rises_fast_and_fades_slowly(at_s: float, level: float) -> None:
    assert BURST.level(at_s) == pytest.approx(level)


def test_a_burst_raises_the_rate_and_gets_the_matching_share_of_tweets() -> None:
    one = Script(3600, (BURST,), (), {})
    rng = Random("about")
    about = [one.burst_at(130, rng) for _ in range(4000)]

    assert one.rate(130) == pytest.approx(1.6)
    assert about.count(BURST) / 4000 == pytest.approx(0.6 / 1.6, abs=0.03)
    assert one.burst_at(99, rng) is None


def test_harvard_has_a_good_and_a_bad_event_far_apart() -> None:
    for first, second in (at_harvard(script(seed)) for seed in SEEDS):
        assert first.mood * second.mood < 0
        assert first.start_s + first.length_s < second.start_s


def test_the_first_outage_begins_with_harvards_second_event_and_none_overlap() -> None:
    for several in (script(seed, TweetMix(outages=4)) for seed in SEEDS):
        outages = several.outages

        assert at_harvard(several)[1].start_s in [outage.start_s for outage in outages]
        assert all(one.flushed_s <= other.start_s for one, other in pairwise(outages))
        assert outages[-1].flushed_s <= 3600


def test_events_have_the_requested_rate_and_fit_a_short_stream() -> None:
    assert len(script("often", TweetMix(bursts_per_hour=12)).bursts) == 12
    assert script("none", TweetMix(bursts_per_hour=0)).bursts == ()
    assert all(burst.length_s <= 15 for burst in script("short", duration_s=60).bursts)


def test_an_outage_does_not_need_an_event() -> None:
    assert len(script("calm", TweetMix(bursts_per_hour=0)).outages) == 1
    assert script("calm", tweet_timeline.FLAWLESS).outages == ()


def test_only_current_events_affect_the_rate() -> None:
    week = script("week", TweetMix(bursts_per_hour=20), duration_s=7 * 86_400)
    rates = {at_s: 1 + sum(burst.level(at_s) for burst in week.bursts) for at_s in range(0, 7 * 86_400, 50_000)}

    assert len(week.bursts) == 20 * 24 * 7
    assert all(week.rate(at_s) == pytest.approx(rate) for at_s, rate in rates.items())


def test_moods_vary_within_their_bounds() -> None:
    calm = script("moods")
    for venue in NEWS:
        moods = [calm.mood(venue, at_s) for at_s in range(0, 3600, 10)]

        assert -1 <= min(moods) <= max(moods) <= 1
        assert max(moods) - min(moods) > 0.5


def test_gaps_are_exponential_as_in_a_poisson_process() -> None:
    times_s = list(arrivals().times_s(20_000))
    gaps_s = [later - earlier for earlier, later in pairwise(times_s)]
    mean_s = sum(gaps_s) / len(gaps_s)

    # Exponential: the standard deviation is the mean, and a share of 1 / e is longer than it.
    assert (sum((gap - mean_s) ** 2 for gap in gaps_s) / len(gaps_s)) ** 0.5 == pytest.approx(mean_s, rel=0.05)
    assert sum(gap > mean_s for gap in gaps_s) / len(gaps_s) == pytest.approx(0.368, abs=0.02)


def test_more_lines_arrive_during_an_event() -> None:
    burst = Burst("Harvard", "CrimsonWins", 0.9, start_s=1000, length_s=900, strength=1.0)
    times_s = list(arrivals(Script(3600, (burst,), (), {})).times_s(20_000))
    during, before = (sum(start <= at_s < start + 900 for at_s in times_s) for start in (1000, 0))

    assert during / before == pytest.approx(1.5, rel=0.05)  # the burst's mean level is half of its peak


def test_a_punctual_tweet_arrives_within_a_second() -> None:
    stream = arrivals()
    delays_s = [100 - stream.written_s(100) for _ in range(5000)]

    assert 0 <= min(delays_s) < 0.01
    assert 0.99 < max(delays_s) <= 1


def test_late_tweets_have_the_share_and_delays_of_the_mix() -> None:
    stream = arrivals(mix=TweetMix(late_rate=0.1, late_min_s=5, late_max_s=300))
    delays_s = [1000 - stream.written_s(1000) for _ in range(20_000)]
    late_s = [delay for delay in delays_s if delay >= 5]

    assert len(late_s) / len(delays_s) == pytest.approx(0.1, abs=0.01)
    assert max(late_s) <= 300
    assert sum(delay < 38.7 for delay in late_s) / len(late_s) == pytest.approx(0.5, abs=0.05)  # the geometric mean


def test_no_tweet_is_written_before_the_stream_begins() -> None:
    stream = arrivals(mix=TweetMix(late_rate=1, late_min_s=100))

    assert all(0 <= stream.written_s(at_s) <= at_s for at_s in (0, 0.5, 50, 99) for _ in range(200))


def test_an_outage_delays_tweets_and_loses_none() -> None:
    outage = tweet_timeline.Outage(start_s=1000, end_s=1300, flushed_s=1375)
    stream = arrivals(Script(3600, (), (outage,), {}))
    arrived_s = list(stream.times_s(36_000))
    written_s = [stream.written_s(at_s) for at_s in arrived_s]

    arrived_in_it = sum(1000 <= at_s < 1300 for at_s in arrived_s)
    written_in_it = sum(1000 <= at_s < 1300 for at_s in written_s)
    arrived_after = sum(1300 <= at_s < 1375 for at_s in arrived_s)
    assert arrived_in_it == pytest.approx(3000 * (1 - SHARE_HELD), rel=0.1)
    assert written_in_it == pytest.approx(3000, rel=0.05)
    assert arrived_after == pytest.approx(750 + 3000 * SHARE_HELD, rel=0.05)


def trends(skew: float = 1.1, drift: float = 1.0) -> Trends:
    return Trends(Random("trends"), TweetMix(tag_skew=skew, drift=drift), duration_s=3600)


@pytest.mark.parametrize("at_s", [0, 1800, 3599.9, 3600])
def test_at_skew_1_the_second_hashtag_is_half_as_popular_as_the_first(at_s: float) -> None:
    rng, zipf = Random("picks"), trends(skew=1)
    counts = Counter(zipf.pick(rng, at_s) for _ in range(20_000))
    first, second = zipf.ranked(at_s)[:2]

    assert 1.8 < counts[first] / counts[second] < 2.2


def test_a_stronger_drift_keeps_fewer_top_hashtags_and_no_drift_keeps_all() -> None:
    assert trends().ranked(0) == list(TAGS)
    assert trends(drift=0).ranked(3599) == list(TAGS)
    kept = [len(set(trends(drift=drift).ranked(3599)[:20]) & set(TAGS[:20])) for drift in (0, 0.5, 4)]
    assert kept[0] > kept[1] > kept[2]


def test_hashtags_are_unique_regardless_of_case() -> None:
    assert len({tag.casefold() for tag in TAGS}) == len(TAGS)
