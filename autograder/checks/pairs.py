"""What checks do with counts before they compare them: pairs of a text and a whole number, as they come from JSON.

Rows may hold anything that JSON can; what has another form is left as it is, for the comparison to show.
"""

import json
from collections import Counter
from typing import Any

from autograder.checks.compare import shown
from autograder.checks.registry import Mismatch


def is_count(pair: Any) -> bool:
    """Whether this is a pair of a text and a whole number."""
    return isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str) and type(pair[1]) is int


def are_counts(pairs: Any) -> bool:
    """Whether these are pairs of a text and a whole number."""
    return isinstance(pairs, list) and all(is_count(pair) for pair in pairs)


def some_counts(pairs: Any, *, what: str) -> Mismatch | None:
    """At least one count, so that a claim about counts does not hold for an answer that has none.

    Example: some_counts([], what="counts") -> Mismatch("Expected pairs (word, count); your counts are [].")
    """
    if pairs and are_counts(pairs):
        return None
    return Mismatch(f"Expected pairs (word, count); your {what} are {shown(pairs)}.", got=pairs)


def added_up(pairs: Any) -> Any:
    """Pairs with one count for each key."""
    if not are_counts(pairs):
        return pairs
    total: Counter[str] = Counter()
    for word, count in pairs:
        total[word] += count
    return [[word, count] for word, count in total.items()]


def same_again(first: Any, second: Any, *, names: tuple[str, str]) -> Mismatch | None:
    """Two answers of the learner's that have to be one: pairs in any order; `names` say where each came from.

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
    """Pairs under the text of their key; whatever else there is under its own text."""
    found: dict[str, list[Any]] = {}
    for each in answer if isinstance(answer, list) else [answer]:
        key = each[0] if isinstance(each, list) and each else each
        found.setdefault(json.dumps(key), []).append(each)
    return found


def _multiset(values: list[Any]) -> Counter[str]:
    return Counter(json.dumps(each) for each in values)


def _listed(values: list[Any]) -> str:
    return " and ".join(shown(each) for each in values) or "nothing of that"
