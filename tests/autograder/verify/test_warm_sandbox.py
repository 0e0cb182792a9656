"""Versions that hang, die or leave something get their outcome, and do not affect the next version."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.course import Limits
from autograder.inside import load_drives
from autograder.judge.jobs import Job, NumberedCase
from autograder.judge.outcomes import Outcome
from autograder.verify.warm_sandbox import Setting, Version, WarmSandbox
from streamlab.notebooks.labfile import read_lab
from tests.autograder.verify.small_lab import GROUP, LAB

LIMITS = Limits(wall_s=60, load_s=5, case_s=3, memory_mb=1500, output_mb=1, processes=200)
CASES = [NumberedCase(1, {"number": 4}), NumberedCase(2, {"number": 6})]
LEAVES = """
import os, pathlib, threading, time
def halve(number):
    os.environ["LEFT"] = "1"
    pathlib.Path("left").write_text("")
    {more}
    return number // 2
"""
LOOKS = """
import os, pathlib
def halve(number):
    return [os.environ.get("LEFT"), os.listdir("."), "SEEN" in globals()]
"""


@pytest.fixture
def sandbox(kit: Path) -> Iterator[WarmSandbox]:
    load_drives(LAB)
    cells = read_lab(kit / f"solutions/{LAB}/{LAB}.py").cells
    opened = WarmSandbox(Setting("process", kit, LAB, cells, LIMITS, share_s=20))
    yield opened
    opened.close()


def driven(sandbox: WarmSandbox, code: str, limit_s: float | None = None) -> list[Outcome]:
    version = Version(code, [Job("halve", CASES)], lambda task: limit_s)
    outcomes = sandbox.drive(version).outcomes
    return [outcomes[case.id] for case in CASES]


def test_an_alarm_ends_an_endless_loop_and_the_sandbox_continues(sandbox: WarmSandbox) -> None:
    loops = driven(sandbox, "def halve(number):\n    while True:\n        pass\n", limit_s=0.2)

    assert [each.kind for each in loops] == ["timeout", "timeout"]
    assert [each.rows for each in driven(sandbox, "")] == [{"got": 2}, {"got": 3}]
    assert sandbox.opened == 1


def test_a_limit_on_waits_holds_for_its_version_only(sandbox: WarmSandbox) -> None:
    asks = "from autograder.inside import patience\ndef halve(number):\n    return str(patience._longest_s)\n"
    jobs = [Job("halve", CASES)]

    limited = sandbox.drive(Version(asks, jobs, longest_wait_s=2.0)).outcomes
    unlimited = sandbox.drive(Version(asks, jobs)).outcomes

    assert [limited[1].rows, unlimited[1].rows] == [{"got": "2.0"}, {"got": "inf"}]


def test_too_much_memory_is_an_error_of_the_version(sandbox: WarmSandbox) -> None:
    hog, _ = driven(sandbox, "def halve(number):\n    return len(bytearray(3 * 1024**3))\n", limit_s=2.0)

    assert hog.error == "MemoryError"
    assert sandbox.opened == 1


def test_a_version_that_ends_the_process_costs_only_itself(sandbox: WarmSandbox) -> None:
    driven(sandbox, "")
    died = driven(sandbox, "import os\ndef halve(number):\n    os._exit(3)\n")

    assert [each.kind for each in died] == ["died", "died"]
    assert [each.rows for each in driven(sandbox, "")] == [{"got": 2}, {"got": 3}]
    assert sandbox.opened == 3  # one before it, one for it alone, one after it


def test_files_and_state_of_a_version_do_not_reach_the_next(sandbox: WarmSandbox) -> None:
    driven(sandbox, LEAVES.format(more="globals()['SEEN'] = 1"))
    seen, _ = driven(sandbox, LOOKS)

    assert seen.rows == {"got": [None, [], False]}
    assert sandbox.opened == 1


def test_a_thread_that_keeps_running_costs_the_sandbox(sandbox: WarmSandbox) -> None:
    endless = "threading.Thread(target=lambda: time.sleep(60), daemon=True).start()"

    driven(sandbox, LEAVES.format(more=endless))
    driven(sandbox, "")

    assert sandbox.opened == 2


SPARK_DRIVE = """
from autograder.inside import drive

@drive("halve")
def halve(stage, case, spark):
    return {"got": stage.halve(spark)}
"""
LEAVES_IN_SPARK = """
from pyspark.streaming import StreamingContext
def halve(spark):
    spark.range(3).createOrReplaceTempView("left")
    spark.conf.set("spark.sql.shuffle.partitions", "7")
    spark.readStream.format("rate").load().writeStream.format("memory").queryName("query").start()
    context = StreamingContext(spark.sparkContext, 1)
    context.queueStream([]).pprint()
    context.start()
"""
LOOKS_IN_SPARK = """
from pyspark.streaming import StreamingContext
def halve(spark):
    names = [each.name for each in spark.catalog.listTables()]
    streams = [len(spark.streams.active), StreamingContext.getActive() is None]
    return [names, spark.conf.get("spark.sql.shuffle.partitions"), streams, spark.range(4).count()]
"""


@pytest.mark.slow
def test_state_that_a_version_leaves_in_spark_does_not_reach_the_next(kit: Path, sandbox: WarmSandbox) -> None:
    (kit / f"{GROUP}/drive.py").write_text(SPARK_DRIVE)
    patient = LIMITS.model_copy(update={"case_s": 40.0})  # a new Spark on a busy machine
    sandbox.setting = replace(sandbox.setting, limits=patient, share_s=80.0)
    driven(sandbox, LEAVES_IN_SPARK)
    seen, _ = driven(sandbox, LOOKS_IN_SPARK)
    driven(sandbox, "def halve(spark):\n    spark.stop()\n")
    afterwards, _ = driven(sandbox, LOOKS_IN_SPARK)

    assert seen.rows == afterwards.rows == {"got": [[], "2", [0, True], 4]}
    assert sandbox.opened == 2
