"""Measure Lab 7's tree against a scan, and peer-to-peer delivery against the backlog.

    .venv/bin/python benchmarks/lab07_irm.py [--turns 9]

The reference's `FirstFit` and the throughput check's baseline take turns on the same placements and removals, in
alternating order; the chosen workers are compared in every turn. Then payloads of 1 MB and of 100 bytes go to two real
engines that do nothing with them: peer to peer, with two messages in flight, and through the backlog, with a master
that never answers `push`. Prints the median of the turns' ratios with its 95 % bootstrap interval and its goal; exits
with 1 if a goal is missed.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from intervals import interval  # noqa: E402

import streamlab  # noqa: E402
from autograder.stages.lab07_irm.packing.workload import workload  # noqa: E402
from streamlab.lab07_irm.connector import Connector  # noqa: E402
from streamlab.lab07_irm.datatypes import Order  # noqa: E402
from streamlab.lab07_irm.server import Server  # noqa: E402
from streamlab.notebooks.labfile import read_lab  # noqa: E402
from streamlab.notebooks.loader import Stage, load_cells  # noqa: E402

LAB = "lab07_irm"
BASELINE = ROOT / "autograder" / "stages" / LAB / "baselines" / "list_and_scan.py"
TREE_GOAL = 5.0
MESSAGES = {1_000_000: 200, 100: 3000}  # bytes -> how many in a turn
GOALS = {1_000_000: 1.3}  # peer to peer against the backlog
ENGINES, IMAGE, LIMIT_S = 2, "image", 60.0


def main() -> int:
    """Measure and print; return 0 if all goals are reached, otherwise 1."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--turns", type=int, default=9)
    turns = parser.parse_args().turns
    vars(streamlab)["session"] = lambda *_, **__: None  # these tasks need no Spark
    tasks = load_cells(LAB, read_lab(ROOT / "solutions" / LAB / f"{LAB}.py").cells, module_name="measured")
    assert not tasks.errors, [each.sentence() for each in tasks.errors]
    scan = load_cells(LAB, read_lab(BASELINE).cells, module_name="baseline")
    reached = [_packers(tasks.FirstFit, scan.FirstFit, turns)]
    reached += [_deliveries(tasks, size_bytes, turns) for size_bytes in MESSAGES]
    return 0 if all(reached) else 1


def _packers(tree: Any, scan: Any, turns: int) -> bool:
    lines, calls = workload("measured")
    rates: dict[str, list[float]] = {"tree": [], "scan": []}
    for turn in range(turns):
        found = {}
        for name in list(rates) if turn % 2 else reversed(rates):
            took_s, found[name] = _packed({"tree": tree, "scan": scan}[name](), lines.decode().splitlines())
            rates[name].append(calls / took_s)
        assert found["tree"] == found["scan"], "different workers"
    return _print_ratio("FirstFit, calls/s", rates, "tree", "scan", TREE_GOAL)


def _packed(workers: Any, lines: list[str]) -> tuple[float, list[int]]:
    began_s, found = time.perf_counter(), []
    for line in lines:
        engine, _, size = line.partition(" ")
        found.append(workers.place(engine, int(size)) if size else workers.remove(engine))
    return time.perf_counter() - began_s, found


def _deliveries(tasks: Stage, size_bytes: int, turns: int) -> bool:
    masters = {"peer to peer": tasks.Master, "backlog": _backlog_only(tasks.Master)}
    rates: dict[str, list[float]] = {name: [] for name in masters}
    for turn in range(-1, turns):  # the first one warms up and does not count
        for name in list(masters) if turn % 2 else reversed(masters):
            took_s = _sent(masters[name](10**6), size_bytes, MESSAGES[size_bytes], stored=name == "backlog")
            if turn >= 0:
                rates[name].append(MESSAGES[size_bytes] / took_s)
    return _print_ratio(f"{size_bytes:,} bytes, messages/s", rates, "peer to peer", "backlog", GOALS.get(size_bytes))


def _backlog_only(master: Any) -> Any:
    class BacklogOnly(master):  # type: ignore[misc]
        """A master that sends every payload to the backlog, and from there to an engine."""

        def offer(self, message: str, image: str) -> list[Order]:
            return [Order("store", message)]

        def stored(self, message: str) -> list[Order]:
            [order] = super().offer(message, IMAGE)
            if order.what == "push":
                return [Order("hand", message, order.engine)]
            return list(super().stored(message))

    return BacklogOnly


def _sent(master: Any, size_bytes: int, count: int, stored: bool) -> float:
    """Return the seconds from the first message to the last `forget`; two messages are in flight at a time."""
    payload = bytes(size_bytes)
    with _running(master) as server:
        connector = Connector(server.address, most=ENGINES)
        began_s = time.perf_counter()
        for number in range(count):
            assert connector.send(f"m{number}", IMAGE, payload, limit_s=LIMIT_S), "an engine does not answer"
        _wait(lambda: len(connector.finished_s) == count)
        took_s = time.perf_counter() - began_s
        assert (connector.stored, connector.pushed) == ((count, 0) if stored else (0, count)), "wrong delivery path"
        connector.close()
        return took_s


@contextmanager
def _running(master: Any) -> Iterator[Server]:
    server = Server(master)
    command = [sys.executable, "-m", "streamlab.lab07_irm.engine", str(server.address[1]), IMAGE]
    engines = [subprocess.Popen([*command, f"engine {number}", "0"], cwd=ROOT) for number in range(ENGINES)]
    try:
        _wait(lambda: len(server.engines) == ENGINES)
        yield server
    finally:
        for engine in engines:
            engine.kill()
            engine.wait()
        server.close()


def _wait(condition: Any) -> None:
    deadline_s = time.monotonic() + LIMIT_S
    while not condition():
        assert time.monotonic() < deadline_s, f"no progress within {LIMIT_S:g} s"
        time.sleep(0.001)


def _print_ratio(title: str, rates: dict[str, list[float]], fast: str, slow: str, goal: float | None) -> bool:
    """Print the ratio of the fast side to the slow one; return whether it reaches the goal, if it has one."""
    ratios = [one / other for one, other in zip(rates[fast], rates[slow], strict=True)]
    low, high = interval(ratios)
    medians = ", ".join(f"{name} {median(each):,.0f}" for name, each in rates.items())
    goal_text = f", goal {goal:g}" if goal else ""
    print(f"{title}: {medians}   {median(ratios):.2f} ({low:.2f} to {high:.2f}) times as fast{goal_text}", flush=True)
    return goal is None or median(ratios) >= goal


if __name__ == "__main__":
    sys.exit(main())
