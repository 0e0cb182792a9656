"""The fixed window in processes: each is pinned before it reads its rows, and a failure is reported."""

import json
import os
import sys
from pathlib import Path

import pytest

from streamlab.lab04_subqueries.engine import Numbered
from streamlab.lab05_placement.experiments import numa
from streamlab.lab05_placement.experiments.numa import NumaRun, as_json, numa_runs, pinned_cores, recorded_runs
from streamlab.lab05_placement.numa import Topology, round_robin

TWO_NODES = Topology({0: [4, 5], 1: [6, 7]}, {0: {0: 10, 1: 21}, 1: {0: 21, 1: 10}})

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="affinity exists on Linux only")


def counts(group_by: list[str], window: object, functions: object) -> Numbered:
    return Numbered(group_by, "n")


def fails(*_: object) -> Numbered:
    raise ValueError("no window")


def in_turns(instances: list[str], traffic: object, topology: Topology) -> dict[str, int]:
    return round_robin(instances, topology)


def test_each_instance_gets_another_core_of_the_node_that_place_chooses() -> None:
    assert pinned_cores(in_turns, TWO_NODES, 3) == [4, 6, 5]


def test_half_of_the_runs_are_pinned_and_all_are_measured() -> None:
    [core, *_], pinned = sorted(os.sched_getaffinity(0)), list[list[int]]()
    one_core = Topology({0: [core]}, {0: {0: 10}})
    [run] = numa_runs(counts, in_turns, lambda pid, cores: pinned.append(cores), one_core, rows=100)  # type: ignore[arg-type]

    assert pinned == [[core]] * len(run.pinned_per_s)
    assert run.instances == 1
    assert min(run.unpinned_per_s + run.pinned_per_s) > 0


def test_a_machine_with_one_node_shows_no_figure_of_remote_memory() -> None:
    one_node = Topology({0: [0, 1]}, {0: {0: 10}})
    one, two = (numa.beside_the_paper([NumaRun(2, [5.0, 7.0], [8.0])], where) for where in (one_node, TWO_NODES))

    assert one[:2] == [("this one", "2", "7", "8"), ("this one, remote memory", "one node", *["not measured"] * 2)]
    assert [row for row in one if row not in two] == [one[1]]


def test_a_recorded_run_is_read_as_it_was_written(tmp_path: Path) -> None:
    runs, path = [NumaRun(2, [5.0, 7.0], [8.0])], tmp_path / "runs.json"
    assert recorded_runs(path) == []
    assert [run.instances for run in recorded_runs()] == [1, 2], "the kit's recording on two cores"

    path.write_text(json.dumps(as_json(runs, {"cores": 2})), encoding="utf-8")

    assert recorded_runs(path) == runs


def test_an_instance_that_fails_is_reported() -> None:
    one_core = Topology({0: [0]}, {0: {0: 10}})

    with pytest.raises(numa.InstanceFailed, match=r"^an instance ended before"):
        numa_runs(fails, in_turns, os.sched_setaffinity, one_core, rows=1)  # type: ignore[arg-type]
