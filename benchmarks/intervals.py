"""The uncertainty of a benchmark's median, the same for every benchmark."""

import random
from statistics import median

RESAMPLES = 2_000


def interval(values: list[float]) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of the median; the resampling is seeded."""
    rng = random.Random(1)
    medians = sorted(median(rng.choices(values, k=len(values))) for _ in range(RESAMPLES))
    return medians[round(0.025 * RESAMPLES)], medians[round(0.975 * RESAMPLES) - 1]
