"""The order of the stub that the drive of `mentions` puts in place of `trending`."""

from collections.abc import Iterable, Sequence
from typing import Any


def longest_first(pairs: Iterable[Sequence[Any]]) -> list[Any]:
    """Return the pairs in the order of the drive's stub of `trending`.

    Example: longest_first([("good", 2), ("great", 1), ("love", 1)]) -> [("great", 1), ("love", 1), ("good", 2)]
    """
    return sorted(pairs, key=lambda pair: (len(pair[0]), pair[0]), reverse=True)
