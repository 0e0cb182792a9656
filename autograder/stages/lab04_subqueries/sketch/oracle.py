"""Registers and estimates from HyperLogLog's definition (Flajolet et al., 2007), and the exact count from a set."""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

from streamlab.lab04_subqueries.stable_hash import hash64

Value = str | int


def ranks(p: int, values: Iterable[Value]) -> dict[str, int]:
    """Return the rank of each register that is not 0: the first 1 after the first p bits of the hashes, from 1 on."""
    found = dict[int, int]()
    for bits in (f"{hash64(value):064b}" for value in values):
        number = int(bits[:p], base=2)
        found[number] = max(found.get(number, 0), bits[p:].index("1") + 1)
    return {str(number): found[number] for number in sorted(found)}


def estimate(registers: Sequence[int]) -> float:
    """Return the estimate from all registers, of which there are 128 or more."""
    m = len(registers)
    raw = float(m * m / sum(Fraction(1, 2**rank) for rank in registers)) * 0.7213 / (1 + 1.079 / m)
    empty = sum(rank == 0 for rank in registers)
    return m * math.log(m / empty) if empty and raw <= 2.5 * m else raw


def distinct(values: Iterable[Value]) -> int:
    """Return the exact number of distinct values."""
    return len(set(values))
