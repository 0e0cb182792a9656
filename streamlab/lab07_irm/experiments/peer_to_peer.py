"""The grid's column without Spark: HarmonicIO sends each payload directly from the source to an idle engine. (Lab 7)

There are as many engines as Lab 3's session has cores, and at most one message per engine is in flight, so none goes
through the backlog. The delay of a message is the time from its scheduled send time until the source may forget it: if
the source has to wait, messages are late. A rate is stable if all messages of a run are finished soon after its end.
"""

import contextlib
import itertools
import math
import subprocess
import time
from collections.abc import Callable, Iterator
from typing import Any

from streamlab.experiments.grid import Cell, Load, Plan, search_cell
from streamlab.experiments.limits import SMALLEST_BYTES, loopback_bytes_per_s
from streamlab.experiments.waiting import wait_until
from streamlab.kit_program import kit_environment, kit_program
from streamlab.lab07_irm.connector import Connector
from streamlab.lab07_irm.server import Server
from streamlab.progress import OnProgress, silent

NAME, IMAGE = "HarmonicIO, p2p", "grid"
ENGINES = 2  # Lab 3's session has two cores
FLOOD, TRIES = 4_000, 3
LATE_PART = 0.05  # of a run: how long after its end the last message may be finished
GIVE_UP_PART = 0.5  # of a batch: a message that is sent later than this ends a run
MOST_RUNS = 12  # delays are a hundredth of a batch, so the search overshoots far and then halves


class PeerToPeer:
    """An integration of a source, a master and engines that work on each message; `playing` starts and ends them."""

    def __init__(self, server: Server, engines: int) -> None:
        self._server, self.source = server, Connector(server.address, most=engines)
        self._engines, self._sent = engines, 0

    def flooded_per_s(self, count: int = FLOOD) -> float:
        """Return the rate of small messages that are all ready to be sent."""
        began_s = time.monotonic()
        for _ in range(count):
            self._send(bytes(SMALLEST_BYTES))
        self._finish()
        return count / (time.monotonic() - began_s)

    def mean_delay_s(self, size_bytes: int, rate_per_s: float, run_s: float, give_up_s: float) -> float:
        """Play a rate for `run_s` seconds; return the mean delay of a message, which is infinite if messages pile up.

        A message that is sent more than `give_up_s` late ends the run.
        """
        payload, due_s, began_s = bytes(size_bytes), dict[str, float](), time.monotonic()
        for number in range(max(1, round(rate_per_s * run_s))):
            now_s, next_s = time.monotonic(), began_s + number / rate_per_s
            if now_s > next_s + give_up_s:
                self._finish()
                return math.inf
            time.sleep(max(0.0, next_s - now_s))
            due_s[self._send(payload)] = next_s
        self._finish()
        finished_s = self.source.finished_s
        if max(finished_s[message] for message in due_s) > began_s + run_s * (1 + LATE_PART):
            return math.inf
        return sum(finished_s[message] - at_s for message, at_s in due_s.items()) / len(due_s)

    def _send(self, payload: bytes) -> str:
        self._sent += 1
        message = f"m{self._sent}"
        while not self.source.send(message, IMAGE, payload, limit_s=1.0):
            self._check_master()
        return message

    def _finish(self) -> None:
        wait_until(self._is_done, "not all messages were finished")

    def _is_done(self) -> bool:
        self._check_master()
        return len(self.source.finished_s) == self._sent

    def _check_master(self) -> None:
        if self._server.error:
            raise RuntimeError(f"the master failed: {self._server.error}") from self._server.error


@contextlib.contextmanager
def playing(master: Any, cpu_s: float, engines: int = ENGINES) -> Iterator[PeerToPeer]:
    """Run HarmonicIO with this master, and with engines as local processes that work `cpu_s` on each message.

    Everything ends with the block.
    """
    server, processes = Server(master), list[subprocess.Popen[bytes]]()
    try:
        for number in range(engines):
            arguments = (str(server.address[1]), IMAGE, f"engine {number}", str(cpu_s))
            program = kit_program("streamlab.lab07_irm.engine", *arguments)
            processes.append(subprocess.Popen(program, env=kit_environment()))
        wait_until(lambda: len(server.engines) == engines, f"{engines} engines did not start")
        way = PeerToPeer(server, engines)
        with contextlib.closing(way.source):
            yield way
    finally:
        for process in processes:
            process.kill()
            process.wait()
        server.close()


def measure(
    master: Callable[[], Any],
    plan: Plan,
    highest_rate: Callable[..., float],
    rate_limit: Callable[..., Any],
    on_progress: OnProgress = silent,
) -> Iterator[Cell]:
    """Measure all cells of the column, without Spark, and yield each one when it is finished."""
    on_progress("limits")
    bytes_per_s = loopback_bytes_per_s()
    with playing(master(), 0.0) as way:
        framework = max(way.flooded_per_s() for _ in range(TRIES))
    loads = [Load(*each) for each in itertools.product(plan.sizes, plan.cpu_s)]
    for number, load in enumerate(loads, 1):
        on_progress(f"cell {number} of {len(loads)}")
        limit = rate_limit(load.size_bytes, load.cpu_s, ENGINES, bytes_per_s, framework)
        with playing(master(), load.cpu_s) as way:
            cell = _cell(way, load, limit, plan, highest_rate)
        yield cell


def _cell(way: PeerToPeer, load: Load, limit: Any, plan: Plan, highest_rate: Callable[..., float]) -> Cell:
    def play(rate_per_s: float) -> float:
        return way.mean_delay_s(load.size_bytes, rate_per_s, plan.run_s, GIVE_UP_PART * plan.interval_s)

    return search_cell(NAME, load, limit, plan, highest_rate, play, MOST_RUNS)
