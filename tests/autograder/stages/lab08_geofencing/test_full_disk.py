"""The checkpoint's disk is full for a while: `push` stops with the reason, and loses nothing after space is freed.

The checkpoint is on a tmpfs of 2 MB in its own mount namespace.
"""

from pathlib import Path

import pytest

from tests.autograder.stages.small_disk import run_on_a_small_disk

pytestmark = pytest.mark.slow

PROGRAM = """
from pathlib import Path
from autograder.stages.lab08_geofencing.push import cases, oracle
from autograder.stages.lab08_geofencing.push.drive import _sent
from autograder.stages.lab08_geofencing.push.drive_job import event_of
from autograder.stages.lab08_geofencing.push.drive_stubs import LongitudesWatch, positions_first, read_line
from streamlab.sources.whole_files import write_whole
from streamlab.spark import session
from streamlab.lab08_geofencing.two_topics import COLUMNS, Offsets, json_rows
from tests.autograder.stages.driven_reference import reference
import json, logging

case, disk, arriving, batches = cases.played("full disk")[0], Path("disk"), Path("arriving"), {}
spark, offsets, reserve = session("full disk"), Offsets(), disk / "reserve"
logging.getLogger("py4j.clientserver").setLevel(logging.CRITICAL)
arriving.mkdir()

def keep(rows, number):
    batches[number] = [event_of(row) for row in rows.collect()]

def start(stage):
    events = stage.push(spark.readStream.schema(COLUMNS).json(str(arriving)), case["shards"], case["lateness_s"])
    return events.writeStream.option("checkpointLocation", str(disk / "checkpoint")).foreachBatch(keep).start()

def arrive(number, rows):
    made = json_rows(map(_sent, rows), offsets)
    write_whole(arriving / f"{number}.json", "".join(json.dumps(row) + "\\n" for row in made))

def fill():
    with reserve.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(1000))
        except OSError as full:
            print("full:", full.strerror)

stubs = {"read_record": read_line, "in_order": positions_first, "Watch": LongitudesWatch}
with reference("lab08_geofencing").replaced(**stubs) as stage:
    running = start(stage)
    arrive(0, case["files"][0])
    running.processAllAvailable()
    fill()
    arrive(1, case["files"][1])
    try:
        running.processAllAvailable()
        print("goes on")
    except Exception as problem:
        print("the job stops:", "No space left on device" in str(problem) or str(problem))
    running.stop()
    reserve.unlink()
    running = start(stage)
    running.processAllAvailable()
    for number, rows in (2, case["files"][2]), (3, [case["closing"]]):
        arrive(number, rows)
        running.processAllAvailable()
    running.stop()

def without_late_time(row):
    return [*row[:3], None] if row[:3] == ["IN", "s", "late"] else row

found = sorted(map(repr, map(without_late_time, (row for rows in batches.values() for row in rows))))
expected = sorted(map(repr, map(without_late_time, oracle.events(case) + oracle.rejected(case))))
print("all there, once:", found == expected)
spark.stop()
"""


def test_a_full_disk_stops_the_job_and_it_resumes_without_loss(tmp_path: Path) -> None:
    done = run_on_a_small_disk(PROGRAM, tmp_path, size="2m", timeout_s=240)

    assert done.stdout.splitlines() == [
        "full: No space left on device",
        "the job stops: True",
        "all there, once: True",
    ], done.stderr
