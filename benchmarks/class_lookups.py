"""Compare the processor time of small batches with and without the cache of class lookups, in turns.

`python benchmarks/class_lookups.py [--pairs N]` prints for each pair the seconds of processor time, of Python, Java and
Spark's workers together, that ten streams take after a warm-up, and at the end the median of the ratios with its 95 %
bootstrap interval. Each side runs in a new process; each stream sums pairs in windows over eight batches of 0.1 s.
"""

import argparse
import os
import statistics
import subprocess
import sys
from operator import add, sub
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
from intervals import interval

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROOT = Path(__file__).resolve().parents[1]
SIDES = ("cached", "asked")
WARM_UP, STREAMS, BATCHES = 4, 10, 8


def main() -> None:
    """Measure pairs of runs and print their seconds and the ratio."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--side", choices=SIDES, help="run one side in this process, and print its seconds")
    options = parser.parse_args()
    if options.side:
        print(measured(options.side))
        return
    ratios = []
    for pair in range(options.pairs):
        seconds = {side: seconds_of(side) for side in SIDES[:: 1 if pair % 2 else -1]}
        cached_s, asked_s = seconds["cached"], seconds["asked"]
        ratios.append(cached_s / asked_s)
        print(f"pair {pair + 1}: cached {cached_s:.1f} s, asked each time {asked_s:.1f} s", flush=True)
    low, high = interval(ratios)
    median = statistics.median(ratios)
    print(f"cached / asked: {median:.2f} (95 % interval {low:.2f} to {high:.2f}, {len(ratios)} pairs)")


def seconds_of(side: str) -> float:
    """Run one side in a new Python and return what it measured."""
    command = [sys.executable, __file__, "--side", side]
    ran = subprocess.run(
        command, check=True, env=os.environ | {"PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, text=True
    )
    return float(ran.stdout)


def measured(side: str) -> float:
    """Return the seconds of processor time that the streams take in this process and its children."""
    from streamlab.spark import jvm, session

    if side == "asked":
        jvm.cache_class_lookups = lambda: None
    spark = session("benchmark")
    for _ in range(WARM_UP):
        stream_of_sums(spark)
    before_s = processor_s()
    for _ in range(STREAMS):
        stream_of_sums(spark)
    return processor_s() - before_s


def stream_of_sums(spark: "SparkSession") -> None:
    """Play batches to a sliding window with an inverse, and check the last sum."""
    from streamlab.spark.batch_playback import play_batches

    def sums(pairs: Any) -> Any:
        return pairs.reduceByKeyAndWindow(add, sub, 0.5, 0.1)

    answers = play_batches(spark, [[("a", 1), ("b", 2)]] * BATCHES, sums)
    assert sorted(answers[-1][1]) == [("a", 5), ("b", 10)]


def processor_s() -> float:
    """Return the processor time so far of this process and its tree; ended children count in their parent."""
    own = psutil.Process()
    times = [own.cpu_times(), *(child.cpu_times() for child in own.children(recursive=True))]
    return float(sum(each.user + each.system + each.children_user + each.children_system for each in times))


if __name__ == "__main__":
    main()
