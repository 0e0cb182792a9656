"""When lines arrive, and when what they hold was written. Keeps out: what they hold.

Lines arrive as a Poisson process does whose rate follows the events, given how many lines there are. Between the
writing and the arrival of a tweet lies a delay: a short one for most, minutes for those that are late or were held
back by an outage. Nothing was written before the stream began.
"""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from math import ceil
from random import Random

from streamlab.sources.tweet_bursts import SHARE_HELD, Outage, Script
from streamlab.sources.tweet_mix import TweetMix

STEPS = 720  # the rate is constant within a step: a so many-th part of the stream, at most 5 s
LONGEST_STEP_S = 5.0


class Clock:
    """Turns shares of a total into times: a rate for each step, summed up."""

    def __init__(self, rates: list[float], duration_s: float) -> None:
        self._step_s = duration_s / len(rates)
        self._summed = [0.0, *accumulate(rate * self._step_s for rate in rates)]

    @property
    def total(self) -> float:
        """The sum over all of the stream."""
        return self._summed[-1]

    def amount(self, at_s: float) -> float:
        """How much has come together until `at_s`."""
        step = min(int(at_s / self._step_s), len(self._summed) - 2)
        before, after = self._summed[step : step + 2]
        return before + (after - before) * (at_s / self._step_s - step)

    def time_s(self, amount: float) -> float:
        """The time until which so much has come together."""
        step = min(bisect_right(self._summed, amount), len(self._summed) - 1) - 1
        before, after = self._summed[step : step + 2]
        return (step + (amount - before) / (after - before)) * self._step_s


class Arrivals:
    """Times of arrival, and the time of writing for each."""

    def __init__(self, rng: Random, script: Script, mix: TweetMix) -> None:
        self._rng, self._script, self._mix = rng, script, mix
        steps = max(STEPS, ceil(script.duration_s / LONGEST_STEP_S))
        self._step_s = script.duration_s / steps
        middles_s = [(step + 0.5) * self._step_s for step in range(steps)]
        self._written = Clock([script.rate(at_s) for at_s in middles_s], script.duration_s)
        self._released = [self._released_per_s(at_s) for at_s in middles_s]
        rates = [self._direct_per_s(at_s) + self._released[step] for step, at_s in enumerate(middles_s)]
        self._arriving = Clock(rates, script.duration_s)

    def times_s(self, count: int) -> Iterator[float]:
        """`count` times of arrival, rising."""
        share = 0.0
        for left in range(count, 0, -1):
            # The least of `left` points that lie anywhere in what remains.
            share += (1 - share) * (1 - self._rng.random() ** (1 / left))
            yield self._arriving.time_s(share * self._arriving.total)

    def written_s(self, arrival_s: float) -> float:
        """When the tweet that arrives now was written."""
        held = self._held_by(arrival_s)
        if held:
            start, end = self._written.amount(held.start_s), self._written.amount(held.end_s)
            return self._written.time_s(self._rng.uniform(start, end))
        delay_s = self._delay_s()
        return arrival_s - delay_s if delay_s <= arrival_s else self._rng.random() * arrival_s

    def _delay_s(self) -> float:
        mix = self._mix
        if self._rng.random() < mix.late_rate:
            return mix.late_min_s * (mix.late_max_s / mix.late_min_s) ** self._rng.random()
        return mix.delay_max_s * self._rng.random()

    def _held_by(self, arrival_s: float) -> Outage | None:
        """The outage that held back the tweet that arrives now, if one did."""
        step = min(int(arrival_s / self._step_s), len(self._released) - 1)
        released = self._released[step]
        if not released:
            return None
        middle_s = (step + 0.5) * self._step_s
        outage = next(each for each in self._script.outages if each.end_s <= middle_s < each.flushed_s)
        direct = self._direct_per_s(middle_s)
        return outage if self._rng.random() * (direct + released) < released else None

    def _direct_per_s(self, at_s: float) -> float:
        """The rate of what is not held back."""
        is_out = any(outage.start_s <= at_s < outage.end_s for outage in self._script.outages)
        return self._script.rate(at_s) * (1 - SHARE_HELD if is_out else 1.0)

    def _released_per_s(self, at_s: float) -> float:
        """The rate of what was held back and arrives now."""
        for outage in self._script.outages:
            if outage.end_s <= at_s < outage.flushed_s:
                held = self._written.amount(outage.end_s) - self._written.amount(outage.start_s)
                return SHARE_HELD * held / (outage.flushed_s - outage.end_s)
        return 0.0
