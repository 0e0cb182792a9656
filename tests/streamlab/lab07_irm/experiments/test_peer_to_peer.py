"""The grid's column without Spark: a real server, engines as processes, and a master that only pushes."""

import math
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest

from streamlab.experiments.grid import Plan
from streamlab.experiments.grid_plot import draw_grid
from streamlab.lab07_irm.experiments import peer_to_peer
from streamlab.lab07_irm.experiments.peer_to_peer import NAME, measure, playing
from tests.streamlab.lab07_irm.masters import Broken, Pushes

PLAN = Plan((100, 1_000_000), (0.0, 0.1), interval_s=1.0, run_s=4.0)


class Limit(NamedTuple):
    rate_per_s: float
    bound: str


def test_payloads_go_straight_to_engines_and_each_message_has_a_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peer_to_peer, "LATE_PART", 100)  # a busy machine is late, too

    with playing(Pushes(), 0.0) as way:
        delay_s = way.mean_delay_s(1000, rate_per_s=100, run_s=0.2, give_up_s=60)

    assert 0 < delay_s < 60
    assert (way.source.pushed, way.source.stored) == (20, 0)


@pytest.mark.usefixtures("students_folder")
def test_engines_do_not_import_files_of_the_notebooks_folder() -> None:
    with playing(Pushes(), 0.0) as way:
        assert way.flooded_per_s(10) > 0


def test_the_delay_of_a_message_counts_from_its_intended_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peer_to_peer, "LATE_PART", 1000)

    with playing(Pushes(), cpu_s=0.1, engines=1) as way:
        delay_s = way.mean_delay_s(100, rate_per_s=1000, run_s=0.01, give_up_s=60)

    assert delay_s >= 0.5  # ten messages that should all have been sent at once, one after the other


def test_messages_that_pile_up_have_an_infinite_delay() -> None:
    with playing(Pushes(), cpu_s=0.2, engines=1) as way:
        assert way.mean_delay_s(100, rate_per_s=50, run_s=1.0, give_up_s=0.5) == math.inf
        assert way.mean_delay_s(100, rate_per_s=50, run_s=0.1, give_up_s=60) == math.inf


def test_an_error_in_the_master_ends_a_run() -> None:
    with playing(Broken(), 0.0) as way, pytest.raises(RuntimeError, match="the master failed"):
        way.flooded_per_s(10)


def test_the_column_has_a_cell_for_each_size_and_work(monkeypatch: pytest.MonkeyPatch) -> None:
    class Formula:
        def __init__(self, cpu_s: float) -> None:
            self.most_per_s = 2 / cpu_s if cpu_s else 400

        def flooded_per_s(self) -> float:
            return 5000.0

        def mean_delay_s(self, size_bytes: int, rate_per_s: float, run_s: float, give_up_s: float) -> float:
            return 0.001 if rate_per_s <= self.most_per_s else math.inf

    @contextmanager
    def played(master: Any, cpu_s: float) -> Iterator[Formula]:
        yield Formula(cpu_s)

    monkeypatch.setattr(peer_to_peer, "playing", played)
    monkeypatch.setattr(peer_to_peer, "loopback_bytes_per_s", lambda: 1e9)

    cells = list(measure(Pushes, PLAN, highest, limited))

    assert [(cell.integration, cell.size_bytes, cell.cpu_s) for cell in cells] == [
        (NAME, size, cpu_s) for size in PLAN.sizes for cpu_s in PLAN.cpu_s
    ]
    assert [cell.rate_per_s for cell in cells] == [312.5, 20, 250, 20]  # halved from a quarter of the limit, or doubled
    assert NAME in draw_grid(cells).svg
    assert f"Spark, {NAME}" not in draw_grid(cells).svg


def test_the_column_does_not_need_spark() -> None:
    program = "import sys, streamlab.lab07_irm.experiments.peer_to_peer; print('pyspark' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "False\n"


def highest(run: Any, start_per_s: float, interval_s: float, limit_per_s: float, most_runs: int) -> float:
    rate = start_per_s
    while rate * 2 <= limit_per_s and run(rate * 2) < interval_s:
        rate *= 2
    return rate


def limited(size: int, cpu_s: float, cores: int, bytes_per_s: float, framework: float) -> Limit:
    return min(
        Limit(bytes_per_s / size, "network"), Limit(cores / (cpu_s or 1e-9), "cpu"), Limit(framework, "framework")
    )
