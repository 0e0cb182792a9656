"""The rates by their definition, with exact fractions: walk the reports of each pair in the order of their times."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any


def rates(reports: Iterable[Any]) -> dict[tuple[str, str], float]:
    """Bytes per second of each pair that has reports of two times or more."""
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
