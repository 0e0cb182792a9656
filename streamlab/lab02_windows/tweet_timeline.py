"""The events during a stream of tweets, and the arrival times of its lines.

`TweetMix` defines how often each kind of event happens, `write_script` draws the events, `Trends` lets hashtags drift,
and `Arrivals` draws the times of arrival and of writing.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import accumulate
from math import ceil, log, sqrt
from operator import attrgetter
from random import Random
from typing import NamedTuple

# Invented hashtags of good and of bad news for each venue.
NEWS = {
    "Harvard": ("CrimsonWins", "YardFlood"),
    "MIT": ("SolarCarDay", "PrinterJam"),
    "Fenway": ("WalkOffWin", "RainDelay"),
    "Logan": ("FirstFlight", "LoganDelays"),
    "the Common": ("FrogPondOpens", "NoFireworks"),
    "South Station": ("NewTrains", "RedLineDown"),
    "the Seaport": ("HarborLights", "TunnelJam"),
    "Boston": ("CityMarathon", "BostonBlackout"),
}
HARVARD_AT = (0.2, 0.6)  # start of Harvard's two events, as shares of the stream, up to 0.03 earlier or later
LONGEST_BURST_S, LONGEST_OUTAGE_S = 900.0, 300.0
RISING_SHARE = 0.15  # of a burst's length; then it fades
SHARE_HELD = 0.8  # share of the tweets written during an outage that are held back
LONGEST_STEP_S, STEPS = 5.0, 720  # the rate of arrivals is constant within a step; a stream has at least 720 steps
HIGHEST = {"bursts_per_hour": 1000, "outages": 100}
# Hashtags, most popular first. They leave out names of venues, which would blur the venues' mood; some are not ASCII.
_SPOKEN = (
    "Boston RedSox coffee Celtics MBTA nowplaying photo BigData music Bruins weather Wednesday DataScience tbt "
    "NewEngland CharlesRiver foodie jobs FallColors CS205 Café running books traffic Straße sunset Python3 "
    "sale openSource Montréal podcast lobster 100DaysOfCode movie_night 東京 garden chowder σοφία"
)
_FIRST = "Monday Tuesday Friday weekend morning midnight autumn campus harbor bicycle subway library"
_SECOND = "Coffee Walk Photo Music Thoughts Run Reading Lunch Mood Market Lights Crew"
TAGS = (*_SPOKEN.split(), *(first + second for first in _FIRST.split() for second in _SECOND.split()))
TREND_STEPS = 120  # number of changes of popularity during a stream: every 30 s of an hour


@dataclass(frozen=True)
class TweetMix:
    """The frequency of each kind of line and event in a stream of tweets. Each `_rate` and `_share` is from 0 to 1.

    The defaults are not measurements of Twitter. They are high enough for an hour of a few thousand lines to show each
    kind several times, and low enough for most lines to be plain tweets.
    Raises ValueError for a value out of its range and for kinds that add up to more than 1.
    """

    # Shares of all lines. The rest are tweets.
    notice_rate: float = 0.02  # the API's own messages: deletions, limits, empty keep-alive lines
    malformed_rate: float = 0.01  # not a JSON object: cut, glued, garbled, with control characters
    duplicate_rate: float = 0.02  # one of the last 200 tweets repeated byte for byte
    # Shares of the tweets.
    retweet_rate: float = 0.2
    long_rate: float = 0.12  # over 140 characters: `text` is cut, `extended_tweet.full_text` is whole
    field_fault_rate: float = 0.01  # one field is missing, null, or of another type or form than documented
    late_rate: float = 0.05  # arrives `late_min_s` … `late_max_s` after it was written; short delays are more frequent
    future_rate: float = 0.001  # dated a minute to a day ahead
    boston_share: float = 0.6  # from the Boston area; the others come from other cities
    point_rate: float = 0.15  # has an exact point and a place
    box_rate: float = 0.45  # has a place only
    # Delays, hashtags, events.
    delay_max_s: float = 1.0  # of tweets that are not late: uniform from 0; at 0 lines come in order of event time
    late_min_s: float = 5.0
    late_max_s: float = 300.0
    tag_skew: float = 1.1  # at each moment the hashtag of rank r has weight r ** -tag_skew
    drift: float = 1.0  # standard deviation by which a hashtag's log popularity changes over the stream
    bursts_per_hour: float = 6.0  # events that raise a place, a hashtag and a mood; two of them are at Harvard
    outages: int = 1  # periods whose tweets are held back and then arrive all at once

    def __post_init__(self) -> None:
        for field in fields(self):
            value, kinds = getattr(self, field.name), int if field.type is int else (int, float)
            highest = 1 if field.name.endswith(("_rate", "_share")) else HIGHEST.get(field.name, 1_000_000)
            if isinstance(value, bool) or not isinstance(value, kinds) or not 0 <= value <= highest:
                number = "a whole number" if field.type is int else "a number"
                raise ValueError(f"{field.name} must be {number} in 0 … {highest}, got {value!r:.60}")
        for names in (("notice_rate", "malformed_rate", "duplicate_rate"), ("point_rate", "box_rate")):
            total = sum(getattr(self, name) for name in names)
            if total > 1:
                raise ValueError(f"{' + '.join(names)} must be at most 1, got {total:g}")
        if not 0 < self.late_min_s <= self.late_max_s:
            raise ValueError(f"late_min_s must be in (0, late_max_s], got {self.late_min_s} and {self.late_max_s}")


USUAL = TweetMix()
_FLAWS = "notice_rate malformed_rate duplicate_rate field_fault_rate late_rate future_rate delay_max_s outages"
# Only complete tweets, in order of event time; retweets, long tweets and bursts stay.
FLAWLESS = TweetMix(**dict.fromkeys(_FLAWS.split(), 0))


class Burst(NamedTuple):
    """An event at a venue. At its peak, it adds `strength` times the usual rate of tweets."""

    venue: str
    tag: str
    mood: float
    start_s: float
    length_s: float
    strength: float

    def level(self, at_s: float) -> float:
        """Return the strength of the event at this time: it rises fast and fades slowly, both linearly."""
        passed = (at_s - self.start_s) / self.length_s
        if not 0 <= passed < 1:
            return 0.0
        return self.strength * min(passed / RISING_SHARE, (1 - passed) / (1 - RISING_SHARE))


class Outage(NamedTuple):
    """Tweets written in [start_s, end_s) are held back and arrive in [end_s, flushed_s), with those written then."""

    start_s: float
    end_s: float
    flushed_s: float


@dataclass(frozen=True)
class Script:
    """All events during a stream of `duration_s` seconds. Bursts and outages are in the order of their starts."""

    duration_s: float
    bursts: tuple[Burst, ...]
    outages: tuple[Outage, ...]
    swings: dict[str, tuple[float, float]]  # venue -> (the mood around which it swings, phase)

    def rate(self, at_s: float) -> float:
        """Return the rate at which tweets are written, relative to a moment without events."""
        return 1.0 + sum(burst.level(at_s) for burst in self._running(at_s))

    def burst_at(self, at_s: float, rng: Random) -> Burst | None:
        """Draw the event that a tweet is about, in proportion to the event's strength; None for no event."""
        left = rng.random() * self.rate(at_s) - 1.0
        for burst in self._running(at_s) if left >= 0 else ():
            left -= burst.level(at_s)
            if left < 0:
                return burst
        return None

    def mood(self, venue: str, at_s: float) -> float:
        """Return a venue's mood apart from events, -1 to 1. It swings about twice during the stream."""
        middle, phase = self.swings[venue]
        return middle + 0.3 * (4 * abs((2 * at_s / self.duration_s + phase) % 1 - 0.5) - 1)

    def _running(self, at_s: float) -> Sequence[Burst]:
        """Return the events that may be active: a long stream has thousands, but few at a time."""
        start = attrgetter("start_s")
        first = bisect_left(self.bursts, at_s - LONGEST_BURST_S, key=start)
        return self.bursts[first : bisect_right(self.bursts, at_s, key=start)]


def write_script(rng: Random, mix: TweetMix, duration_s: float) -> Script:
    """Draw the events of a stream; in a short stream, all events are shorter.

    Two events are at Harvard, a good and a bad one. The first outage begins with the second of them, so that by arrival
    time the mood changes later and more suddenly than it really did. An outage that would overlap another is left out.
    """
    bursts = _bursts(rng, mix.bursts_per_hour, duration_s)
    swings = {venue: (rng.uniform(-0.1, 0.2), rng.random()) for venue in NEWS}
    starts_s = [bursts[1].start_s] if bursts else []
    starts_s += [duration_s * rng.uniform(0.1, 0.8) for _ in range(mix.outages)]
    outages: list[Outage] = []
    for start_s in starts_s[: mix.outages]:
        length_s = min(LONGEST_OUTAGE_S, duration_s / 12)
        new = Outage(start_s, start_s + length_s, start_s + 1.25 * length_s)
        if all(new.flushed_s <= old.start_s or old.flushed_s <= new.start_s for old in outages):
            outages.append(new)
    start = attrgetter("start_s")
    return Script(duration_s, tuple(sorted(bursts, key=start)), tuple(sorted(outages, key=start)), swings)


def _bursts(rng: Random, per_hour: float, duration_s: float) -> list[Burst]:
    def burst(venue: str, is_good: bool, start_s: float) -> Burst:
        mood = rng.uniform(0.75, 1.0) * (1 if is_good else -1)
        length_s = min(LONGEST_BURST_S, duration_s / 4) * rng.uniform(0.6, 1.0)
        return Burst(venue, NEWS[venue][0 if is_good else 1], mood, start_s, length_s, rng.uniform(0.4, 0.8))

    if per_hour == 0:
        return []
    good_first = rng.random() < 0.5
    harvard, *others = NEWS
    starts = zip(HARVARD_AT, (good_first, not good_first), strict=True)
    bursts = [burst(harvard, good, duration_s * (share + rng.uniform(-0.03, 0.03))) for share, good in starts]
    for _ in range(round(per_hour * duration_s / 3600) - 2):
        bursts.append(burst(rng.choice(others), rng.random() < 0.5, duration_s * rng.uniform(0, 0.9)))
    return bursts


class Arrivals:
    """Times of arrival from a Poisson process whose rate follows the script, and the time of writing for each."""

    def __init__(self, rng: Random, script: Script, mix: TweetMix) -> None:
        self._rng, self._mix = rng, mix
        steps = max(STEPS, ceil(script.duration_s / LONGEST_STEP_S))
        self._step_s = script.duration_s / steps
        self._grid_s = [step * self._step_s for step in range(steps + 1)]
        middles_s = [(step + 0.5) * self._step_s for step in range(steps)]
        rates = [script.rate(at_s) for at_s in middles_s]
        self._written = self._summed(rates)
        outages = [next((o for o in script.outages if o.start_s <= at_s < o.flushed_s), None) for at_s in middles_s]
        self._steps = [self._step(*each) for each in zip(middles_s, rates, outages, strict=True)]
        self._arrived = self._summed([direct + flushed for direct, flushed, _ in self._steps])

    def times_s(self, count: int) -> Iterator[float]:
        """Yield `count` times of arrival in ascending order."""
        share = 0.0
        for left in range(count, 0, -1):
            # The smallest of `left` uniform points in the rest of the stream.
            share += (1 - share) * (1 - self._rng.random() ** (1 / left))
            yield _interpolated(share * self._arrived[-1], self._arrived, self._grid_s)

    def written_s(self, arrival_s: float) -> float:
        """Draw the time at which the tweet that arrives at `arrival_s` was written, not before the stream began."""
        rng, mix = self._rng, self._mix
        direct, flushed, held = self._steps[min(int(arrival_s / self._step_s), len(self._steps) - 1)]
        if flushed and rng.random() * (direct + flushed) < flushed:
            return _interpolated(rng.uniform(*held), self._written, self._grid_s)
        if rng.random() < mix.late_rate:
            delay_s = mix.late_min_s * (mix.late_max_s / mix.late_min_s) ** rng.random()
        else:
            delay_s = mix.delay_max_s * rng.random()
        return arrival_s - delay_s if delay_s <= arrival_s else rng.random() * arrival_s

    def _summed(self, rates: list[float]) -> list[float]:
        return [0.0, *accumulate(rate * self._step_s for rate in rates)]

    def _step(self, at_s: float, rate: float, outage: Outage | None) -> tuple[float, float, tuple[float, float]]:
        """Return the rates of direct and of held-back arrivals, and the interval of tweets written in the outage."""
        if outage is None:
            return rate, 0.0, (0.0, 0.0)
        if at_s < outage.end_s:
            return rate * (1 - SHARE_HELD), 0.0, (0.0, 0.0)
        first, last = (_interpolated(each_s, self._grid_s, self._written) for each_s in (outage.start_s, outage.end_s))
        return rate, SHARE_HELD * (last - first) / (outage.flushed_s - outage.end_s), (first, last)


def _interpolated(x: float, xs: list[float], ys: list[float]) -> float:
    """Return y at `x` by linear interpolation between points with ascending x."""
    right = min(max(bisect_right(xs, x), 1), len(xs) - 1)
    left = right - 1
    return ys[left] + (ys[right] - ys[left]) * ((x - xs[left]) / (xs[right] - xs[left]))


class Trends:
    """Hashtags whose popularity follows Zipf's law at each moment and drifts: log popularity is a random walk."""

    def __init__(self, rng: Random, mix: TweetMix, duration_s: float) -> None:
        self._summed = list(accumulate(rank**-mix.tag_skew for rank in range(1, len(TAGS) + 1)))
        self._step_s = duration_s / TREND_STEPS
        self._ranked: list[list[str]] = []
        pace = mix.drift * sqrt(3 / TREND_STEPS)  # uniform in -pace … pace has standard deviation pace / sqrt(3)
        scores = {tag: -mix.tag_skew * log(rank) for rank, tag in enumerate(TAGS, 1)}
        for _ in range(TREND_STEPS):
            self._ranked.append(sorted(scores, key=scores.__getitem__, reverse=True))
            scores = {tag: score + rng.uniform(-pace, pace) for tag, score in scores.items()}

    def ranked(self, at_s: float) -> list[str]:
        """Return the hashtags at this time, most popular first."""
        return self._ranked[min(int(at_s / self._step_s), TREND_STEPS - 1)]

    def pick(self, rng: Random, at_s: float) -> str:
        """Draw a hashtag with a probability that follows its popularity at this time."""
        return rng.choices(self.ranked(at_s), cum_weights=self._summed)[0]
