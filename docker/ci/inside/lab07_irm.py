"""Run Lab 7 on the environment's cluster, unchanged, and on two worker containers of HarmonicIO."""

import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from streamlab import session
from streamlab.lab07_irm.cell_pictures import cell_picture
from streamlab.lab07_irm.cluster import LiveRun, Setup, play_pictures
from streamlab.lab07_irm.datatypes import Rules
from streamlab.notebooks.labfile import reference_cells
from streamlab.notebooks.loader import Stage, load_cells
from streamlab.notebooks.stages import ROOT, send_by_value
from streamlab.spark.executors import Executors

SPARK_PICTURES, MOST, LOOK_S, PATIENCE_S = 48, 4, 0.2, 120.0
CELLS, SIZE_PX = 90, 384
WORKERS = ("harmonic-worker-1:5701", "harmonic-worker-2:5701")
CROSSED_MOST = 1.15  # bytes that left this container, headers included, per byte of the payloads
GROUP = "pictures of known cells"


def reference(lab: str) -> Stage:
    """Return a lab's tasks with the reference's solutions."""
    parts = load_cells(lab, reference_cells(ROOT, lab), module_name=f"reference_{lab}")
    assert not parts.errors, parts.errors
    send_by_value(f"reference_{lab}")
    return parts


def counted(spark: Any, parts: Stage, folder: str, answers: dict[str, Any]) -> None:
    """Count the cells of all pictures in a folder, one picture for each task."""
    spark.sparkContext.setJobGroup(GROUP, GROUP)
    rows = parts.cell_counts(spark.read.format("binaryFile").load(folder)).collect()
    answers.update({row.image: (row.cells, row.error is None) for row in rows})


def followed(parts: Stage, executors: Executors, job: threading.Thread) -> list[tuple[float, int]]:
    """Apply the scaler's decisions until the job is over and no executor is left.

    Returns (seconds, executors) at each change.
    """
    scaler = parts.SparkScaler(Rules(few=1, many=2, pause_s=1), idle_s=3, most=MOST)
    course, began_s = [(0.0, len(executors.running()))], time.monotonic()
    assert course[0][1] == 0, "expected a session without executors"
    job.start()
    while job.is_alive() or course[-1][1]:
        now_s, running = time.monotonic() - began_s, executors.running()
        assert now_s < PATIENCE_S, f"not within {PATIENCE_S:g} s; executors over time: {course}"
        if len(running) != course[-1][1]:
            course.append((now_s, len(running)))
        decision = scaler.decide(now_s, executors.waiting(), running)
        if decision.retire:
            executors.retire(decision.retire)
        executors.request(decision.total)
        time.sleep(LOOK_S)
    return course


def failed_tasks(spark: Any) -> int:
    """Return how many tasks of the group's stages failed."""
    tracker = spark.sparkContext.statusTracker()
    jobs = [tracker.getJobInfo(each) for each in tracker.getJobIdsForGroup(GROUP)]
    stages = [tracker.getStageInfo(each) for job in jobs for each in job.stageIds]
    return sum(stage.numFailedTasks for stage in stages)


def elastic_spark(parts: Stage) -> None:
    """Run `cell_counts` on executors that come and go as `SparkScaler` decides."""
    spark = session("ci-irm", elastic=(2, 2))
    for name, value in ("maxPartitionBytes", "1"), ("openCostInBytes", "0"):  # one picture for each task
        spark.conf.set(f"spark.sql.files.{name}", value)
    with tempfile.TemporaryDirectory() as folder:  # in TMPDIR, which the workers see
        for number in range(SPARK_PICTURES):
            Path(folder, f"{number}.png").write_bytes(cell_picture(seed=number, cells=number, size=384))
        Path(folder, "notes.txt").write_text("not a picture")
        answers: dict[str, Any] = {}
        job = threading.Thread(target=counted, args=(spark, parts, folder, answers), daemon=True)
        course = followed(parts, Executors(spark.sparkContext), job)
    right = {f"{number}.png": (number, True) for number in range(SPARK_PICTURES)} | {"notes.txt": (None, False)}
    assert answers == right, {name: answers.get(name) for name in right if answers.get(name) != right[name]}
    most, failed = max(count for _, count in course), failed_tasks(spark)
    assert 2 <= most <= MOST, f"expected 2 to {MOST} executors, got {most}"
    assert failed == 0, f"{failed} tasks failed"
    print(f"cell_counts: {SPARK_PICTURES} pictures right, no task failed; executors over time:",
          ", ".join(f"{count} at {at_s:.1f} s" for at_s, count in course))  # fmt: skip
    spark.stop()


def sent_bytes() -> int:
    """Return the bytes that this container has sent so far."""
    own = (path for path in Path("/sys/class/net").iterdir() if path.name != "lo")
    return sum(int((path / "statistics" / "tx_bytes").read_text()) for path in own)


def harmonicio(parts: Stage) -> None:
    """Send pictures to two worker containers: first faster than these are, with an engine killed, then slowly."""
    fast = played(parts, count=60, every_s=0.05, kill_after=20)
    assert fast.killed is not None, "no engine was killed"
    assert set(fast.engines.values()) == {0, 1}, f"expected engines on both workers, got {fast.engines}"
    slower = (played(parts, count=20, every_s=pause_s, kill_after=None) for pause_s in (0.3, 1.0, 3.0))
    assert any(run.pushed for run in slower), "no picture went peer to peer"  # a busy machine needs the longer pauses


def played(parts: Stage, count: int, every_s: float, kill_after: int | None) -> LiveRun:
    """Play pictures; all must finish with the right number of cells, and their bytes must cross the network once."""
    sent = [cell_picture(number, CELLS, SIZE_PX) for number in range(count)]
    payload_bytes, before_bytes = sum(map(len, sent)), sent_bytes()
    manager = parts.Manager(Rules(default_size=1000, pause_s=1, few=1, many=2))  # an engine has a worker for itself
    setup = Setup(cores=1, speed=1.0, kill_after=kill_after, hosts=WORKERS)
    run = play_pictures(parts.Master(1000), manager, sent, every_s, setup)
    crossed = (sent_bytes() - before_bytes) / payload_bytes
    assert not run.failed, f"given up: {run.failed}"
    assert len(run.measured) >= count, f"expected {count} measured pictures, got {len(run.measured)}"
    assert {cells for cells, _ in run.measured} == {CELLS}, "some counts are wrong"
    assert run.master_bytes == run.stored_bytes, f"stored {run.stored_bytes} bytes, the master got {run.master_bytes}"
    assert 1 <= crossed < CROSSED_MOST, f"payloads crossed the network {crossed:.2f} times"
    print(f"HarmonicIO: {count} pictures in {run.makespan_s:.1f} s, {len(run.engines)} engines, killed: {run.killed};"
          f" {run.pushed} went peer to peer; bytes through the master {run.master_bytes} of {payload_bytes}, as stored;"
          f" {crossed:.2f} bytes crossed the network for each byte of a payload")  # fmt: skip
    return run


lab07 = reference("lab07_irm")
with lab07.replaced(SlidingSum=reference("lab02_windows").SlidingSum):
    for each_part in elastic_spark, harmonicio:
        began_s = time.monotonic()
        each_part(lab07)
        print(f"  {time.monotonic() - began_s:.1f} s")
