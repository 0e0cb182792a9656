"""Experiment of Lab 6 on measurement: how much of the paper's latencies is the wait in its load generator.

A pod creates n messages once a second. Its client sends a queue when it holds n messages, or 5 s after the oldest one.
Kafka has three brokers and eight partitions. (From the repository of the paper and the source of pykafka e7665bf.)
"""

from collections.abc import Callable, Sequence

from streamlab.experiments.published import published

PARTITIONS, BROKERS, LINGER_MS, SECONDS = 8, 3, 5000, 300
RATES_PER_S = (100, 150, 200, 220)
PAPER_P99_MS = published("lab06_enrichment", "scheinert", "p99, lowest (ms)", "p99, highest (ms)")
WaitingMs = Callable[..., list[int]]


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the smallest value that at least `percent` percent of the values do not exceed (nearest rank).

    Example: percentile([1, 2, 3, 4], 50) -> 2
    """
    if not values or not 0 < percent <= 100:
        raise ValueError(f"expected values and a percent in (0, 100], got {len(values)} values and {percent}")
    rank = -(-len(values) * percent // 100)
    return sorted(values)[int(rank) - 1]


def waits(waiting_ms: WaitingMs, rate_per_s: int, brokers: int = BROKERS, enough: int | None = None) -> list[int]:
    """Return the waits in 300 s of the paper's generator at one rate; `enough` defaults to the rate."""
    bursts = [(1000 * second, rate_per_s) for second in range(SECONDS)]
    return waiting_ms(bursts, PARTITIONS, brokers, enough or rate_per_s, LINGER_MS)


def summary(waiting_ms: WaitingMs) -> list[tuple[str, int, float, float, float]]:
    """Return (setting, messages/s, median, mean and 99th percentile in ms) for the paper's settings and others."""
    settings = [("as published", rate, BROKERS, rate) for rate in RATES_PER_S]
    settings += [("one broker", 200, 1, 200), ("two brokers", 200, 2, 200), ("sent at once", 200, BROKERS, 1)]
    found = []
    for name, rate, brokers, enough in settings:
        waited = waits(waiting_ms, rate, brokers, enough)
        mean = sum(waited) / len(waited)
        found.append((name, rate, percentile(waited, 50), mean, percentile(waited, 99)))
    return found


def without_the_wait(p99_ms: float) -> dict[str, tuple[float, float]]:
    """Return for each method the paper's lowest and highest 99th percentile, minus that of the generator.

    A difference of two percentiles is in general not the percentile of the differences. Here it comes near, since
    nearly all late messages wait equally long.
    """
    return {name: (low - p99_ms, high - p99_ms) for name, (low, high) in PAPER_P99_MS.items()}
