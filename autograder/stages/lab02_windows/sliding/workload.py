"""The input of the throughput check of `SlidingSum`: plain whole numbers, one per line, and a window of 1000.

In a turn, each number enters, and the oldest one leaves if the window would hold more than `WINDOW`. Each number gives
one result, and all results are compared.
"""

from itertools import accumulate
from typing import Any

from autograder.checks import Mismatch, same_value
from autograder.checks.seeds import random_for

WINDOW = 1000
SLIDES = 50_000


def workload(seed: str) -> tuple[bytes, int]:
    """Return the numbers and their count."""
    rng = random_for(seed, "throughput")
    values = rng.choices(range(-1000, 1000), k=SLIDES)
    return "".join(f"{value}\n" for value in values).encode("ascii"), SLIDES


def sums(content: bytes) -> list[int]:
    """Return the sum after each number, as the difference of two running totals."""
    so_far = [0, *accumulate(map(int, content.split()))]
    return [total - so_far[max(0, at - WINDOW)] for at, total in enumerate(so_far)][1:]


def same_sums_at_once(content: bytes, got: Any) -> Mismatch | None:
    """Compare all results of a turn; look for the first difference only if they differ."""
    expected = sums(content)
    if got == expected:
        return None
    if not isinstance(got, list) or len(got) != len(expected):
        return same_value(len(expected), len(got) if isinstance(got, list) else got, what="the number of results")
    at = next(at for at, (want, have) in enumerate(zip(expected, got, strict=True)) if want != have)
    return same_value(expected[at], got[at], what=f"the result of slide {at + 1}")
