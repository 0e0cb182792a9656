"""Nodes keep up with a small load and lag under a large one, and their errors are reported."""

import time
from typing import Any

import pytest

from streamlab.lab08_geofencing.experiments import capped_nodes

PARTITIONS = [[0, 2], [1, 3]]


class Busy:
    def __init__(self, work_s: float = 0.0) -> None:
        self._work_s = work_s

    def move(self, position: int) -> None:
        if position < 0:
            raise ValueError("no such place")
        until_s = time.process_time() + self._work_s
        while time.process_time() < until_s:
            pass


def run_nodes(work_s: float, assigned: Any = PARTITIONS, **more: Any) -> list[capped_nodes.Sample]:
    return capped_nodes.run(lambda: Busy(work_s), range(1000), lambda each: each % 4, assigned, 400, **more)


def test_samples_are_totals_of_all_nodes_every_quarter_of_a_second() -> None:
    samples = run_nodes(0.0, seconds=1.0)

    assert [(at_s, offered) for at_s, offered, _ in samples] == [(0.0, 0), (0.25, 100), (0.5, 200), (0.75, 300)]
    done = [each[2] for each in samples]
    assert done == sorted(done)
    assert done[0] <= 2
    assert 100 <= done[-1] <= 400


def test_a_node_at_its_cpu_share_lags() -> None:
    samples = run_nodes(0.005, assigned=[[0, 1, 2, 3]], share=0.2, seconds=1.0)  # 40 a second at most

    assert samples[-1][2] < 0.5 * samples[-1][1]


def test_the_error_of_a_node_is_reported() -> None:
    with pytest.raises(RuntimeError, match="a node failed: ValueError: no such place"):
        capped_nodes.run(Busy, [-1] * 500, lambda _: 0, [[0]], 400, seconds=1.0)


@pytest.mark.parametrize("wrong", [{"share": 0.0}, {"seconds": -1.0}, {"assigned": []}, {"seconds": 10.0}])
def test_invalid_arguments_are_rejected(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"expected at least one node|need 4000 positions"):
        run_nodes(0.0, **wrong)
