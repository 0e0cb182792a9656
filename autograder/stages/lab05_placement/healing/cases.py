"""Placements to heal, smallest first. The first case of each check is on the four nodes of the lab's page."""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for

FOUR = [[10, 15, 40, 40], [15, 10, 40, 40], [40, 40, 10, 15], [40, 40, 15, 10]]
UNEVEN = [[10, 20, 30], [25, 10, 20], [40, 25, 10]]  # asymmetric: the two directions differ in distance
NODES = {"a1": 0, "a2": 0, "a3": 1}
MANAGERS = {"m0": 0, "m1": 1, "m2": 2, "m3": 3}
NEW = {"nodes": NODES, "running": {}, "managers": MANAGERS, "busy": {}, "distance": FOUR}
RUNS = {**NEW, "running": {"a1": "m0", "a2": "m1", "a3": "m2"}}  # nothing is to be done


def kept(seed: str) -> list[Case]:
    """Return cases in which instances already run: far away on the busiest manager, or without being wanted."""
    rng = random_for(seed, "kept")
    far = {**NEW, "running": {"a1": "m3", "a2": "m3", "a3": "m3"}, "busy": {"m3": rng.randint(60, 99)}}
    unwanted = {**NEW, "running": {"a1": "m0", "b1": "m1", "a3": "m2"}, "nodes": {"a1": 0, "a3": 1}}
    return [RUNS, far, unwanted, *[_random(rng, all_run=True) for _ in range(6)]]


def lost(seed: str) -> list[Case]:
    """Return cases with a dead manager, with ties in load and distance, and with random placements."""
    rng = random_for(seed, "lost")
    left = {name: node for name, node in MANAGERS.items() if name != "m0"}
    dead = {**NEW, "running": RUNS["running"], "managers": left, "busy": {"m3": 1, "m0": 7}}
    two_on_a_node = {**NEW, "nodes": {"a1": 1}, "managers": {"z": 1, "b": 1, "c": 0}}
    direction = {**NEW, "nodes": {"a1": 1}, "managers": {"n": 0, "m": 2}, "distance": UNEVEN}
    names = {**NEW, "nodes": {"a2": 3, "a10": 0, "b": 3}, "managers": {"m9": 0, "m10": 3}}
    two = {**NEW, "managers": {"m0": 0, "m1": 1}}
    few = [{**two, "nodes": {"a1": 0, "a2": 0}, "running": {"a2": "m0"}}, {**two, "nodes": {"b": 0, "a": 0}}]
    return [NEW, *few, dead, two_on_a_node, direction, names, *[_random(rng, all_run=False) for _ in range(20)]]


def nobody(seed: str) -> list[Case]:
    """Return cases without managers (some instances ran on one that is gone), without instances, and at rest."""
    busy = {"m0": random_for(seed, "nobody").randint(1, 9)}
    none = {**NEW, "managers": {}}
    return [RUNS, none, {**none, "running": {"a1": "m0"}, "busy": busy}, {**NEW, "nodes": {}, "busy": busy}]


def _random(rng: random.Random, *, all_run: bool) -> Case:
    managers = {f"m{at}": at for at in rng.sample(range(4), 3)}
    nodes = {f"a{at}": rng.randrange(4) for at in rng.sample(range(12), 6)}
    homes = [*managers] if all_run else [*managers, "gone"]
    running = {name: rng.choice(homes) for name in nodes if all_run or rng.random() < 0.5}
    running |= {"unwanted": rng.choice(homes)}
    busy: dict[str, Any] = {name: rng.randrange(4) for name in managers if rng.random() < 0.7}
    return {"nodes": nodes, "running": running, "managers": managers, "busy": busy, "distance": FOUR}
