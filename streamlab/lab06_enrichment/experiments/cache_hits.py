"""Experiment of Lab 6 on caches: spread and partitioned keys, and LRU compared with the optimal cache.

In the paper's figure 9, there are eight caches of 3,000 entries, 2,000 accounts with three keys each, and 4,000
payments/s. The hit rate is 49 % if payments are spread over the caches, and 99 % if each account has its cache.
"""

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

from streamlab.experiments.published import published
from streamlab.experiments.series import Lines
from streamlab.lab06_enrichment.hit_bound import most_hits

CACHES, ENTRIES, ACCOUNTS, KEYS_EACH = 8, 3000, 2000, 3
LOOKUPS, DISTINCT = 30_000, 6000
PAYMENTS_PER_MINUTE = 60 * 4000
WAYS = "spread", "partitioned"
NewCache = Callable[[int], Any]


def spread_and_partitioned(
    new_cache: NewCache, partition_of: Callable[[bytes, int], int], counts: Sequence[int]
) -> list[tuple[int, float, float, int]]:
    """Return (transactions, hits in percent if spread, hits in percent if partitioned, copies) for each count.

    "Spread" sends payments to any cache, "partitioned" gives each account its cache. Copies are the entries of the
    spread caches beyond one for each row that they hold.
    new_cache: creates an empty cache with a number of entries; it has `get`, `put`, `hits` and `misses`, as `LruCache`.
    """
    homes = [partition_of(f"acc{account:05d}".encode(), CACHES) for account in range(ACCOUNTS)]
    found = []
    for count in counts:
        rng = Random("spread")
        accounts = [rng.randrange(ACCOUNTS) for _ in range(count)]
        spread = _filled(new_cache, ((rng.randrange(CACHES), account) for account in accounts))
        partitioned = _filled(new_cache, ((homes[account], account) for account in accounts))
        hits = _hit_percent(spread), _hit_percent(partitioned)  # before `_copies` looks up every key
        found.append((count, *hits, _copies(spread)))
    return found


def over_time(rows: Sequence[tuple[int, float, float, int]]) -> Lines:
    """Return hits (%) over time (min): those of rows of `spread_and_partitioned`, and of the paper's figure 9."""
    found = published("lab06_enrichment", "scheinert", *(f"hits (%), {way}" for way in WAYS))
    ours = {way: [(row[0] / PAYMENTS_PER_MINUTE, row[at]) for row in rows] for at, way in enumerate(WAYS, 1)}
    paper = {f"paper, {way}": [(float(at), hits[n]) for at, hits in found.items()] for n, way in enumerate(WAYS)}
    return ours | paper


def lru_and_optimum(new_cache: NewCache, sizes: Sequence[int], skew: float) -> list[tuple[int, float, float]]:
    """Return (entries, hits of the cache in percent, most hits that any cache could have had in percent).

    There are 30,000 lookups of 6,000 keys, whose frequencies follow Zipf's law with exponent `skew` (0: uniform).
    """
    weights = [(rank + 1) ** -skew for rank in range(DISTINCT)]
    keys = Random("sizes").choices(range(DISTINCT), weights, k=LOOKUPS)
    found = []
    for entries in sizes:
        cache = new_cache(entries)
        for key in keys:
            _look_up(cache, key)
        found.append((entries, _hit_percent([cache]), 100 * most_hits(keys, entries) / LOOKUPS))
    return found


def _filled(new_cache: NewCache, placed: Iterable[tuple[int, int]]) -> list[Any]:
    caches = [new_cache(ENTRIES) for _ in range(CACHES)]
    for place, account in placed:
        for kind in range(KEYS_EACH):
            _look_up(caches[place], KEYS_EACH * account + kind)
    return caches


def _look_up(cache: Any, key: int) -> None:
    if cache.get(key) is None:
        cache.put(key, "row")


def _copies(caches: Sequence[Any]) -> int:
    rows = {key for cache in caches for key in range(ACCOUNTS * KEYS_EACH) if cache.get(key) is not None}
    return sum(map(len, caches)) - len(rows)


def _hit_percent(caches: Sequence[Any]) -> float:
    hits, misses = sum(each.hits for each in caches), sum(each.misses for each in caches)
    return 100 * hits / (hits + misses)
