"""Traffic between instances, placements that ignore or follow it, and the model behind the paper's figures."""

from collections import Counter

import pytest

from streamlab.lab05_placement.numa import (
    PAPER,
    Flow,
    Links,
    least_loaded,
    mean_distance,
    memory_share,
    query_traffic,
    round_robin,
)
from streamlab.lab05_placement.numa.metis import metis
from streamlab.lab05_placement.numa.topology import Topology, bullion, machine


def test_links_return_what_an_instance_sends_and_receives_and_count_calls() -> None:
    links = Links({("a", "b"): 100, ("b", "a"): 5, ("c", "b"): 7})

    assert links.of("b") == {"a": Flow(5, 100), "c": Flow(0, 7)}
    assert links.of("unknown") == {}
    assert links.calls == 2


def test_query_traffic_has_the_requested_instances_and_depends_only_on_its_seed() -> None:
    first, again, other = (query_traffic(seed, 40) for seed in ("x", "x", "y"))

    assert first == again != other
    assert len(first[0]) == len(set(first[0])) == 40
    assert {name for pair in first[1] for name in pair} <= set(first[0])
    assert all(a != b for a, b in first[1])


def test_round_robin_skips_full_nodes() -> None:
    where = machine([[10, 21, 21], [21, 10, 21], [21, 21, 10]], [1, 3, 0])

    assert round_robin(list("abcd"), where) == {"a": 0, "b": 1, "c": 1, "d": 1}


def test_least_loaded_takes_the_node_with_the_smallest_share_of_busy_cores() -> None:
    where = machine([[10, 21], [21, 10]], [1, 3])

    assert least_loaded(list("abcd"), where) == {"a": 0, "b": 1, "c": 1, "d": 1}
    assert list(least_loaded(list("abcd"), machine([[10, 21], [21, 10]], [2, 4])).values()) == [0, 1, 1, 0]


@pytest.mark.parametrize("placed", [round_robin, least_loaded])
def test_more_instances_than_cores_are_rejected(placed: object) -> None:
    with pytest.raises(ValueError, match="3 instances need a core each"):
        placed(list("abc"), machine([[10]], [2]))  # type: ignore[operator]


@pytest.mark.parametrize("where", [bullion(4, 6), machine([[10, 21], [21, 10]], [20, 4]), machine([[10]], [24])])
def test_every_instance_has_a_core(where: Topology) -> None:
    instances, traffic = query_traffic("metis", 24)
    found = metis(instances, traffic, where)

    assert set(found) == set(instances)
    assert all(many <= len(where.cores[node]) for node, many in Counter(found.values()).items())


def test_instances_that_communicate_are_on_the_same_node() -> None:
    traffic = {("a", "b"): 100, ("c", "d"): 100, ("a", "c"): 1}
    found = metis(list("abcd"), traffic, machine([[10, 21], [21, 10]], [2, 2]))

    assert found["a"] == found["b"] != found["c"] == found["d"]


def rate_per_node(nodes: int) -> tuple[float, float]:
    return mean_distance(nodes), PAPER[nodes].unaware / nodes


@pytest.mark.parametrize("nodes", [1, 2, 3, 4, 8, 16])
def test_the_mean_distance_is_the_average_over_all_pairs_of_nodes(nodes: int) -> None:
    distance = bullion(nodes).distance

    assert mean_distance(nodes) == sum(sum(row.values()) for row in distance.values()) / nodes**2


def test_the_memory_share_reproduces_both_measured_points() -> None:
    share = memory_share((12.5, 400), (40, 200))

    local = 400 * (1 - share + share * 1.25)
    assert local / (1 - share + share * 4) == pytest.approx(200)


def test_the_baseline_gives_a_share_of_0_13_from_4_and_8_nodes_and_none_from_1_and_4() -> None:
    assert memory_share(rate_per_node(4), rate_per_node(8)) == pytest.approx(0.1293, abs=1e-4)
    with pytest.raises(ValueError, match=r"would need -0\.08"):
        memory_share(rate_per_node(1), rate_per_node(4))
