"""The figures of a throughput check: a ratio of medians with its interval, and the marks it earns.

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
    """The learner's rate divided by the baseline's, with a 95 % bootstrap interval over pairs."""

    value: float
    low: float
    high: float

    def straddles(self, threshold: float) -> bool:
        """Return whether the interval contains the threshold, so the ratio may be on either side of it."""
        return self.low < threshold <= self.high


def ratio_of_medians(pairs: list[Pair]) -> Ratio:
    """Return the ratio for pairs (learner's rate, baseline's rate); a fixed seed makes the resampling repeatable.

    Example: ratio_of_medians([(2.0, 1.0)] * 9) -> Ratio(value=2.0, low=2.0, high=2.0)
    """
    rng = random.Random(20260101)
    resampled = sorted(_ratio(rng.choices(pairs, k=len(pairs))) for _ in range(RESAMPLES))
    tail = (1 - CONFIDENCE) / 2
    return Ratio(_ratio(pairs), resampled[int(tail * RESAMPLES)], resampled[int((1 - tail) * RESAMPLES) - 1])


def _ratio(pairs: list[Pair]) -> float:
    return median(learner for learner, _ in pairs) / median(baseline for _, baseline in pairs)


def marks(ratio: float, threshold: float, points: float) -> float:
    """Return the marks for a ratio: full points at the threshold, linear down to zero at half of the gain over 1.

    Marks are rounded to hundredths.

    Example: marks(1.2, threshold=1.4, points=2) -> 0.0;  marks(1.3, threshold=1.4, points=2) -> 1.0
    """
    no_points = half_way(threshold)
    share = (ratio - no_points) / (threshold - no_points)
    return round(points * min(1.0, max(0.0, share)), 2)


def half_way(threshold: float) -> float:
    """Return the ratio up to which there are no points: half of the gain over 1. Example: half_way(1.4) -> 1.2."""
    return 1 + (threshold - 1) / 2
