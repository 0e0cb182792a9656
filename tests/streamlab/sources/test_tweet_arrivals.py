"""Lines arrive as the events say, and tweets were written before they arrive, some of them long before."""

from itertools import pairwise
from random import Random

import pytest

from streamlab.sources.tweet_arrivals import Arrivals, Clock
from streamlab.sources.tweet_bursts import SHARE_HELD, Burst, Outage, Script
from streamlab.sources.tweet_mix import FLAWLESS, TweetMix
from streamlab.sources.tweet_venues import HARVARD

CALM = Script(3600, (), (), {})
ON_TIME = TweetMix(late_rate=0, delay_max_s=1)


def arrivals(script: Script = CALM, mix: TweetMix = ON_TIME) -> Arrivals:
    return Arrivals(Random("arrivals"), script, mix)


def test_a_clock_turns_amounts_into_times_and_back() -> None:
    clock = Clock([1, 3], duration_s=20)

    assert clock.total == 40
    assert [clock.time_s(amount) for amount in (0, 5, 10, 25, 40)] == [0, 5, 10, 15, 20]
    assert [clock.amount(at_s) for at_s in (0, 5, 10, 15, 20)] == [0, 5, 10, 25, 40]


@pytest.mark.parametrize("count", [0, 1, 2, 1000])
def test_there_are_as_many_arrivals_as_asked_in_order_and_within_the_stream(count: int) -> None:
    times_s = list(arrivals().times_s(count))

    assert len(times_s) == count
    assert times_s == sorted(times_s)
    assert all(0 <= at_s <= 3600 for at_s in times_s)


def test_gaps_are_those_of_a_poisson_process() -> None:
    times_s = list(arrivals().times_s(20_000))
    gaps_s = [later - earlier for earlier, later in pairwise(times_s)]
    mean_s = sum(gaps_s) / len(gaps_s)

    # Exponential: the standard deviation is the mean, and a share of 1 / e is longer than it.
    assert (sum((gap - mean_s) ** 2 for gap in gaps_s) / len(gaps_s)) ** 0.5 == pytest.approx(mean_s, rel=0.05)
    assert sum(gap > mean_s for gap in gaps_s) / len(gaps_s) == pytest.approx(0.368, abs=0.02)


def test_more_arrive_while_something_happens() -> None:
    burst = Burst(HARVARD, "CrimsonWins", 0.9, start_s=1000, length_s=900, strength=1.0)
    times_s = list(arrivals(Script(3600, (burst,), (), {})).times_s(20_000))
    during, before = (sum(start <= at_s < start + 900 for at_s in times_s) for start in (1000, 0))

    assert during / before == pytest.approx(1.5, rel=0.05)  # the burst's mean level is half of its peak


def test_a_tweet_that_is_on_time_was_written_up_to_a_second_ago() -> None:
    some = arrivals()
    delays_s = [100 - some.written_s(100) for _ in range(5000)]

    assert 0 <= min(delays_s) < 0.01
    assert 0.99 < max(delays_s) <= 1


def test_late_tweets_are_as_many_and_as_late_as_the_mix_says() -> None:
    some = arrivals(mix=TweetMix(late_rate=0.1, late_min_s=5, late_max_s=300))
    delays_s = [1000 - some.written_s(1000) for _ in range(20_000)]
    late_s = [delay for delay in delays_s if delay >= 5]

    assert len(late_s) / len(delays_s) == pytest.approx(0.1, abs=0.01)
    assert max(late_s) <= 300
    assert sum(delay < 38.7 for delay in late_s) / len(late_s) == pytest.approx(0.5, abs=0.05)  # the geometric mean


def test_nothing_was_written_before_the_stream_began() -> None:
    some = arrivals(mix=TweetMix(late_rate=1, late_min_s=100))

    assert all(0 <= some.written_s(at_s) <= at_s for at_s in (0, 0.5, 50, 99) for _ in range(200))


def test_a_flawless_stream_arrives_as_it_is_written() -> None:
    some = arrivals(mix=FLAWLESS)

    assert [some.written_s(at_s) for at_s in (0, 1.5, 3600)] == [0, 1.5, 3600]


def test_an_outage_holds_tweets_back_and_loses_none() -> None:
    outage = Outage(start_s=1000, end_s=1300, flushed_s=1375)
    some = arrivals(Script(3600, (), (outage,), {}))
    arrived_s = list(some.times_s(36_000))
    written_s = [some.written_s(at_s) for at_s in arrived_s]

    arrived_in_it = sum(1000 <= at_s < 1300 for at_s in arrived_s)
    written_in_it = sum(1000 <= at_s < 1300 for at_s in written_s)
    arrived_after = sum(1300 <= at_s < 1375 for at_s in arrived_s)
    assert arrived_in_it == pytest.approx(3000 * (1 - SHARE_HELD), rel=0.1)
    assert written_in_it == pytest.approx(3000, rel=0.05)
    assert arrived_after == pytest.approx(750 + 3000 * SHARE_HELD, rel=0.05)
