"""What a cluster stores after each operation of a script, from the rule alone: no deaths, no terms, no ZooKeeper."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

FAR = ((10, 15, 40, 40), (15, 10, 40, 40), (40, 40, 10, 15), (40, 40, 15, 10))
Placements = dict[str, dict[str, str]]


class World:
    """The queries, managers and placements; and for each query how many instances of the others its managers had."""

    def __init__(self) -> None:
        self.queries: dict[str, dict[str, int]] = {}
        self.managers: dict[str, int] = {}
        self.placements: Placements = {}
        self.busy: dict[str, dict[str, int]] = {}

    def after(self, name: str, *of: Any) -> int:
        """Carry out one operation; return how many placements a step writes, and 0 for other operations."""
        if name == "manager" and of[1] is not None:
            self.managers[of[0]] = of[1]
        elif name == "manager":
            del self.managers[of[0]]
        elif name == "deploy":
            self.queries[of[0]] = of[1]
        elif name == "undeploy":
            del self.queries[of[0]]
        return self._step() if name == "step" else 0

    def _step(self) -> int:
        before = {query: dict(managers) for query, managers in self.placements.items()}
        self.placements = {query: managers for query, managers in before.items() if query in self.queries}
        for query in sorted(self.queries):
            healed = self._healed(query)
            if healed or query in before:
                self.placements[query] = healed
        return sum(before.get(query) != self.placements.get(query) for query in before.keys() | self.placements.keys())

    def _healed(self, query: str) -> dict[str, str]:
        """Apply the stub's rule: the last name first; managers up to threes, then the farthest, then the last name."""
        nodes, now = self.queries[query], self.placements.get(query, {})
        kept = {instance: now[instance] for instance in nodes if now.get(instance) in self.managers}
        others = [each for name, placed in self.placements.items() if name != query for each in placed.values()]
        self.busy[query] = {name: others.count(name) for name in self.managers if name in others}
        for instance in sorted(nodes, reverse=True):
            if instance not in kept and self.managers:
                kept[instance] = self._chosen(nodes[instance], [*others, *kept.values()])
        return kept

    def _chosen(self, node: int, taken: Sequence[str]) -> str:
        ranks = [(taken.count(name) % 3, FAR[at][node], name) for name, at in self.managers.items()]
        return max(ranks)[2]


def placed_after(script: Iterable[Sequence[Any]]) -> list[tuple[int, Placements]]:
    """Return (number of placements that a step writes, all placements) after each operation."""
    world, found = World(), []
    for operation in script:
        changes = world.after(*operation)
        found.append((changes, {query: dict(managers) for query, managers in world.placements.items()}))
    return found


def changes(case: dict[str, Any]) -> dict[str, dict[str, str] | None]:
    """Return what a step must write: the new managers of each query that changes, None for one that is deleted."""
    before, world = case["placed"], _stepped(case)
    names = [name for name in before.keys() | world.placements.keys() if before.get(name) != world.placements.get(name)]
    return {name: world.placements.get(name) for name in sorted(names)}


def busy(case: dict[str, Any]) -> dict[str, dict[str, int]]:
    """Return for each query how many instances of the other queries are on each living manager that has some."""
    return _stepped(case).busy


def _stepped(case: dict[str, Any]) -> World:
    world = World()
    world.queries, world.managers, world.placements = case["queries"], case["managers"], case["placed"]
    world.after("step", "x")
    return world


def written_after(script: Sequence[Sequence[Any]]) -> list[list[str]]:
    """Return the paths of the placements that each operation changes."""
    states = [{}, *(placements for _, placements in placed_after(script))]
    return [_changed(before, after) for before, after in pairwise(states)]


def _changed(before: Placements, after: Placements) -> list[str]:
    return sorted(f"placements/{name}" for name in before.keys() | after.keys() if before.get(name) != after.get(name))
