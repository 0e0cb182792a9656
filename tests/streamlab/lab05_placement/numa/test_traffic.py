"""Traffic between instances, and placements that ignore it."""

import pytest

from streamlab.lab05_placement.numa import Flow, Links, least_loaded, query_traffic, round_robin
from streamlab.lab05_placement.numa.topology import machine


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
