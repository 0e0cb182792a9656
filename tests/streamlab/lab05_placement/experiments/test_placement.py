"""The placement experiments of Lab 5."""

import pytest

from streamlab.lab04_subqueries.engine import Map, Query, TimeWindow
from streamlab.lab05_placement.experiments import placement
from streamlab.lab05_placement.experiments.placement import copy_seconds, modelled_gains, query_bytes, spread_costs
from streamlab.lab05_placement.numa import Topology, recorded, round_robin
from streamlab.lab05_placement.numa.topology import bullion, machine
from tests.autograder.stages.driven_reference import reference


def test_spreading_is_free_on_one_node_and_place_is_about_as_good_as_metis() -> None:
    lab = reference("lab05_placement")
    found = spread_costs(lab.place, lab.cost, bullion(), [1, 4])

    assert all(points[0] == (1, 1.0) for points in found.values())
    assert found["place"][1][1] <= 1.25 * found["METIS"][1][1]
    assert found["place"][1][1] < 0.5 * found["least loaded"][1][1]
    assert found["round robin"][1][1] > 2


def test_the_model_gains_nothing_if_all_memory_is_local() -> None:
    share, gains = modelled_gains([1, 4])

    assert share == pytest.approx(0.1293, abs=1e-4)
    assert [round(gain, 1) for _, _, gain in gains] == [0, 21.0]


def test_bytes_of_a_query_are_counted_between_its_instances() -> None:
    lab, rows = reference("lab04_subqueries"), [{"t": t, "ip": f"ip{t % 5}", "url": "/"} for t in range(0, 4000, 10)]
    query = Query("visits").add("pick", Map(lambda row: {"ip": row["ip"]}), ["visits"], ["picked"])
    hits = lab.Aggregate(["ip"], TimeWindow(1000, 1000), {"hits": ("COUNT", "ip")})
    query.add("hits", hits, ["picked"], ["results"])
    instances, sent = query_bytes(lab, query, [2, 2], {"visits": rows})

    assert len(instances) == 4
    assert sum(sent.values()) == sum(len(f'{{"ip": "{row["ip"]}", "t": {row["t"]}}}') for row in rows)


def test_copies_are_not_measured_on_a_single_node_or_without_numactl(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "one node" in str(copy_seconds(machine([[10]], [2])))

    monkeypatch.setattr(placement.shutil, "which", lambda name: None)
    assert "numactl" in str(copy_seconds(bullion(2, 1)))


def test_the_reference_reads_the_recorded_machines() -> None:
    read: Topology = reference("lab05_placement").read_topology(recorded("bullion_s16"))

    assert read == bullion()
    assert round_robin(["a"], read) == {"a": 0}
