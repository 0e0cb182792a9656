"""Run Lab 4 on both workers, unchanged: a query whose buckets change owners, HiBench's workloads, a check with a kill.

Prints for each batch which bucket is in which partition, and on which worker.
"""

import time

from streamlab import session
from streamlab.lab04_subqueries import visits
from streamlab.lab04_subqueries.engine import END_MS, START_MS, Arrival, Map, Query, centralized, in_order
from streamlab.lab04_subqueries.engine.on_spark import OnSpark, owners_of
from streamlab.lab04_subqueries.experiments.hibench import WORKLOADS, compare_engines
from streamlab.notebooks.door import notebook_check
from streamlab.notebooks.labfile import reference_cells
from streamlab.notebooks.loader import load_cells
from streamlab.notebooks.stages import ROOT, send_by_value, silent_stage

LAB, BUCKETS, DEGREES = "lab04_subqueries", 8, [2, 4]
PATIENCE_S = 60.0

spark = session("ci-subqueries")
parts = load_cells(LAB, reference_cells(ROOT, LAB), module_name="reference_on_the_cluster")
assert not parts.errors, parts.errors
send_by_value("reference_on_the_cluster")


def wait_for_two_executors() -> None:
    """Wait until both workers take part: a job that starts before that stays, with its state, on the first."""
    deadline_s = time.monotonic() + PATIENCE_S
    while spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() < 3:  # the driver is one of them
        assert time.monotonic() < deadline_s, "expected two executors"
        time.sleep(0.1)
    spark.sparkContext.parallelize(range(8), 8).foreach(lambda _: time.sleep(0.5))  # each starts its Python


def as_text(places: list[tuple[int, int, str]]) -> str:
    """Return places as text. Example: as_text([(0, 1, "spark-worker-2")]) -> "0 → 1 → spark-worker-2"."""
    return ", ".join(f"{bucket} → {partition} → {worker}" for bucket, partition, worker in places)


def with_changing_owners() -> None:
    """Count the hits of each ip in windows of 10 s, in two batches, between which all buckets of the windows move."""
    query = Query("visits").add("pick", Map(lambda row: {"ip": row["ip"]}), ["visits"], ["picked"])
    window = parts.Aggregate(["ip"], parts.TimeWindow(10_000, 5000), {"hits": ("COUNT", "ip")})
    query.add("hits", window, ["picked"], ["results"])
    rows = visits("cluster", 2000, rate_per_s=33, ips=40)
    run, results, workers = OnSpark(spark.sparkContext, parts, query, DEGREES, BUCKETS), [], set()
    for number, (low_ms, high_ms) in enumerate([(START_MS, 30_000), (30_000, END_MS)]):
        arrivals = [Arrival("visits", row) for row in rows if low_ms <= row["t"] < high_ms]
        results += [row for _, row in run.batch(spark.sparkContext.parallelize(arrivals, 2), high_ms)]
        places = run.places(1)
        print(f"batch {number + 1}, bucket → partition → worker: {as_text(places)}")
        assert [place[:2] for place in places] == [(b, (b + number) % 4) for b in range(BUCKETS)], places
        workers |= {worker for _, _, worker in places}
        run.owners[1] = owners_of([(bucket + 1) % 4 for bucket in range(BUCKETS)], 4)
    assert len(workers) == 2, f"expected both workers to hold state, got {workers}"
    right = centralized(query, {"visits": rows})["results"]
    assert in_order("results", results) == right, "the rows are not those of the centralized run"
    print(f"{len(right)} rows, equal to the centralized run")


wait_for_two_executors()
with_changing_owners()
compared = [compare_engines(spark, parts, workload, visits("HiBench", 2000)) for workload in WORKLOADS]
assert all(each.is_equal for each in compared), compared
print(f"HiBench on the workers: {', '.join(each.workload for each in compared)}, equal to one process")
problem = notebook_check().first_problem(parts, "spark_step", silent_stage)
assert problem is None, problem
print("spark_step passes its checks on the workers; one of the checks kills a Python worker")
