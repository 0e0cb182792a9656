"""Compare the time to judge one whole Lab 1 submission with that of a bare, untuned PySpark program, in turns.

    .venv/bin/python benchmarks/judging.py [--pairs 7]

The bare program starts a session, runs one groupBy().count() and stops. The judge runs the reference of Lab 1 in the
sandbox with all checks but the throughput check. Both are whole processes, timed from outside. Prints the ratio of each
pair, then the median of the ratios with a bootstrap interval, and the peak memory of the sandbox.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from intervals import interval

ROOT = Path(__file__).resolve().parents[1]
BARE = """
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[2]").getOrCreate()
spark.range(1000).selectExpr("id % 10 AS key").groupBy("key").count().collect()
spark.stop()
"""
SUBMISSION = ROOT / "solutions" / "lab01_wordcount" / "lab01_wordcount.py"


def seconds(command: list[str], environment: dict[str, str]) -> float:
    """Run a process, which must succeed; return its wall-clock seconds."""
    began = time.perf_counter()
    subprocess.run(command, check=True, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--sandbox", default="bubblewrap")
    pairs = parser.parse_args().pairs
    environment = {**os.environ, "JAVA_HOME": java_home(), "PYTHONPATH": str(ROOT)}
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder) / "results.json"
        judge = [
            sys.executable,
            "-m",
            "autograder.cli",
            "judge",
            str(SUBMISSION),
            "--no-throughput",
            "--json",
            str(results),
        ]
        bare = [sys.executable, "-c", BARE]
        seconds(bare, environment), seconds(judge, environment)
        ratios, peaks = [], []
        for number in range(pairs):
            sides = {"judge": judge, "bare": bare} if number % 2 else {"bare": bare, "judge": judge}
            took = {name: seconds(command, environment) for name, command in sides.items()}
            ratios.append(took["judge"] / took["bare"])
            outcome = json.loads(results.read_text(encoding="utf-8"))
            assert outcome["score"] == outcome["max_score"], "the reference must get all points"
            peaks.append(outcome["streamlab"]["timing"]["peak_mb"])
            print(
                f"pair {number + 1}: judge {took['judge']:.2f} s, bare {took['bare']:.2f} s, {ratios[-1]:.2f}",
                flush=True,
            )
    low, high = interval(ratios)
    figures = f"{median(ratios):.2f} (95 % interval {low:.2f} to {high:.2f}, {pairs} pairs)"
    print(f"judge / bare: {figures}; peak {max(peaks)} MB")


def java_home() -> str:
    """Return the home of the Java that the kit found; the bare program uses it, too."""
    sys.path.insert(0, str(ROOT))
    from streamlab.java.finder import find_java

    return find_java().home


if __name__ == "__main__":
    main()
