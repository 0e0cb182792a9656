"""Spark's own master packs executors by First-Fit if it is configured to: a peer of Lab 7's `FirstFit`.

By default it spreads executors out over all workers.
"""

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.autograder.stages.driven_reference import reference

pytestmark = pytest.mark.slow

WORKERS, CORES, LIMIT_S = 3, 2, 180
PACKED = ("-Dspark.deploy.spreadOutApps=false", "-Dspark.deploy.workerSelectionPolicy=WORKER_ID")
PLAYED = """
import json, sys, time
from streamlab import session
from streamlab.spark import jvm
from streamlab.spark.executors import Executors

workers, cores, *options = json.loads(sys.argv[1])
jvm.os.environ[jvm.EXECUTORS] = "1"
jvm.start_early(options=options)
spark = session("packed", elastic=(workers, cores))
executors, seen = Executors(spark.sparkContext), {}

def page_of_worker(row):
    url = row.executorLogs().apply("stdout")
    return url.split("/")[2]

def wait_for(names):
    deadline = time.monotonic() + 60
    while sorted(each.id for each in executors.running()) != sorted(names):
        assert time.monotonic() < deadline, (names, executors.running())
        time.sleep(0.05)
    rows = spark.sparkContext._jsc.sc().statusStore().executorList(True)
    for row in map(rows.apply, range(rows.size())):
        if row.id() != "driver":
            seen[row.id()] = seen.get(row.id()) or page_of_worker(row)

executors.request(3)
wait_for(["0", "1", "2"])
executors.retire(["0"])
wait_for(["1", "2"])
executors.request(4)
wait_for(["1", "2", "3", "4"])
print(json.dumps(seen))
"""


def workers_used(*options: str) -> list[int]:
    """Return the workers of executors 0, 1, 2 and, after 0 is gone, 3 and 4; workers are numbered by first use."""
    program = [sys.executable, "-c", PLAYED, json.dumps([WORKERS, CORES, *options])]
    ran = subprocess.run(program, capture_output=True, text=True, timeout=LIMIT_S)
    assert ran.returncode == 0, ran.stderr[-2000:]
    pages = json.loads(ran.stdout)
    numbers = {page: number for number, page in enumerate(dict.fromkeys(pages[str(each)] for each in range(5)))}
    return [numbers[pages[str(each)]] for each in range(5)]


def test_sparks_master_and_first_fit_use_the_same_workers() -> None:
    packing: Any = reference("lab07_irm").FirstFit(capacity=CORES)
    workers = [packing.place(str(each), 1) for each in range(3)]
    packing.remove("0")
    workers += [packing.place(str(each), 1) for each in (3, 4)]

    assert workers == [0, 0, 1, 0, 1]
    assert workers_used(*PACKED) == workers


def test_by_default_spark_spreads_executors_out() -> None:
    assert workers_used()[:3] == [0, 1, 2]
