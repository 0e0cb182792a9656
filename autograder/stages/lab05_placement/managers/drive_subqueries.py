"""Instances that are processes, each with the learner's `Aggregate` of Lab 4 over its own share of a query's rows.

A process knows no row before it is fed, so a new one gets the rows of its instance from the first on.
"""

import json
import subprocess
import sys
from collections import Counter
from contextlib import redirect_stdout, suppress
from functools import partial
from typing import Any

from streamlab.kit_program import PYTHON, kit_environment
from streamlab.lab04_subqueries.engine import TimeWindow

PROGRAM = "import pickle, sys; pickle.load(sys.stdin.buffer)()"


def count_visits(aggregate: type, window_ms: int) -> None:
    """Count the visits of each ip: for each line [rows, time] of the input, write the results before that time."""
    operator, results = aggregate(["ip"], TimeWindow(window_ms, window_ms), {"visits": ("COUNT", "ip")}), sys.stdout
    with redirect_stdout(sys.stderr):  # what an Aggregate prints is no result
        for line in sys.stdin.buffer:
            rows, until_ms = json.loads(line)
            found = []
            for row in rows:
                found += [*operator.on_time(row["t"]), *operator.on_row(row)]
            print(json.dumps([*found, *operator.on_time(until_ms)]), file=results, flush=True)


class Subquery:
    """A process that runs one instance. It has received no row yet; results before `known_ms` are known already."""

    def __init__(self, job: bytes, known_ms: int) -> None:
        self._known_ms, self._fed_ms = known_ms, -1
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen([*PYTHON, "-c", PROGRAM], env=kit_environment(), **pipes)
        self._write(job)

    def feed(self, share: list[Any], until_ms: int) -> int:
        """Send the rows before a time that this process does not have yet, and return their bytes."""
        rows = [row for row in share if self._fed_ms <= row["t"] < until_ms]
        self._fed_ms = until_ms
        self._write(json.dumps([rows, until_ms]).encode() + b"\n")
        return len(json.dumps(rows))

    def results(self) -> list[Any]:
        """Return the new results for the rows just sent; none if the process has ended."""
        line = self.process.stdout.readline() if self.process.stdout else b""
        return [row for row in json.loads(line or b"[]") if row["t"] >= self._known_ms]

    def _write(self, content: bytes) -> None:
        with suppress(BrokenPipeError):  # it has ended, so its results are missing
            self.process.stdin.write(content)  # type: ignore[union-attr]
            self.process.stdin.flush()  # type: ignore[union-attr]


class Subqueries:
    """The processes of all managers, and the rows that they have returned together."""

    def __init__(self, aggregate: type, shares: dict[str, list[Any]], window_ms: int) -> None:
        from pyspark import cloudpickle

        self._job, self._shares = cloudpickle.dumps(partial(count_visits, aggregate, window_ms)), shares
        self._running: list[tuple[str, Subquery]] = []
        self._known_ms, self._sent_bytes = 0, Counter[str]()
        self.results: list[Any] = []

    def start(self, instance: str) -> subprocess.Popen[bytes]:
        """Start the process of an instance."""
        subquery = Subquery(self._job, self._known_ms)
        self._running.append((instance, subquery))
        return subquery.process

    def feed(self, until_ms: int) -> None:
        """Send all processes that run the rows of their instances before a time, and collect their results."""
        running = [(instance, each) for instance, each in self._running if each.process.poll() is None]
        for instance, each in running:
            self._sent_bytes[instance] += each.feed(self._shares.get(instance, []), until_ms)
        for _, each in running:
            self.results += each.results()
        self._known_ms = until_ms

    def byte_rates(self, source: str) -> dict[tuple[str, str], float]:
        """Return the traffic so far, in bytes/s of rows from `source` to each other instance that has run."""
        others = {each: sent for each, sent in self._sent_bytes.items() if each != source}
        return {(source, each): 1000 * sent / self._known_ms for each, sent in others.items()}
