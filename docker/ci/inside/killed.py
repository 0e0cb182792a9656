"""Run a job of some seconds during which ci.sh kills a worker: print its progress, then check that the sum is exact."""

import threading
import time

from streamlab import session

TASKS, TASK_S = 40, 0.5

spark = session("ci-killed")
context = spark.sparkContext
done = threading.Event()


def slowly(number: int) -> int:
    """Square a number, in half a second."""
    time.sleep(TASK_S)
    return number * number


def report_progress() -> None:
    """Print the number of finished tasks whenever it has grown."""
    reported = -1
    while not done.wait(0.1):
        stages = [context.statusTracker().getStageInfo(at) for at in context.statusTracker().getActiveStageIds()]
        finished = sum(stage.numCompletedTasks for stage in stages if stage)
        if finished > reported:
            reported = finished
            print(f"progress {finished}", flush=True)


progress = threading.Thread(target=report_progress, daemon=True)
progress.start()
began_s = time.monotonic()
got = context.parallelize(range(TASKS), TASKS).map(slowly).sum()
done.set()
progress.join()  # it queries Spark, which ends with this program
expected = sum(number * number for number in range(TASKS))
assert got == expected, f"expected {expected}, got {got}"
took_s = time.monotonic() - began_s
print(f"killed: the sum is exact, {took_s:.0f} s ({TASKS * TASK_S / 2:.0f} s without a kill)")
