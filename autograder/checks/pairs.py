"""Prepares counts for comparison: pairs of a text and a whole number, as they come from JSON.

Rows may hold any JSON value; values of another form stay unchanged, and the comparison shows them.
"""

from collections import Counter
from typing import Any

from autograder.checks.compare import is_whole, key_of, shown
from autograder.checks.registry import Mismatch


def is_count(pair: Any) -> bool:
    """Return whether this is a pair of a text and a whole number."""
    return isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str) and is_whole(pair[1])


def are_counts(pairs: Any) -> bool:
    """Return whether these are pairs of a text and a whole number."""
    return isinstance(pairs, list) and all(is_count(pair) for pair in pairs)


def some_counts(pairs: Any, *, what: str) -> Mismatch | None:
    """Require at least one count, so that a claim about counts fails for an answer without counts.

    Example: some_counts([], what="counts") -> Mismatch("Expected pairs (word, count); your counts are [].")
    """
    if pairs and are_counts(pairs):
        return None
    return Mismatch(f"Expected pairs (word, count); your {what} are {shown(pairs)}.", got=pairs)


def added_up(pairs: Any) -> Any:
    """Return the pairs with the counts of each key added up."""
    if not are_counts(pairs):
        return pairs
    total: Counter[str] = Counter()
    for word, count in pairs:
        total[word] += count
    return [[word, count] for word, count in total.items()]


def same_again(first: Any, second: Any, *, names: tuple[str, str]) -> Mismatch | None:
    """Require that two answers of the learner have equal pairs, in any order; `names` describe the two runs.

    Example: same_again([["to", 3]], [["to", 2]], names=("in 1 partition", "in 3 partitions"))
    -> a Mismatch that ends with 'yours have ("to", 3) in 1 partition, but ("to", 2) in 3 partitions.'
    """
    sides = [_by_key(each) for each in (first, second)]
    for key in sorted(sides[0].keys() | sides[1].keys(), key=lambda key: (len(key), key)):
        here, there = (side.get(key, []) for side in sides)
        if _multiset(here) != _multiset(there):
            expected = f"Expected the same counts {names[0]} and {names[1]}"
            sentence = f"{expected}; yours have {_listed(here)} {names[0]}, but {_listed(there)} {names[1]}."
            return Mismatch(sentence, first, second)
    return None


def _by_key(answer: Any) -> dict[str, list[Any]]:
    """Group pairs by the text of their key, and other values by their own text."""
    found: dict[str, list[Any]] = {}
    for each in answer if isinstance(answer, list) else [answer]:
        key = each[0] if isinstance(each, list) and each else each
        found.setdefault(key_of(key), []).append(each)
    return found


def _multiset(values: list[Any]) -> Counter[str]:
    return Counter(map(key_of, values))


def _listed(values: list[Any]) -> str:
    return " and ".join(shown(each) for each in values) or "nothing of that"
