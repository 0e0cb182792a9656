"""Hits of spread and partitioned caches, and of LRU against the optimum."""

from collections import OrderedDict
from typing import Any

from streamlab.lab06_enrichment.experiments import cache_hits
from streamlab.lab06_enrichment.experiments.cache_hits import PAYMENTS_PER_MINUTE, lru_and_optimum, over_time


class PlainLru:
    def __init__(self, entries: int) -> None:
        self._entries, self.hits, self.misses = entries, 0, 0
        self._kept = OrderedDict[Any, Any]()

    def get(self, key: Any) -> Any:
        if key in self._kept:
            self._kept.move_to_end(key)
            self.hits += 1
            return self._kept[key]
        self.misses += 1
        return None

    def put(self, key: Any, value: Any) -> None:
        self._kept[key] = value
        if len(self._kept) > self._entries:
            self._kept.popitem(last=False)

    def __len__(self) -> int:
        return len(self._kept)


def by_number(account: bytes, partitions: int) -> int:
    return int(account[3:]) % partitions


def test_partitioned_caches_miss_each_key_once_and_spread_caches_hold_copies() -> None:
    made: list[PlainLru] = []

    def new_cache(entries: int) -> PlainLru:
        made.append(PlainLru(entries))
        return made[-1]

    ((count, spread, partitioned, copies),) = cache_hits.spread_and_partitioned(new_cache, by_number, [20_000])

    assert count == 20_000
    assert abs(partitioned - 100 * (1 - 6000 / 60_000)) < 0.1
    assert 36 < spread < 39
    kept = [key for cache in made[:8] for key in cache._kept]
    assert copies == len(kept) - len(set(kept)) > 18_000


def test_lru_has_at_most_the_optimal_hits_and_reaches_them_if_all_keys_fit() -> None:
    found = lru_and_optimum(PlainLru, [500, 6000], skew=1.0)

    assert [entries for entries, _, _ in found] == [500, 6000]
    assert found[0][1] < found[0][2]
    assert found[1][1] == found[1][2]


def test_hits_over_time_stand_beside_those_of_the_paper() -> None:
    lines = over_time([(PAYMENTS_PER_MINUTE, 40.0, 90.0, 0), (2 * PAYMENTS_PER_MINUTE, 49.0, 99.0, 0)])

    assert lines["spread"] == [(1, 40.0), (2, 49.0)]
    assert lines["partitioned"] == [(1, 90.0), (2, 99.0)]
    assert lines["paper, spread"][:2] == [(1, 43.9), (2, 49)]
    assert lines["paper, partitioned"][-1] == (70, 99)
