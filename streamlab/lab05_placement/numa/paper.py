"""The throughput that the UPM-CEP paper measured on a Bullion S16, and a model with one parameter.

A core spends part of the time of an event on computation, and the rest, the share of memory s, on reading memory. A
read takes distance / 10 times as long as one of local memory: rate = local rate / (1 - s + s * distance / 10).
Source: the evaluation section of the paper; thousand events/s, one query on each node, HiBench's load.
"""

from typing import NamedTuple

from streamlab.experiments.published import published
from streamlab.lab05_placement.numa.topology import bullion_rows


class Measured(NamedTuple):
    """The throughput of all nodes together, in thousand events/s."""

    unaware: int
    aware: int


_FIGURES = published("lab05_placement", "upm_cep", "unaware", "aware")
PAPER = {int(nodes): Measured(*map(int, both)) for nodes, both in _FIGURES.items()}  # nodes in use -> throughput


def mean_distance(nodes: int) -> float:
    """Return the mean distance of two instances that are placed at random on `nodes` nodes of the Bullion.

    Example: mean_distance(4) -> 26.25 (10 with itself, 15 with its pair, 40 with two others)
    """
    return sum(map(sum, bullion_rows(nodes))) / nodes**2


def memory_share(near: tuple[float, float], far: tuple[float, float]) -> float:
    """Return the share of memory that explains two points (mean distance, rate per node).

    Raises ValueError if the share is not between 0 and 1, since the model then cannot explain the two points.
    Example: memory_share((10, 100), (20, 80)) -> 0.25
    """
    (near_distance, near_rate), (far_distance, far_rate) = near, far
    loss = near_rate - far_rate
    share = loss / ((far_rate * far_distance - near_rate * near_distance) / 10 + loss)
    if not 0 < share < 1:
        raise ValueError(f"a share of memory lies between 0 and 1; {near} and {far} would need {share:.3f}")
    return share
