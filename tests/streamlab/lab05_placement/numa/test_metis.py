"""Placements by METIS."""

from collections import Counter

import pytest

from streamlab.lab05_placement.numa import query_traffic
from streamlab.lab05_placement.numa.metis import metis
from streamlab.lab05_placement.numa.topology import Topology, bullion, machine


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
