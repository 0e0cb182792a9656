"""The rates by definition, with exact fractions: it walks through the reports of each pair in the order of time."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any


def rates(reports: Iterable[Any]) -> dict[tuple[str, str], float]:
    """Return the bytes per second of each pair with reports of at least two times."""
    totals: dict[tuple[str, str], dict[int, int]] = {}
    for sender, receiver, at_ms, total_bytes in reports:
        totals.setdefault((sender, receiver), {})[at_ms] = total_bytes
    return {pair: _rate(sorted(of.items())) for pair, of in totals.items() if len(of) > 1}


def _rate(readings: list[tuple[int, int]]) -> float:
    grown, (_, last) = 0, readings[0]
    for _, total in readings[1:]:
        grown += total - last if total >= last else total
        last = total
    return float(Fraction(1000 * grown, readings[-1][0] - readings[0][0]))
