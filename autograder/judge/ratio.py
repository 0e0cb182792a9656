"""The figures of a race: a ratio of medians with its interval, and the marks it earns.

Pure arithmetic; nothing is timed here.
"""

import random
from dataclasses import dataclass
from statistics import median

RESAMPLES = 2000
CONFIDENCE = 0.95
Pair = tuple[float, float]


@dataclass(frozen=True)
class Ratio:
    """Learner's rate over the yardstick's, with a 95 % bootstrap interval over pairs."""

    value: float
    low: float
    high: float

    def straddles(self, bar: float) -> bool:
        """Whether the interval leaves open on which side of the bar the ratio lies."""
        return self.low < bar <= self.high


def ratio_of_medians(pairs: list[Pair]) -> Ratio:
    """The ratio for pairs (learner's rate, yardstick's rate); the resampling is seeded, so it repeats.

    Example: ratio_of_medians([(2.0, 1.0)] * 9) -> Ratio(value=2.0, low=2.0, high=2.0)
    """
    chance = random.Random(20260101)
    resampled = sorted(_ratio(chance.choices(pairs, k=len(pairs))) for _ in range(RESAMPLES))
    tail = (1 - CONFIDENCE) / 2
    return Ratio(_ratio(pairs), resampled[int(tail * RESAMPLES)], resampled[int((1 - tail) * RESAMPLES) - 1])


def _ratio(pairs: list[Pair]) -> float:
    return median(learner for learner, _ in pairs) / median(yardstick for _, yardstick in pairs)


def marks(ratio: float, bar: float, points: float) -> float:
    """Full points at the bar, linear down to half of the gain over 1, none below; whole hundredths.

    Example: marks(1.2, bar=1.4, points=2) -> 0.0;  marks(1.3, bar=1.4, points=2) -> 1.0
    """
    half_way = 1 + (bar - 1) / 2
    share = (ratio - half_way) / (bar - half_way)
    return round(points * min(1.0, max(0.0, share)), 2)
