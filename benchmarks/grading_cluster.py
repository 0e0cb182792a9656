"""Grade a class with `./lab grade --master` on one worker of a Spark cluster and on two, in turns.

    .venv/bin/python benchmarks/grading_cluster.py [--students 20] [--pairs 3]

Master and workers are processes of this machine. Each worker has one core for Spark, so it judges one submission at a
time. But the sandboxes of both workers share all of the machine's cores; on two machines the gain is larger. The class
hands in Lab 1, the ten submissions of grading.py repeated, without throughput checks. The time lasts until the last
submission is judged; it includes the start of the job, but not of the cluster. Prints the median ratio with its 95 %
bootstrap interval. Marks are checked after every run.
"""

import argparse
import dataclasses
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from grading import fresh, hand_in, marks_of_kit, must_be_right  # noqa: E402
from intervals import interval  # noqa: E402
from stock_course import LAB, environment  # noqa: E402
from submissions import TEN, Handed, submissions  # noqa: E402

from tests.streamlab.spark.plain_cluster import plain_cluster  # noqa: E402


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--students", type=int, default=20)
    parser.add_argument("--pairs", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="grading-cluster-") as name:
        folder, handed = Path(name), repeated_submissions(options.students)
        for each in handed:
            hand_in(folder / "class", each)
        pairs = [_pair(folder, handed, number) for number in range(options.pairs)]
    ratios = [one_s / two_s for one_s, two_s in pairs]
    low, high = interval(ratios)
    ones, twos = zip(*pairs, strict=True)
    figures = f"{median(ratios):.2f} times as fast as one (95 % interval {low:.2f} to {high:.2f}, {len(pairs)} pairs)"
    medians = f"medians {median(ones):.0f} s and {median(twos):.0f} s"
    print(f"{options.students} submissions: two workers are {figures}; {medians}")


def repeated_submissions(count: int) -> list[Handed]:
    """Return the ten submissions, repeated under new student names, `count` in all."""
    ten = submissions(len(TEN))
    return [dataclasses.replace(ten[at % 10], student=f"{ten[at % 10].student}{at // 10 or ''}") for at in range(count)]


def _pair(folder: Path, handed: list[Handed], number: int) -> tuple[float, float]:
    """Return the seconds on one worker and on two, run in alternating order."""
    order = (1, 2) if number % 2 else (2, 1)
    seconds = {workers: _seconds(folder, handed, workers) for workers in order}
    print(f"pair {number + 1}: one worker {seconds[1]:.0f} s, two workers {seconds[2]:.0f} s", flush=True)
    return seconds[1], seconds[2]


def _seconds(folder: Path, handed: list[Handed], workers: int) -> float:
    classroom = fresh(folder / "class", folder / "class run")
    with (
        tempfile.TemporaryDirectory(prefix="grading-cluster-run-") as run,
        plain_cluster(Path(run), workers) as cluster,
    ):
        command = [sys.executable, "-m", "autograder.cli", "grade", LAB, "--no-throughput", "--master", cluster.master]
        own = environment() | cluster.environment | {"STREAMLAB_CLASS": str(classroom), "PYTHONPATH": str(ROOT)}
        began_s = time.monotonic()
        with subprocess.Popen(command, env=own, cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL) as grading:
            assert grading.stderr is not None
            lines = []
            while (line := grading.stderr.readline()) and not line.startswith(b"recording"):
                lines.append(line.decode())
            seconds = time.monotonic() - began_s
            grading.stderr.read()
        if grading.returncode:
            raise RuntimeError(f"./lab grade exited with {grading.returncode}: {''.join(lines[-3:])}")
    must_be_right(f"{workers} workers", marks_of_kit(classroom), handed)
    return seconds


if __name__ == "__main__":
    main()
