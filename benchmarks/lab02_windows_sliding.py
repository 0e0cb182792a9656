"""Measure the cost of a slide over windows of 10 to 10,000 values: recomputed, with an inverse, and with two stacks.

    .venv/bin/python benchmarks/lab02_windows_sliding.py [--turns 9]

The values are plain integers; in a slide one value leaves, one enters, and the result is read. The four versions take
turns, in alternating order. "recompute" is the baseline of Lab 2's throughput check; `SlidingSum` and `SlidingMax` are
the lab's reference. "inverse" has the two operations in the loop itself, so it differs from `SlidingSum` by three
method calls. Prints, for each length, microseconds per slide and how many times as fast as recomputing each version
is, with the 95 % bootstrap interval of the median. The sums are compared after every turn.
"""

import argparse
import sys
from collections import deque
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from intervals import interval  # noqa: E402

import streamlab  # noqa: E402
from streamlab.notebooks.labfile import read_lab  # noqa: E402
from streamlab.notebooks.loader import Stage, load_cells  # noqa: E402

LAB = "lab02_windows"
OTHERS = ("inverse", "SlidingSum", "SlidingMax")
LENGTHS = (10, 100, 1000, 10_000)
SLIDES = {10: 4000, 100: 4000, 1000: 2000, 10_000: 400}
Window = Any


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--turns", type=int, default=9)
    turns = parser.parse_args().turns
    vars(streamlab)["session"] = lambda name: None  # these classes need no Spark
    reference = _stage(ROOT / "solutions" / LAB / f"{LAB}.py")
    baseline = _stage(ROOT / "autograder/stages" / LAB / "baselines/recompute.py")
    header = "".join(f"{name:>14}" for name in ("recompute", *OTHERS))
    print(f"{'values':>8}{header}   times as fast as recompute (95 %)")
    for length in LENGTHS:
        print(_line(length, _timed(length, turns, baseline.SlidingSum, reference)), flush=True)


def _stage(path: Path) -> Stage:
    return load_cells(LAB, read_lab(path).cells, module_name=f"measured_{path.stem}")


def _timed(length: int, turns: int, recompute: Callable[[], Window], reference: Stage) -> list[list[float]]:
    """Return the seconds per slide in each turn, for recompute, `Inverse`, `SlidingSum` and `SlidingMax`."""
    classes = (recompute, Inverse, reference.SlidingSum, reference.SlidingMax)
    windows = [_filled(new_window(), length) for new_window in classes]
    seconds: list[list[float]] = [[] for _ in classes]
    for turn in range(turns):
        values = [(turn * SLIDES[length] + at) * 7919 % 10_007 for at in range(SLIDES[length])]
        results: dict[int, list[int]] = {}
        for at in (0, 1, 2, 3) if turn % 2 else (3, 2, 1, 0):
            began = perf_counter()
            results[at] = windows[at].slide(values) if at == 1 else _slide(windows[at], values)
            seconds[at].append((perf_counter() - began) / SLIDES[length])
        assert results[0] == results[1] == results[2], f"different sums in windows of {length}"
    return seconds


class Inverse:
    """The same sum without method calls: one loop adds the value that enters and subtracts the one that leaves."""

    def __init__(self) -> None:
        self.values: deque[int] = deque()
        self.total = 0

    def add(self, value: int) -> None:
        """Add a value before the first slide."""
        self.values.append(value)
        self.total += value

    def slide(self, values: list[int]) -> list[int]:
        """Return the sum after each slide."""
        enter, leave, total, results = self.values.append, self.values.popleft, self.total, list[int]()
        keep = results.append
        for value in values:
            enter(value)
            total += value - leave()
            keep(total)
        self.total = total
        return results


def _filled(window: Window, length: int) -> Window:
    for value in range(length):
        window.add(value * 7919 % 10_007)
    return window


def _slide(window: Window, values: list[int]) -> list[int]:
    """Return the result of each slide. The loop does nothing else: a slide of `SlidingSum` takes only about 0.1 µs."""
    expire, add, result, results = window.expire, window.add, window.result, list[int]()
    keep = results.append
    for value in values:
        expire()
        add(value)
        keep(result())
    return results


def _line(length: int, seconds: list[list[float]]) -> str:
    costs = "".join(f"{median(each) * 1e6:>11.2f} µs" for each in seconds)
    gains = []
    for name, each in zip(OTHERS, seconds[1:], strict=True):
        ratios = [recomputed / own for recomputed, own in zip(seconds[0], each, strict=True)]
        low, high = interval(ratios)
        gains.append(f"{name} {median(ratios):.1f} ({low:.1f} to {high:.1f})")
    return f"{length:>8}{costs}   {', '.join(gains)}"


if __name__ == "__main__":
    main()
