"""No cache can have more hits than Belady's rule; on small inputs that is the best of all choices."""

from functools import cache
from random import Random

import pytest

from streamlab.enrichment.hit_bound import most_hits


def best_of_all(keys: str, entries: int) -> int:
    """Try every choice of what a full cache keeps."""

    @cache
    def best(at: int, held: frozenset[str]) -> int:
        if at == len(keys):
            return 0
        key = keys[at]
        if key in held:
            return 1 + best(at + 1, held)
        choices = [held, held | {key}, *(held - {each} | {key} for each in held)]
        return max(best(at + 1, each) for each in choices if len(each) <= entries)

    return best(0, frozenset())


@pytest.mark.parametrize("seed", range(30))
def test_it_is_the_best_of_all_choices(seed: int) -> None:
    chance = Random(seed)
    keys, entries = "".join(chance.choices("abcde", k=12)), chance.randint(1, 4)

    assert most_hits(keys, entries) == best_of_all(keys, entries)


@pytest.mark.parametrize(("keys", "entries", "hits"), [("", 1, 0), ("abcabc", 2, 2), ("aaaa", 1, 3), ("abab", 5, 2)])
def test_it_counts_hits(keys: str, entries: int, hits: int) -> None:
    assert most_hits(keys, entries) == hits


def test_a_cache_without_entries_is_rejected() -> None:
    with pytest.raises(ValueError, match="at least 1 entry, got 0"):
        most_hits("a", 0)
