"""What a slide costs: summed anew, by `SlidingSum` and by `SlidingMax`, over windows of 10 to 10,000 values.

    .venv/bin/python benchmarks/sliding_windows.py [--turns 9]

Plain whole numbers; in a slide one value leaves, one enters, and the result is asked for. The three take turns, and
who begins changes. Prints the curve: for each length microseconds a slide, and how many times as fast as summing anew
each of the two is, with the 95 % bootstrap interval of the median. Recomputing is the yardstick of Lab 2's race, the
others are its reference. Results are compared after every turn.
"""

import argparse
import sys
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
from streamlab.notebooks.loading import Stage, load_cells  # noqa: E402

LAB = "lab02_windows"
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
    yardstick = _stage(ROOT / "autograder/stages" / LAB / "yardsticks/recompute.py")
    print(f"{'values':>8}{'recompute':>14}{'SlidingSum':>14}{'SlidingMax':>14}   times as fast as recompute (95 %)")
    for length in LENGTHS:
        print(_line(length, _timed(length, turns, yardstick.SlidingSum, reference)), flush=True)


def _stage(path: Path) -> Stage:
    return load_cells(LAB, read_lab(path).cells, module_name=f"measured_{path.stem}")


def _timed(length: int, turns: int, recompute: Callable[[], Window], reference: Stage) -> list[list[float]]:
    """Seconds a slide of each turn: summed anew, sliding sum, sliding maximum."""
    windows = [_filled(make(), length) for make in (recompute, reference.SlidingSum, reference.SlidingMax)]
    seconds: list[list[float]] = [[], [], []]
    for turn in range(turns):
        results: dict[int, list[int]] = {}
        for which in (0, 1, 2) if turn % 2 else (2, 1, 0):
            began = perf_counter()
            results[which] = _slid(windows[which], turn, SLIDES[length])
            seconds[which].append((perf_counter() - began) / SLIDES[length])
        assert results[0] == results[1], f"different sums in windows of {length}"
    return seconds


def _filled(window: Window, length: int) -> Window:
    for value in range(length):
        window.add(value * 7919 % 10_007)
    return window


def _slid(window: Window, turn: int, slides: int) -> list[int]:
    results = []
    for value in range(turn * slides, (turn + 1) * slides):
        window.expire()
        window.add(value * 7919 % 10_007)
        results.append(window.result())
    return results


def _line(length: int, seconds: list[list[float]]) -> str:
    costs = "".join(f"{median(each) * 1e6:>11.2f} µs" for each in seconds)
    gains = []
    for name, each in zip(("SlidingSum", "SlidingMax"), seconds[1:], strict=True):
        ratios = [anew / own for anew, own in zip(seconds[0], each, strict=True)]
        low, high = interval(ratios)
        gains.append(f"{name} {median(ratios):.1f} ({low:.1f} to {high:.1f})")
    return f"{length:>8}{costs}   {', '.join(gains)}"


if __name__ == "__main__":
    main()
