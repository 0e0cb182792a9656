"""The right contacts by comparing all pairs of fixes, with distances along the chord; the right figures of runs."""

import math
from itertools import pairwise
from typing import Any

EARTH_M = 6_371_008.8
CLEAR_M = 0.001
Contact = list[Any]


def contacts(case: dict[str, Any]) -> list[Contact]:
    """Return [a, b, begin in s, end in s, together_s] of all contacts."""
    distance_m, window_s, gap_s, _ = (float(each) for each in case["arguments"])
    met: dict[tuple[str, str], set[int]] = {}
    by_window: dict[int, list[Any]] = {}
    for fix in _counted(case):
        by_window.setdefault(int(fix[1] // (1000 * window_s)), []).append(fix)
    for window, fixes in by_window.items():
        for a, _, *place in fixes:
            for b, _, *other in fixes:
                if a < b and _is_near(place, other, distance_m):
                    met.setdefault((a, b), set()).add(window)
    return [[*pair, *each] for pair in sorted(met) for each in _joined(sorted(met[pair]), int(window_s), gap_s)]


def _counted(case: dict[str, Any]) -> list[Any]:
    """Return the fixes whose window is open when their file arrives: it ends after the watermark."""
    window_ms, lateness_ms = 1000 * case["arguments"][1], 1000 * case["arguments"][3]
    counted, watermark_ms = list[Any](), -math.inf
    for file in case["files"]:
        for fix in file:
            is_open = (fix[1] // window_ms + 1) * window_ms > watermark_ms
            assert is_open == (fix[1] >= watermark_ms), f"whether {fix} counts depends on more than was promised"
            counted += [fix] if is_open else []
        watermark_ms = max(watermark_ms, *(fix[1] - lateness_ms for fix in file))
    return counted


def _is_near(place: list[float], other: list[float], distance_m: float) -> bool:
    apart_m = _apart_m(place, other)
    assert abs(apart_m - distance_m) > CLEAR_M, "two fixes are too near to the distance itself"
    return apart_m <= distance_m


def _apart_m(place: list[float], other: list[float]) -> float:
    chord = math.dist(_on_the_sphere(*place), _on_the_sphere(*other))
    return 2 * EARTH_M * math.asin(min(1.0, chord / 2))


def _on_the_sphere(lon: float, lat: float) -> tuple[float, float, float]:
    east, north = math.radians(lon), math.radians(lat)
    return math.cos(north) * math.cos(east), math.cos(north) * math.sin(east), math.sin(north)


def _joined(windows: list[int], window_s: int, gap_s: float) -> list[list[int]]:
    """Return [begin, end, together] of windows whose pauses are at most the gap."""
    found: list[list[int]] = []
    for window in windows:
        begin_s = window * window_s
        if found and begin_s - found[-1][1] <= gap_s:
            found[-1][1:] = [begin_s + window_s, found[-1][2] + window_s]
        else:
            found.append([begin_s, begin_s + window_s, window_s])
    return found


def scaled(case: dict[str, Any]) -> list[list[Any]] | None:
    """Return [nodes, offered/s, achieved/s, lag, growth/s, bound, speed-up] of each run; None for impossible runs."""
    runs = sorted(case["runs"])
    if not runs or any(not _is_possible(*run) for run in runs):
        return None
    rates = [[_rate(samples, which) for which in (1, 2)] for _, samples in runs]
    if rates[0][1] == 0:
        return None
    bounds = ["nodes" if 100 * (offered - done) > 2 * offered else "load" for offered, done in rates]
    rows = []
    for (nodes, samples), (offered, done), bound in zip(runs, rates, bounds, strict=True):
        speedup = done * runs[0][0] / rates[0][1] if bounds[0] == "nodes" else None
        rows.append([nodes, offered, done, samples[-1][1] - samples[-1][2], offered - done, bound, speedup])
    return rows


def _is_possible(nodes: int, samples: list[list[float]]) -> bool:
    steps = list(pairwise(samples))
    rises = all(before[0] < after[0] and before[1] <= after[1] and before[2] <= after[2] for before, after in steps)
    return nodes >= 1 and len(samples) >= 2 and rises and all(0 <= done <= offered for _, offered, done in samples)


def _rate(samples: list[list[float]], which: int) -> float:
    return (samples[-1][which] - samples[0][which]) / (samples[-1][0] - samples[0][0])
