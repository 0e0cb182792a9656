"""Traffic between instances: the flows of one instance, and the synthetic traffic of queries."""

import random
from typing import NamedTuple

from streamlab.lab05_placement.numa.topology import Traffic


class Flow(NamedTuple):
    """Traffic between an instance and another one, in bytes/s: `sent` to the other, `received` from it."""

    sent: float
    received: float


class Links:
    """The traffic of each instance; `calls` counts the calls of `of`.

    Example: Links({("a", "b"): 100, ("b", "a"): 5}).of("a") -> {"b": Flow(sent=100, received=5)}
    """

    def __init__(self, traffic: Traffic) -> None:
        self.calls = 0
        self._flows: dict[str, dict[str, Flow]] = {}
        for (sender, receiver), bytes_per_s in traffic.items():
            self._add(sender, receiver, Flow(bytes_per_s, 0))
            self._add(receiver, sender, Flow(0, bytes_per_s))

    def of(self, instance: str) -> dict[str, Flow]:
        """Return the flows of `instance` with each other instance; an instance without traffic has none."""
        self.calls += 1
        return self._flows.get(instance, {})

    def _add(self, instance: str, other: str, flow: Flow) -> None:
        so_far = self._flows.setdefault(instance, {}).get(other, Flow(0, 0))
        self._flows[instance][other] = Flow(so_far.sent + flow.sent, so_far.received + flow.received)


def query_traffic(
    seed: str,
    instances: int,
    subqueries: tuple[int, int] = (2, 4),
    degrees: tuple[int, int] = (1, 3),
    strays: float = 0.5,
) -> tuple[list[str], dict[tuple[str, str], int]]:
    """Return instances and the traffic between them in bytes/s, as queries of Lab 4 would cause it.

    Each query is a chain of `subqueries` (from, to), each with `degrees` (from, to) instances. A subquery sends to all
    instances of the next one, skewed by key: the k-th gets a share proportional to 1 / k. In addition, there are
    `strays` weak links per instance.
    """
    rng = random.Random(f"{seed}/query traffic")
    names: list[str] = []
    traffic: dict[tuple[str, str], int] = {}
    while len(names) < instances:
        _add_query(rng, names, traffic, instances, subqueries, degrees)
    for _ in range(int(strays * len(names))):
        sender, receiver = rng.sample(names, 2)
        traffic[sender, receiver] = traffic.get((sender, receiver), 0) + round(rng.random() * 2e5)
    return names, traffic


def _add_query(
    rng: random.Random,
    names: list[str],
    traffic: dict[tuple[str, str], int],
    most: int,
    subqueries: tuple[int, int],
    degrees: tuple[int, int],
) -> None:
    query = sum(name.endswith(".s0.0") for name in names)
    senders: list[str] = []
    rate = rng.choice([1, 2, 4, 8]) * 1e6
    for subquery in range(rng.randint(*subqueries)):
        degree = min(rng.randint(*degrees), most - len(names))
        receivers = [f"q{query}.s{subquery}.{number}" for number in range(degree)]
        shares = [1 / (number + 1) for number in range(degree)]
        for sender in senders:
            for receiver, share in zip(receivers, shares, strict=True):
                traffic[sender, receiver] = round(rate / len(senders) * share / sum(shares))
        names += receivers
        senders, rate = receivers, rate * rng.choice([0.1, 0.25, 0.5, 1])
