"""Judge the reference beside busy loops: a busy machine may leave a check open, but never fail it."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from autograder.judge.batch import judge_all
from autograder.judge.request import OnProgress
from autograder.judge.results import why_not_judged
from autograder.verify.bench import Bench
from autograder.verify.matrix import marks_in

LOOPS, LONGEST_S = 20, 900
LOOP = f"import time\nend = time.monotonic() + {LONGEST_S}\nwhile time.monotonic() < end: pass"
DECIDED = 0.95  # of all checks, at least


@contextmanager
def busy_loops(count: int = LOOPS) -> Iterator[None]:
    """Keep every core busy with `count` processes inside the block, for at most `LONGEST_S`."""
    with ExitStack() as stack:
        for _ in range(count):
            loop = stack.enter_context(subprocess.Popen([sys.executable, "-S", "-E", "-c", LOOP]))
            stack.callback(loop.kill)
        yield


def judged_beside_busy_loops(bench: Bench, on_progress: OnProgress) -> tuple[str, list[str]]:
    """Return the outcome in a few words, and a hole for each check that failed, or if too many were left open."""
    with busy_loops():
        [results] = judge_all([(bench.source, bench.request)], 1, on_progress)
    if why := why_not_judged(results):
        return "not judged", [f"beside {LOOPS} busy loops: {why}"]
    marks = marks_in(results)
    open_ones = [mark for mark in marks if mark.verdict == "inconclusive"]
    failed = [mark for mark in marks if mark.verdict not in ("pass", "inconclusive")]
    holes = [f"beside {LOOPS} busy loops, {mark.check} is {mark.verdict}: {mark.sentence}" for mark in failed]
    if len(open_ones) > (1 - DECIDED) * len(marks):
        names = ", ".join(mark.check for mark in open_ones)
        holes.append(f"beside {LOOPS} busy loops, {len(open_ones)} of {len(marks)} checks are left open: {names}")
    return f"{len(marks) - len(open_ones)} of {len(marks)} checks decided", holes
