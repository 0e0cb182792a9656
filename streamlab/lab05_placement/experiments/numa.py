"""Pinned or not: Lab 4's fixed window in 1 to n processes, each with its own query, as the paper measured it (Lab 5).

A process counts the visits of each ip in windows of 30 s. All processes start to count at the same time; each one
reports its own rows per second, and a run's rate is their sum. Pinned processes get the node that `place` chooses.
"""

import json
import pickle
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from streamlab.kit_program import kit_environment, kit_program
from streamlab.lab04_subqueries.engine import END_MS, TimeWindow
from streamlab.lab04_subqueries.page_visits import visits
from streamlab.lab05_placement.numa import PAPER, Topology
from streamlab.progress import OnProgress, silent

MODULE, JOB, ROWS, WINDOW = "streamlab.lab05_placement.experiments.numa", "job", 100_000, TimeWindow(30_000, 30_000)
REPEATS = 3
RECORDED = Path(__file__).resolve().parents[3] / "datasets" / "lab05_placement" / "numa" / "two_cores.json"
Prepare = Callable[[int], object]  # called with a process ID


class InstanceFailed(RuntimeError):
    """A process ended before it had counted all rows."""


@dataclass(frozen=True)
class NumaRun:
    """The rows per second of all processes together, once for each repetition, with pinned processes and without."""

    instances: int
    unpinned_per_s: list[float]
    pinned_per_s: list[float]

    @property
    def row(self) -> tuple[int, float, float]:
        """The instances, and the best rate of each kind."""
        return self.instances, max(self.unpinned_per_s), max(self.pinned_per_s)


def numa_runs(
    aggregate: type, place: Any, pin: Any, topology: Topology, rows: int = ROWS, on_progress: OnProgress = silent
) -> list[NumaRun]:
    """Measure with 1, 2, 4, … processes, up to one on each core. The pinned and unpinned runs take turns.

    aggregate, place, pin: the tasks of Labs 4 and 5. Raises InstanceFailed if a process fails.
    """
    cores, found = sum(map(len, topology.cores.values())), list[NumaRun]()
    for count in sorted({*(2**k for k in range(cores.bit_length())), cores}):
        on_progress(f"{count} of {cores} processes")
        pins = [partial(_pin_to, pin, core) for core in pinned_cores(place, topology, count)]
        run = NumaRun(count, [], [])
        for _ in range(REPEATS):
            run.unpinned_per_s.append(rows_per_s(aggregate, [_leave] * count, rows))
            run.pinned_per_s.append(rows_per_s(aggregate, pins, rows))
        found.append(run)
    return found


def _leave(pid: int) -> None:
    """Leave a process to the scheduler."""


def _pin_to(pin: Any, core: int, pid: int) -> None:
    pin(pid, [core])


def pinned_cores(place: Any, topology: Topology, count: int) -> list[int]:
    """Return a core for each instance: a free one of the node that `place` chooses."""
    names = [f"i{number}" for number in range(count)]
    free = {node: list(cores) for node, cores in topology.cores.items()}
    nodes: Mapping[str, int] = place(names, {}, topology)
    return [free[nodes[name]].pop(0) for name in names]


def rows_per_s(aggregate: type, prepares: Sequence[Prepare], rows: int) -> float:
    """Return the rows per second of one process for each entry of `prepares`, which is called after its start."""
    with _started(aggregate, len(prepares), rows) as processes:
        for prepare, process in zip(prepares, processes, strict=True):
            prepare(process.pid)
        for process in processes:
            _line_to(process, "read\n")
        for process in processes:
            _line_from(process)
        for process in processes:
            _line_to(process, "count\n")
        return sum(rows / float(_line_from(process)) for process in processes)


@contextmanager
def _started(aggregate: type, count: int, rows: int) -> Iterator[list[subprocess.Popen[str]]]:
    from pyspark import cloudpickle

    with TemporaryDirectory() as folder:
        Path(folder, JOB).write_bytes(cloudpickle.dumps((aggregate, rows)))
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        command = kit_program(MODULE, str(Path(folder, JOB)))
        processes = [subprocess.Popen(command, env=kit_environment(), **pipes) for _ in range(count)]
        try:
            yield processes
        finally:
            for process in processes:
                process.kill()
                process.communicate()


def _line_to(process: Any, line: str) -> None:
    try:
        process.stdin.write(line)
        process.stdin.flush()
    except BrokenPipeError:
        raise InstanceFailed("an instance ended before it was told to count") from None


def _line_from(process: Any) -> str:
    if not (line := process.stdout.readline()):
        raise InstanceFailed("an instance ended before it had counted its rows")
    return str(line)


def main(job: Path) -> None:
    """Count as an instance: wait until it is pinned, then make the rows, which places them in near memory."""
    sys.stdin.readline()
    aggregate, count = pickle.loads(job.read_bytes())
    operator = aggregate(["ip"], WINDOW, {"count": ("COUNT", "ip")})
    rows = visits("numa", count, rate_per_s=100.0, ips=100)
    print("ready", flush=True)
    sys.stdin.readline()
    began_s = time.perf_counter()
    for row in rows:
        operator.on_time(row["t"])
        operator.on_row(row)
    operator.on_time(END_MS)
    print(time.perf_counter() - began_s, flush=True)


def beside_the_paper(runs: Sequence[NumaRun], topology: Topology) -> list[tuple[str, ...]]:
    """Return the rows of a table: this machine's runs, recorded ones, and the published ones (figure 13).

    Each has a machine, queries and two rates.
    On a machine with one node, a row says that remote memory is not measured.
    """
    nodes = sum(map(bool, topology.cores.values()))
    here: list[tuple[str, ...]] = [("this one", *(f"{each:,.0f}" for each in run.row)) for run in runs]
    if nodes == 1:
        here.append(("this one, remote memory", "one node", "not measured", "not measured"))
    here += [("recorded", *(f"{each:,.0f}" for each in run.row)) for run in recorded_runs()]
    paper = [("paper", str(many), f"{1000 * each.unaware:,}", f"{1000 * each.aware:,}") for many, each in PAPER.items()]
    return [*here, *paper]


def as_json(runs: Sequence[NumaRun], machine: dict[str, Any]) -> dict[str, Any]:
    """Return a measurement as the object that is saved as JSON."""
    return {"machine": machine, "runs": [asdict(run) for run in runs]}


def recorded_runs(path: Path = RECORDED) -> list[NumaRun]:
    """Return the runs that `./lab experiment numa` has written to `path`; none if there is no such file."""
    return [NumaRun(**run) for run in json.loads(path.read_text(encoding="utf-8"))["runs"]] if path.is_file() else []


if __name__ == "__main__":
    main(Path(sys.argv[1]))
