"""Events rise and fade, two of them at Harvard; outages do not overlap."""

from itertools import pairwise
from random import Random

import pytest

from streamlab.sources.tweet_bursts import Burst, Script, write_script
from streamlab.sources.tweet_mix import FLAWLESS, USUAL, TweetMix
from streamlab.sources.tweet_venues import HARVARD, VENUES

BURST = Burst(HARVARD, "YardFlood", mood=-0.9, start_s=100, length_s=200, strength=0.6)
SEEDS = [str(seed) for seed in range(30)]


def script(seed: str, mix: TweetMix = USUAL, duration_s: float = 3600) -> Script:
    return write_script(Random(seed), mix, duration_s)


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


def test_a_burst_adds_to_the_rate_and_is_written_about_as_often_as_it_adds() -> None:
    one = Script(3600, (BURST,), (), {})
    rng = Random("about")
    about = [one.burst_at(130, rng) for _ in range(4000)]

    assert one.rate(130) == pytest.approx(1.6)
    assert about.count(BURST) / 4000 == pytest.approx(0.6 / 1.6, abs=0.03)
    assert one.burst_at(99, rng) is None


@pytest.mark.parametrize("seed", SEEDS)
def test_harvard_has_a_good_and_a_bad_event_far_apart(seed: str) -> None:
    first, second = script(seed).bursts[:2]

    assert (first.venue, second.venue) == (HARVARD, HARVARD)
    assert first.mood * second.mood < 0
    assert first.start_s + first.length_s < second.start_s


@pytest.mark.parametrize("seed", SEEDS)
def test_the_first_outage_begins_with_harvards_second_event_and_none_overlap(seed: str) -> None:
    several = script(seed, TweetMix(outages=4))
    outages = several.outages

    assert several.bursts[1].start_s in [outage.start_s for outage in outages]
    assert all(one.flushed_s <= other.start_s for one, other in pairwise(outages))
    assert outages[-1].flushed_s <= 3600


def test_events_come_as_often_as_asked_and_fit_a_short_stream() -> None:
    assert len(script("often", TweetMix(bursts_per_hour=12)).bursts) == 12
    assert script("none", TweetMix(bursts_per_hour=0)).bursts == ()
    assert all(burst.length_s <= 15 for burst in script("short", duration_s=60).bursts)


def test_without_events_an_outage_still_comes_and_without_outages_none() -> None:
    assert len(script("calm", TweetMix(bursts_per_hour=0)).outages) == 1
    assert script("calm", FLAWLESS).outages == ()


def test_of_many_events_just_the_running_ones_count() -> None:
    week = script("week", TweetMix(bursts_per_hour=20), duration_s=7 * 86_400)
    rates = {at_s: 1 + sum(burst.level(at_s) for burst in week.bursts) for at_s in range(0, 7 * 86_400, 50_000)}

    assert len(week.bursts) == 20 * 24 * 7
    assert all(week.rate(at_s) == pytest.approx(rate) for at_s, rate in rates.items())


@pytest.mark.parametrize("venue", VENUES, ids=lambda venue: venue.name)
def test_moods_swing_within_their_bounds(venue: object) -> None:
    calm = script("moods")
    moods = [calm.mood(venue, at_s) for at_s in range(0, 3600, 10)]  # type: ignore[arg-type]

    assert -1 <= min(moods) <= max(moods) <= 1
    assert max(moods) - min(moods) > 0.5
