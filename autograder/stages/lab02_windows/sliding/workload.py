"""The input of the throughput check of `SlidingSum`: plain whole numbers, one a line, and a window of a thousand.

A turn lets each number enter and the oldest leave where there would be more than `WINDOW`, and asks for the result
each time: as many results as numbers, which are all compared.
"""

from itertools import accumulate
from typing import Any

from autograder.checks import Mismatch, same_value
from autograder.checks.seeds import random_for

WINDOW = 1000
SLIDES = 50_000


def workload(seed: str) -> tuple[bytes, int]:
    """The numbers, and how many there are."""
    chance = random_for(seed, "throughput")
    values = chance.choices(range(-1000, 1000), k=SLIDES)
    return "".join(f"{value}\n" for value in values).encode("ascii"), SLIDES


def sums(content: bytes) -> list[int]:
    """The sum after each number: what was added up to here, less what was added up to where the window begins."""
    so_far = [0, *accumulate(map(int, content.split()))]
    return [total - so_far[max(0, at - WINDOW)] for at, total in enumerate(so_far)][1:]


def same_sums_at_once(content: bytes, got: Any) -> Mismatch | None:
    """Compare all results of a turn; only where they differ, look for the first difference."""
    expected = sums(content)
    if got == expected:
        return None
    if not isinstance(got, list) or len(got) != len(expected):
        return same_value(len(expected), len(got) if isinstance(got, list) else got, what="the number of results")
    at = next(at for at, (want, have) in enumerate(zip(expected, got, strict=True)) if want != have)
    return same_value(expected[at], got[at], what=f"the result of slide {at + 1}")
