"""Hashtags whose popularity follows Zipf's law at each moment and drifts: who leads now need not lead in ten minutes.

Keeps out: the hashtags of events (`tweet_bursts`).
"""

from bisect import bisect_right
from itertools import accumulate
from math import log, sqrt
from random import Random

# Not those of the venues, whose mood they would blur. Some have letters outside ASCII, digits or underscores.
_SPOKEN = (
    "Boston RedSox coffee Celtics MBTA nowplaying photo BigData music Bruins weather Wednesday DataScience tbt "
    "NewEngland CharlesRiver foodie jobs FallColors CS205 Café running books traffic Straße sunset Python3 "
    "sale openSource Montréal podcast lobster 100DaysOfCode movie_night 東京 garden chowder σοφία"
)
_FIRST = "Monday Tuesday Friday weekend morning midnight autumn campus harbor bicycle subway library"
_SECOND = "Coffee Walk Photo Music Thoughts Run Reading Lunch Mood Market Lights Crew"
TAGS = (*_SPOKEN.split(), *(first + second for first in _FIRST.split() for second in _SECOND.split()))
STEPS = 120  # popularity changes so many times during a stream: every 30 s of an hour


class Trends:
    """The popularity of hashtags over a stream of `duration_s` seconds."""

    def __init__(self, rng: Random, skew: float, drift: float, duration_s: float) -> None:
        self._summed = list(accumulate(rank**-skew for rank in range(1, len(TAGS) + 1)))
        self._step_s = duration_s / STEPS
        self._order = self._drifting_order(rng, skew, drift)

    def pick(self, rng: Random, at_s: float) -> str:
        """A hashtag, as likely as it is popular now."""
        order = self._order[min(int(at_s / self._step_s), STEPS - 1)]
        return TAGS[order[bisect_right(self._summed, rng.random() * self._summed[-1])]]

    def leaders(self, at_s: float, count: int) -> list[str]:
        """The most popular hashtags now, most popular first."""
        return [TAGS[each] for each in self._order[min(int(at_s / self._step_s), STEPS - 1)][:count]]

    def _drifting_order(self, rng: Random, skew: float, drift: float) -> list[list[int]]:
        """For each step the hashtags' numbers, most popular first: each one's log popularity is a random walk."""
        longest_pace = drift * sqrt(3 / STEPS)  # a uniform pace between -x and x has standard deviation x / sqrt(3)
        scores = [-skew * log(rank) for rank in range(1, len(TAGS) + 1)]
        order = []
        for _ in range(STEPS):
            order.append(sorted(range(len(scores)), key=lambda tag: (-scores[tag], tag)))
            scores = [score + rng.uniform(-longest_pace, longest_pace) for score in scores]
        return order
