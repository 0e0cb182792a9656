"""What happens during a stream: events that make a place, a hashtag and a mood rise, outages, and moods in between.

Two events are at Harvard, a good and a bad one; the first outage begins when the second of them does, so that by the
time of arrival its mood turns later, and more suddenly, than it did. Keeps out: hashtags that just drift
(`tweet_trends`), when lines arrive (`tweet_arrivals`).
"""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property
from random import Random

from streamlab.sources.tweet_mix import TweetMix
from streamlab.sources.tweet_venues import HARVARD, VENUES, Venue

# What may happen where: the hashtag, and whether the mood is good. All invented.
GOOD_NEWS = {
    "Harvard": "CrimsonWins",
    "MIT": "SolarCarDay",
    "Fenway": "WalkOffWin",
    "Logan": "FirstFlight",
    "the Common": "FrogPondOpens",
    "South Station": "NewTrains",
    "the Seaport": "HarborLights",
    "Boston": "CityMarathon",
}
BAD_NEWS = {
    "Harvard": "YardFlood",
    "MIT": "PrinterJam",
    "Fenway": "RainDelay",
    "Logan": "LoganDelays",
    "the Common": "NoFireworks",
    "South Station": "RedLineDown",
    "the Seaport": "TunnelJam",
    "Boston": "BostonBlackout",
}
LONGEST_BURST_S = 900.0
LONGEST_OUTAGE_S = 300.0
RISING_SHARE = 0.15  # of a burst's length; the rest of it fades
SHARE_HELD = 0.8  # of the tweets of an outage
HARVARD_AT = (0.2, 0.6)  # when its two events begin, as shares of the stream, a little sooner or later


@dataclass(frozen=True)
class Burst:
    """An event: at its peak it adds `strength` times the usual rate of tweets to that rate."""

    venue: Venue
    tag: str
    mood: float
    start_s: float
    length_s: float
    strength: float

    def level(self, at_s: float) -> float:
        """How strong it is now: up within the first part, then down in a straight line; 0 before and after."""
        passed = (at_s - self.start_s) / self.length_s
        if not 0 <= passed < 1:
            return 0.0
        return self.strength * min(passed / RISING_SHARE, (1 - passed) / (1 - RISING_SHARE))


@dataclass(frozen=True)
class Outage:
    """Tweets written in [start_s, end_s) are held back and arrive in [end_s, flushed_s), with those written then."""

    start_s: float
    end_s: float
    flushed_s: float


@dataclass(frozen=True)
class Script:
    """All that happens during a stream of `duration_s` seconds."""

    duration_s: float
    bursts: tuple[Burst, ...]
    outages: tuple[Outage, ...]
    swings: dict[str, tuple[float, float]]  # venue -> the mood around which it swings, the phase

    def rate(self, at_s: float) -> float:
        """How many tweets are written, compared with a moment without events."""
        return 1.0 + sum(burst.level(at_s) for burst in self._running(at_s))

    def burst_at(self, at_s: float, rng: Random) -> Burst | None:
        """What a tweet written now is about: an event, each as likely as it is strong, or none."""
        left = rng.random() * self.rate(at_s) - 1.0
        for burst in self._running(at_s) if left >= 0 else ():
            left -= burst.level(at_s)
            if left < 0:
                return burst
        return None

    def mood(self, venue: Venue, at_s: float) -> float:
        """The mood of a place apart from events, -1 to 1: it swings to and fro about twice during the stream."""
        middle, phase = self.swings[venue.name]
        return middle + 0.3 * (4 * abs((2 * at_s / self.duration_s + phase) % 1 - 0.5) - 1)

    def _running(self, at_s: float) -> list[Burst]:
        """The events that may still go on: a long stream has thousands, and few at a time."""
        first = bisect_left(self._starts_s, at_s - LONGEST_BURST_S)
        return self._by_start[first : bisect_right(self._starts_s, at_s)]

    @cached_property
    def _by_start(self) -> list[Burst]:
        return sorted(self.bursts, key=lambda burst: burst.start_s)

    @cached_property
    def _starts_s(self) -> list[float]:
        return [burst.start_s for burst in self._by_start]


def write_script(rng: Random, mix: TweetMix, duration_s: float) -> Script:
    """Draw what will happen. Lengths shrink with short streams; an outage that would overlap another is left out."""
    bursts = _bursts(rng, mix, duration_s)
    swings = {venue.name: (rng.uniform(-0.1, 0.2), rng.random()) for venue in VENUES}
    first_s = [bursts[1].start_s] if bursts else []
    more_s = [duration_s * rng.uniform(0.1, 0.8) for _ in range(mix.outages)]
    return Script(duration_s, bursts, _outages([*first_s, *more_s][: mix.outages], duration_s), swings)


def _bursts(rng: Random, mix: TweetMix, duration_s: float) -> tuple[Burst, ...]:
    if mix.bursts_per_hour == 0:
        return ()
    good_first = rng.random() < 0.5
    at_harvard = [
        _burst(rng, HARVARD, is_good, duration_s * (share + rng.uniform(-0.03, 0.03)), duration_s)
        for share, is_good in zip(HARVARD_AT, (good_first, not good_first), strict=True)
    ]
    others = [
        _burst(rng, rng.choice(VENUES[1:]), rng.random() < 0.5, duration_s * rng.uniform(0, 0.9), duration_s)
        for _ in range(round(mix.bursts_per_hour * duration_s / 3600) - 2)
    ]
    return (*at_harvard, *others)


def _burst(rng: Random, venue: Venue, is_good: bool, start_s: float, duration_s: float) -> Burst:
    tag = (GOOD_NEWS if is_good else BAD_NEWS)[venue.name]
    mood = rng.uniform(0.75, 1.0) * (1 if is_good else -1)
    length_s = min(LONGEST_BURST_S, duration_s / 4) * rng.uniform(0.6, 1.0)
    return Burst(venue, tag, mood, start_s, length_s, rng.uniform(0.4, 0.8))


def _outages(starts_s: list[float], duration_s: float) -> tuple[Outage, ...]:
    length_s = min(LONGEST_OUTAGE_S, duration_s / 12)
    outages: list[Outage] = []
    for start_s in starts_s:
        new = Outage(start_s, start_s + length_s, start_s + 1.25 * length_s)
        if all(new.flushed_s <= old.start_s or old.flushed_s <= new.start_s for old in outages):
            outages.append(new)
    return tuple(sorted(outages, key=lambda outage: outage.start_s))
