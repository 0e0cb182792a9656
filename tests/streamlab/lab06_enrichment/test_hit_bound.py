"""No cache has more hits than Belady's rule; on small inputs, its hits are the best of all choices."""

from functools import cache
from random import Random

import pytest

from streamlab.lab06_enrichment.hit_bound import most_hits


def best_of_all(keys: str, entries: int) -> int:
    """Return the most hits over every choice of the keys that a full cache keeps."""

    @cache
    def best(at: int, cached: frozenset[str]) -> int:
        if at == len(keys):
            return 0
        key = keys[at]
        if key in cached:
            return 1 + best(at + 1, cached)
        choices = [cached, cached | {key}, *(cached - {each} | {key} for each in cached)]
        return max(best(at + 1, each) for each in choices if len(each) <= entries)

    return best(0, frozenset())


@pytest.mark.parametrize("seed", range(30))
def test_the_bound_is_the_best_of_all_choices(seed: int) -> None:
    rng = Random(seed)
    keys, entries = "".join(rng.choices("abcde", k=12)), rng.randint(1, 4)

    assert most_hits(keys, entries) == best_of_all(keys, entries)


@pytest.mark.parametrize(("keys", "entries", "hits"), [("", 1, 0), ("abcabc", 2, 2), ("aaaa", 1, 3), ("abab", 5, 2)])
def test_the_bound_counts_hits(keys: str, entries: int, hits: int) -> None:
    assert most_hits(keys, entries) == hits


def test_a_cache_without_entries_is_rejected() -> None:
    with pytest.raises(ValueError, match="at least 1 entry, got 0"):
        most_hits("a", 0)
