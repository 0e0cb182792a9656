"""Run Lab 5's `byte_rates` on both workers, and print the cores that these may use (`cpuset` in the compose file)."""

import time

from streamlab import session
from streamlab.lab05_placement.experiments.near_or_now import where
from streamlab.notebooks.labfile import reference_cells
from streamlab.notebooks.loader import load_cells
from streamlab.notebooks.stages import ROOT, send_by_value

LAB, MANAGERS, REPORTS, PATIENCE_S = "lab05_placement", 288, 20, 60.0

spark = session("ci-placement")
parts = load_cells(LAB, reference_cells(ROOT, LAB), module_name="reference_on_the_cluster")
assert not parts.errors, parts.errors
send_by_value("reference_on_the_cluster")

deadline_s = time.monotonic() + PATIENCE_S
while spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() < 3:  # the driver is one of them
    assert time.monotonic() < deadline_s, "expected two executors"
    time.sleep(0.1)


def place(_: object) -> tuple[str, str]:
    """Return where a task runs, after a pause in which the other executor gets one, too."""
    time.sleep(0.2)
    return where()


cores = dict(spark.sparkContext.parallelize(range(16), 16).map(place).collect())
assert len(cores) == 2, f"expected two workers, got {cores}"
print("cores of the workers:", ", ".join(f"{host} {own}" for host, own in sorted(cores.items())))

rows = [
    (f"m{sender}", f"m{(sender + 1) % MANAGERS}", 1000 * at, (sender + 1) * 100 * at)
    for sender in range(MANAGERS)
    for at in range(REPORTS)
]
reports = spark.createDataFrame(rows, "sender string, receiver string, at_ms long, total_bytes long").repartition(4)
began_s = time.monotonic()
got = {row["sender"]: row["bytes_per_s"] for row in parts.byte_rates(reports).collect()}
assert got == {f"m{sender}": (sender + 1) * 100.0 for sender in range(MANAGERS)}, "the rates are wrong"
print(f"byte_rates: {len(rows)} reports of {MANAGERS} pairs, all rates right, {time.monotonic() - began_s:.1f} s")
spark.stop()
