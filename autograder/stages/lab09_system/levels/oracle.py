"""The right service levels, in exact fractions, from all times of each alert."""

from fractions import Fraction
from typing import Any

CLEAR = Fraction(1, 10**9)


def levels(case: dict[str, Any]) -> list[Any] | None:
    """Return lost, twice, unknown, p50_ms, p99_ms, bad, budget_left, pages; None for invalid arguments."""
    percent, _, windows = case["objective"]
    if not case["expected"] or not 0 < percent < 100:
        return None
    times: dict[str, list[int]] = {name: [] for name in case["expected"]}
    for alert, at_ms in case["seen"]:
        times.get(alert, []).append(at_ms)
    delays = [min(times[name] or [case["now_ms"]]) - at_ms for name, at_ms in case["expected"].items()]
    bad = {name for name in times if _is_bad(name, times[name], case)}
    allowed = 1 - Fraction(str(percent)) / 100
    return [
        sum(not each for each in times.values()),
        sum(len(each) for each in times.values()) - sum(bool(each) for each in times.values()),
        len({alert for alert, _ in case["seen"] if alert not in times}),
        *(nearest_rank(delays, each) for each in (50, 99)),
        len(bad),
        float(1 - len(bad) / (allowed * len(times))),
        [_pages(window, bad, allowed, case) for window in windows],
    ]


def nearest_rank(values: list[int], percent: int) -> int:
    """Return the smallest value that at least `percent` of all values do not exceed."""
    return min(each for each in set(values) if 100 * sum(other <= each for other in values) >= percent * len(values))


def _is_bad(name: str, times: list[int], case: dict[str, Any]) -> bool:
    due_ms = case["expected"][name] + case["objective"][1]
    return all(at_ms > due_ms for at_ms in times) and (bool(times) or due_ms <= case["now_ms"])


def _pages(window: list[Any], bad: set[str], allowed: Fraction, case: dict[str, Any]) -> bool:
    long_s, short_s, factor = window
    return all(_burns(seconds, Fraction(str(factor)), bad, allowed, case) for seconds in (long_s, short_s))


def _burns(seconds: int, factor: Fraction, bad: set[str], allowed: Fraction, case: dict[str, Any]) -> bool:
    """Return whether a window burns at more than the factor; floats must not decide it."""
    ago_ms = {name: case["now_ms"] - at_ms - case["objective"][1] for name, at_ms in case["expected"].items()}
    due = [name for name, each in ago_ms.items() if 0 <= each < 1000 * seconds]
    rate = Fraction(sum(name in bad for name in due), len(due)) / allowed if due else Fraction(0)
    is_exact_in_floats = allowed.denominator in (1, 2, 4, 8)
    assert is_exact_in_floats or abs(rate - factor) > CLEAR, "rounding decides this page"
    return rate > factor
