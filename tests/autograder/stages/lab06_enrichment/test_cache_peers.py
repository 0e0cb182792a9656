"""`LruCache` and its oracle against `functools.lru_cache`, which has no time to live."""

from functools import lru_cache
from random import Random
from typing import Any

import pytest

from autograder.stages.lab06_enrichment.caches import oracle
from tests.autograder.stages.driven_reference import reference
from tests.streamlab.services.conftest import server_programs

LAB, LOOKUPS, DISTINCT = "lab06_enrichment", 1500, 120


def lookups(skew: float) -> list[int]:
    """Return keys whose frequencies follow Zipf's law; with skew 0, all are equally frequent."""
    weights = [(rank + 1) ** -skew for rank in range(DISTINCT)]
    return Random(f"lookups {skew}").choices(range(DISTINCT), weights, k=LOOKUPS)


def hits_of_peer(keys: list[int], entries: int) -> list[bool]:
    """Return for each lookup whether `functools.lru_cache` had its key."""
    cached = lru_cache(entries)(lambda key: key)
    found = []
    for key in keys:
        before = cached.cache_info().hits
        cached(key)
        found.append(cached.cache_info().hits > before)
    return found


@pytest.mark.parametrize("skew", [0.0, 1.0])
@pytest.mark.parametrize("entries", [1, 7, 60, DISTINCT])
def test_the_oracle_has_the_same_hits_as_functools_lru_cache(entries: int, skew: float) -> None:
    keys = lookups(skew)
    script = [[0, how, key, *value] for key in keys for how, *value in (("get",), ("put", key))]

    got = oracle.gets({"entries": entries, "script": script})

    assert [each != oracle.DEFAULT for each in got] == hits_of_peer(keys, entries)


@pytest.mark.parametrize("skew", [0.0, 1.0])
@pytest.mark.parametrize("entries", [1, 7, 60, DISTINCT])
def test_the_reference_has_the_same_hits_as_functools_lru_cache(entries: int, skew: float) -> None:
    server_programs("redis")
    server_programs("pandas")
    keys, cache, absent = lookups(skew), reference(LAB).LruCache(entries), object()

    def hit(key: int) -> bool:
        found: Any = cache.get(key, absent)
        if found is absent:
            cache.put(key, key)
        return found is not absent

    assert [hit(key) for key in keys] == hits_of_peer(keys, entries)
    assert (cache.hits + cache.misses, len(cache)) == (LOOKUPS, min(entries, len(set(keys))))
