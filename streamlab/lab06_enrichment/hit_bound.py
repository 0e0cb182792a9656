"""The most hits that any cache could have had, by Belady's rule, which knows the future.

L. A. Belady, A study of replacement algorithms for a virtual-storage computer, IBM Systems Journal 5 (1966).
"""

import heapq
import math
from collections.abc import Hashable, Sequence


def most_hits(keys: Sequence[Hashable], entries: int) -> int:
    """Return how many of the lookups `keys` a cache of `entries` could have answered at best.

    A full cache evicts the key whose next use is furthest away, which may be the one just looked up. Raises ValueError
    if `entries` is below 1.
    Example: most_hits("abcabc", entries=2) -> 2
    """
    if entries < 1:
        raise ValueError(f"a cache has at least 1 entry, got {entries}")
    hits, cached = 0, dict[Hashable, float]()  # key -> its next use
    by_next_use: list[tuple[float, int, Hashable]] = []  # latest first; entries of earlier uses are skipped
    for at, (key, next_use) in enumerate(zip(keys, _next_uses(keys), strict=True)):
        hits += key in cached
        cached[key] = next_use
        heapq.heappush(by_next_use, (-next_use, at, key))
        while len(cached) > entries:
            latest, _, candidate = heapq.heappop(by_next_use)
            if cached.get(candidate) == -latest:
                del cached[candidate]
    return hits


def _next_uses(keys: Sequence[Hashable]) -> list[float]:
    """Return for each position the next position with the same key; infinity for the last."""
    later = dict[Hashable, int]()
    found = []
    for at in reversed(range(len(keys))):
        found.append(later.get(keys[at], math.inf))
        later[keys[at]] = at
    return found[::-1]
