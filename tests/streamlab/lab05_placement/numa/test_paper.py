"""The model behind the paper's figures."""

import pytest

from streamlab.lab05_placement.numa import PAPER, mean_distance, memory_share
from streamlab.lab05_placement.numa.topology import bullion


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
