"""What several checks of Lab 1 do with rows before they compare them.

Rows may hold anything that JSON can; what has another form than expected is left as it is, for the comparison to show.
"""

from collections import Counter
from typing import Any


def added_up(pairs: Any) -> Any:
    """Pairs with one count for each key; what is no list of (text, whole number) is left as it is."""
    if not isinstance(pairs, list) or not all(is_count(pair) for pair in pairs):
        return pairs
    total: Counter[str] = Counter()
    for word, count in pairs:
        total[word] += count
    return [[word, count] for word, count in total.items()]


def is_count(pair: Any) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str) and type(pair[1]) is int
