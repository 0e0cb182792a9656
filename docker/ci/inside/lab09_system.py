"""Run Lab 9's alerts on both workers over the cluster's Kafka, kill an executor inside a task, and count all alerts."""

import os
import signal
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import psutil

from streamlab import service, session
from streamlab.lab09_system import Alert, Dead, Payment, limit_of
from streamlab.lab09_system.alert_log import AlertLog, make_log, read_committed, row_of
from streamlab.lab09_system.city import City, Part
from streamlab.lab09_system.live.connector import Connector
from streamlab.lab09_system.parts import LIVE_CALLED
from streamlab.lab09_system.topics import records_from
from streamlab.lab09_system.words import Record
from streamlab.notebooks.labfile import reference_cells
from streamlab.notebooks.loader import load_cells
from streamlab.notebooks.stages import ROOT, send_by_value

LAB, SHARDS, LATENESS_S, AHEAD_MS, LEAST, PATIENCE_S = "lab09_system", 6, 5.0, 60_000, 500, 120.0
SECONDS, PER_S = 12, 400

spark = session("ci-system", kafka=True)
parts = load_cells(LAB, reference_cells(ROOT, LAB), module_name="reference_on_the_cluster")
assert not parts.errors, parts.errors
send_by_value("reference_on_the_cluster")


def reference_task(lab: str, name: str) -> Any:
    """Return a task of an earlier lab."""
    module = f"{lab}_with_{name}"
    loaded = load_cells(lab, reference_cells(ROOT, lab), module_name=module)
    send_by_value(module)
    return getattr(loaded, name)


class KillingStore:
    """Answers from a dict; its first call after the first batch kills the executor around it, once for all workers."""

    def __init__(self, limits: dict[str, int], folder: Path) -> None:
        self._limits, self._folder = limits, folder

    def get_many(self, keys: Any) -> dict[str, str | None]:
        """Return the rows of all keys."""
        if (self._folder / "kill").exists():
            try:
                (self._folder / "killed").touch(exist_ok=False)
            except FileExistsError:
                pass
            else:
                executor = next(each for each in psutil.Process().parents() if each.name() == "java")
                os.kill(executor.pid, signal.SIGKILL)
        return {key: str(self._limits[key]) if key in self._limits else None for key in keys}


def of_plain_python(records: list[Record], limits: dict[str, int]) -> Counter[Any]:
    """Return the alerts of one Desk that gets all records at once, and the places of dead letters."""
    rows = [parts.route(record, AHEAD_MS) for record in records]
    dead = [("DEAD", *row.record[:3]) for row in rows if isinstance(row, Dead)]
    desk, arrived = parts.Desk(), [row for row in rows if not isinstance(row, Dead)]
    decided = [
        row._replace(limit_cents=limit_of(str(limits.get(row.account, 0)))) if isinstance(row, Payment) else row
        for row in arrived
    ]
    alerts = desk.run(decided, max(row.time_ms for row in arrived) - round(1000 * LATENESS_S))
    return Counter([*dead, *(tuple(each) for each in alerts)])


def written(address: str) -> Counter[Any]:
    """Return what readers of the log see."""
    import pickle

    rows = [row_of(each.value) for each in read_committed(address, "alerts")]
    return Counter(("DEAD", *pickle.loads(row[5])[:3]) if row[0] == "DEAD" else tuple(Alert(*row[:5])) for row in rows)


def main() -> None:
    """Send the records of a city in two halves, with the kill between them, and compare."""
    city, address, folder = City("cluster"), service("kafka").address, Path(tempfile.mkdtemp())
    folder.chmod(0o777)  # workers may run as another user
    connector, limits = Connector(address), city.limits
    make_log(address, "alerts")
    halves = [city.fences()], city.records(Part(0, SECONDS, PER_S, 0.3, poison=10, ahead=5))
    records = [record for half in halves for second in half for record in second] + city.closing(SECONDS)
    seconds = [*halves[0], *halves[1], records[-1:]]
    for second in seconds[: SECONDS // 2]:
        connector.send(second)
    writer = parts.AlertWriter(AlertLog(address), 1)
    store, checkpoint = KillingStore(limits, folder), str(folder / "checkpoint")
    stream = records_from(spark, address)
    rows = parts.alerts(stream, SHARDS, LATENESS_S, lambda: store)
    query = parts.start_job(rows, writer, checkpoint)
    query.processAllAvailable()
    (folder / "kill").touch()
    for second in seconds[SECONDS // 2 :]:
        connector.send(second)
    query.processAllAvailable()
    right, deadline_s = of_plain_python(records, limits), time.monotonic() + PATIENCE_S
    while (found := written(address)).total() < right.total() and time.monotonic() < deadline_s:
        time.sleep(0.5)
    query.stop()
    connector.close()
    lost, twice, killed = (right - found).total(), (found - right).total(), (folder / "killed").exists()
    print(f"alerts: {len(records)} records on {SHARDS} shards, {right.total()} expected, {found.total()} written,")
    print(f"  {lost} lost, {twice} twice or wrong, an executor killed: {killed}, {writer.last + 1} batches")
    assert right.total() >= LEAST, f"expected at least {LEAST} alerts, got {right.total()}"
    assert killed, "expected an executor to be killed"
    assert not lost, f"expected no lost alert, got {lost}"
    assert not twice, f"expected each alert once, got {twice} more"


began_s = time.monotonic()
with parts.replaced(**{name: reference_task(lab, name) for name, lab in LIVE_CALLED.items()}):
    main()
print(f"  {time.monotonic() - began_s:.1f} s")
spark.stop()
