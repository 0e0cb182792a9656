"""Source of Lab 5: placement on NUMA machines, with the reference solutions.

`./lab build` makes the student's notebook from it; autograder/stages/lab05_placement judges it.
"""

# %% [markdown]
# # Lab 5 · Placement on NUMA machines
#
# {map}
#
# Your parts decide on which node an instance runs, and restart it. Kubernetes aligns CPUs and memory, too
# ([Topology Manager][0]).
#
# [0]: https://kubernetes.io/docs/tasks/administer-cluster/topology-manager/
# [map]: {map.svg}

# %% [markdown]
# ## 1 · What works after this lab
#
# | before | after |
# |---|---|
# | a thread runs where a core is idle | each instance is pinned to the cores of one node, near its data |
# | a query stops when its process dies | an orchestrator restarts it, even after its own death |
#
# ```text
#  /sys ──▶ read_topology ──▶ place: first_placement, then best_move again and again
#           tasks 1, 2        tasks 3 to 5
#  clients ──▶ ZooKeeper ◀──▶ Orchestrator: heal, placement_changes   tasks 6, 8, 9
#                        ◀──▶ InstanceManager: start, pin, stop       task 7
# ```
#
# With **non-uniform memory access** (NUMA), a machine has **NUMA nodes** with cores and memory. To read another node's
# memory takes longer. "The paper" is Lab 4's ([UPM-CEP](https://doi.org/10.5220/0007905906720678)); its machine, a
# Bullion, has 16 nodes. {minutes} minutes, in two sittings; the notebook starts ZooKeeper.

# %% [markdown]
# ## 2 · The invariants
#
# {invariants}
#
# ## 3 · Predict
#
# Double-click this cell to answer.
#
# 1. Nodes 0, 8 and 9 are online. The distances of node 8 are `21 10 12`. How far is node 9? …
# 2. a sends bytes to b on another node. Does it cost the same if the two change places? …
# 3. A leader is paused, and another one is elected. The first one wakes up in the middle of a write. What stops it? …
#
# ## 4 · Tasks

# %% role="given" name="setup"
import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import combinations
from functools import partial
from pathlib import Path
from typing import Any

from kazoo.exceptions import BadVersionError, LockTimeout, NodeExistsError, NoNodeError
from pyspark.sql import DataFrame, Window, functions as F
from streamlab import bar_plot, check, line_plot, one_line_errors, running, session
from streamlab import show_calls, stage, table
from streamlab.lab05_placement.managers import Candidate, Member, NotLeader, Registry
from streamlab.lab05_placement.managers import deploy, sessions
from streamlab.lab05_placement.numa import PAPER, Links, Placement, Topology, Traffic
from streamlab.lab05_placement.numa import here, mean_distance, memory_share
from streamlab.lab05_placement.numa import query_traffic, recorded, round_robin

spark = session("lab05_placement")

# %% [markdown]
# ### Task 1 · `cpus`
#
# **Why.** A scheduler must know the machine. Linux writes sets of cores as lists such as `0-2,8`. Reading one wrongly
# causes no error: everything is only slow.
#
# **Tools.**
# ```python
# "0-2".partition("-")                           # ("0", "-", "2")
# "12".isdecimal(), "1_2".isdecimal()            # (True, False); but int("1_2") is 12
# "٣".isdecimal(), "٣".isascii()                 # (True, False)
# ```
# **Rule** (invariant 8). Commas separate numbers and ranges `first-last`, with first <= last, both included.
#
# **Edge cases**
# - Items come in any order, and may overlap.
# - White space around the whole text is ignored. An empty text gives `[]`.
# - Numbers have only the digits 0 to 9. Any other text is invalid: `2-1`, `1,,2`, `0-`, `1-2-3`, `1, 2`, `+1`, `a`.

# %% task="cpus" todo="read the ranges of Linux's list format; reject what Linux does not print"
def cpus(text: str) -> list[int]:
    """Return the numbers of a list in Linux's format, in ascending order, each once.

    Raises ValueError if the text is not such a list.
    Example: cpus("0-2,8,10-11\\n") -> [0, 1, 2, 8, 10, 11]
    """
    ### BEGIN SOLUTION
    found: set[int] = set()
    for item in text.strip().split(",") if text.strip() else []:
        first, dash, last = item.partition("-")
        ends = [first, last] if dash else [first]
        are_numbers = all(end.isascii() and end.isdecimal() for end in ends)
        if not are_numbers or int(ends[0]) > int(ends[-1]):
            raise ValueError(f"expected a list such as 0-2,8, got {item!r} in {text!r}")
        found.update(range(int(ends[0]), int(ends[-1]) + 1))
    return sorted(found)
    ### END SOLUTION

# %% check="cpus"
# Notice: the last line. On this machine a node has every other core.
with one_line_errors():
    show_calls(cpus, ("0-2,8,10-11\n",), ("",), ("3",), ("2-1",))
    print((recorded("two_sockets") / "node0" / "cpulist").read_text())

check("cpus")

# %% [markdown]
# ### Task 2 · `read_topology`
#
# **Why.** Linux describes the machine in [files](https://docs.kernel.org/admin-guide/mm/numaperf.html) below
# `/sys/devices/system/node`:
#
# | file | what it holds |
# |---|---|
# | `online` | a list of the nodes that are online: `0,8-9` |
# | `nodeN/cpulist` | a list of the cores of node N; empty if it has only memory |
# | `nodeN/distance` | a row of distances from node N |
#
# **Tools.** In `Topology(cores, distance)`, `cores[node]` is a list, and a core of `node` reads memory of `other` at
# `distance[node][other]`.
#
# **Rule** (invariants 1, 8). Column i of a row of distances belongs to the i-th online node, not to node i.
#
# **Edge cases**
# - Leave out cores that are not `allowed`. A node without cores stays.
# - A file of distances is damaged if it holds anything but one number per online node, or if the distance of the node
#   to itself is not 10.

# %% task="read_topology" todo="read the online nodes, the cores of each, and a row of distances for each"
def read_topology(folder: Path, allowed: Collection[int] | None = None) -> Topology:
    """Read the NUMA nodes of a machine from the files in `folder`.

    allowed: the cores to use; None allows all.
    Raises ValueError, with the path in its text, for a damaged file of distances.
    Example: read_topology(recorded("two_sockets")).distance[0] -> {0: 10, 1: 21}
    """
    ### BEGIN SOLUTION
    nodes = cpus((folder / "online").read_text())
    cores: dict[int, list[int]] = {}
    distance: dict[int, dict[int, int]] = {}
    for node in nodes:
        listed = cpus((folder / f"node{node}" / "cpulist").read_text())
        cores[node] = [core for core in listed if allowed is None or core in allowed]
        path = folder / f"node{node}" / "distance"
        row = path.read_text().split()
        are_numbers = all(word.isdecimal() for word in row)
        if not are_numbers or len(row) != len(nodes) or row[nodes.index(node)] != "10":
            expected = f"{len(nodes)} distances, with 10 for node {node}"
            raise ValueError(f"{path}: expected {expected}, got {row}")
        distance[node] = dict(zip(nodes, map(int, row), strict=True))
    return Topology(cores, distance)
    ### END SOLUTION

# %% check="read_topology"
# Prediction 1, a recorded machine, and this one. Notice: how many nodes it has.
with one_line_errors():
    print(read_topology(recorded("nodes_0_8_9")).distance[8])
    print(read_topology(recorded("two_sockets")))
    print(read_topology(recorded("two_sockets"), allowed=[0, 1, 2]).cores)
    print("this machine:", here(read_topology))

check("read_topology")

# %% [markdown]
# ### Given: the cost of a placement
#
# A receiver reads from the memory of its sender's node. The **cost of a placement** is the sum of bytes/s × distance
# over all links. Finding the cheapest one is NP-hard, so yours is a **local search**: it ends in a **local optimum**
# ([Kernighan and Lin, 1970][1]).
#
# | given | what it is |
# |---|---|
# | traffic, placement | `{(sender, receiver): bytes/s}`, `{instance: node}` |
# | `Links(traffic)` | `.of(instance)` returns `{other: Flow(sent, received)}` |
#
# [1]: https://doi.org/10.1002/j.1538-7305.1970.tb01770.x

# %% role="given" name="cost"
def cost(placement: Placement, traffic: Traffic, topology: Topology) -> float:
    """Return the sum of bytes/s × distance[receiver's node][sender's node]."""
    distance = {
        (a, b): topology.distance[placement[b]][placement[a]] for a, b in traffic
    }
    return sum(bytes_per_s * distance[pair] for pair, bytes_per_s in traffic.items())


def cost_at(
    instance: str, node: int, placement: Placement, links: Links, topology: Topology
) -> float:
    """Return what the links of `instance` cost if it is on `node`.

    Links to instances without a node cost nothing.
    """
    distance, flows = topology.distance, links.of(instance)
    placed = [
        (placement[other], flow) for other, flow in flows.items() if other in placement
    ]
    return sum(
        flow.sent * distance[there][node] + flow.received * distance[node][there]
        for there, flow in placed
    )

# %% role="given" name="swap_gain"
def swap_gain(
    a: str, b: str, placement: Placement, links: Links, topology: Topology
) -> float:
    """Return the cost now minus the cost after a and b have changed places."""
    distance, gain = topology.distance, 0.0
    for mine, other in (a, b), (b, a):
        here, there = placement[mine], placement[other]
        for peer, flow in links.of(mine).items():
            if peer == other:  # the other end adds `received`
                gain += flow.sent * (distance[there][here] - distance[here][there])
            else:
                at = placement[peer]
                gain += flow.sent * (distance[at][here] - distance[at][there])
                gain += flow.received * (distance[here][at] - distance[there][at])
    return gain

# %% role="show"
# Prediction 2: 100 bytes/s from a to b. Notice: the order of a and b matters.
uneven = {0: {0: 10, 1: 20, 2: 30}, 1: {0: 25, 1: 10, 2: 20}, 2: {0: 40, 1: 25, 2: 10}}
three, traffic = Topology({0: [0], 1: [1], 2: [2]}, uneven), {("a", "b"): 100}
with one_line_errors():
    for placement in {"a": 0, "b": 1}, {"a": 1, "b": 0}, {"a": 1, "b": 1}:
        print(placement, "costs", cost(placement, traffic, three))
    gain = swap_gain("a", "b", {"a": 0, "b": 1}, Links(traffic), three)
    print("swapping a and b saves", gain)

# %% [markdown]
# ### Task 3 · `first_placement`
#
# **Why.** A search that starts well needs fewer steps. A **greedy** start puts each instance near those that it talks
# to most.
#
# **Tools.** `max` and `min` return the first of equals.
#
# **Rule.** Place one instance after the other, and never change a chosen node.
# - Next is the instance with the most traffic, sent and received, to instances that have a node; of equals, the first
#   in `instances`.
# - It goes to the node where `cost_at` is lowest, of those with a free core; of equals, to the first in
#   `topology.cores`.
#
# There are enough cores. Change no argument.

# %% task="first_placement" todo="place one instance after the other: the one with most traffic to those placed"
def first_placement(
    instances: Sequence[str], links: Links, topology: Topology
) -> dict[str, int]:
    """Return a node for each instance.

    Example: two sockets with two cores each, {("a", "b"): 1, ("c", "a"): 5}
      -> {"a": 0, "c": 0, "b": 1}
    """
    ### BEGIN SOLUTION
    free = {node: len(cores) for node, cores in topology.cores.items()}
    unplaced, pull, placement = list(instances), Counter[str](), dict[str, int]()
    while unplaced:
        chosen = max(unplaced, key=lambda each: pull[each])
        unplaced.remove(chosen)
        nodes = [node for node in free if free[node]]
        placement[chosen] = min(
            nodes, key=lambda node: cost_at(chosen, node, placement, links, topology)
        )
        free[placement[chosen]] -= 1
        pull.update({other: sum(flow) for other, flow in links.of(chosen).items()})
    return placement
    ### END SOLUTION

# %% check="first_placement"
# Notice: the order in which a, b, c and d are placed.
sockets = Topology({0: [0, 1], 1: [2, 3]}, {0: {0: 10, 1: 21}, 1: {0: 21, 1: 10}})
links = Links({("a", "b"): 5, ("d", "a"): 100, ("b", "c"): 50})
with one_line_errors():
    print(first_placement(["a", "b", "c", "d"], links, sockets))

check("first_placement")

# %% [markdown]
# ### Task 4 · `best_move`
#
# **Why.** In one step of the search, an instance moves or swaps with another one. On a full machine only swaps are
# possible.
#
# **Rule**
# - A move goes to a node with a free core: `{instance: node}`.
# - A swap is `{instance: node of the other one, other: node of the instance}`.
# - Of several equally good changes, return any. Change no argument.

# %% task="best_move" todo="find the move or swap of the instance that lowers the cost most, if one does"
def best_move(
    instance: str, placement: Placement, links: Links, topology: Topology
) -> dict[str, int]:
    """Return the move or swap of `instance` that lowers the cost most; {} if none does.

    Example: two sockets with two cores each, {("a", "b"): 9}, a and c on 0, b on 1:
      {"a": 1} for a; {} for c
    """
    ### BEGIN SOLUTION
    here, used = placement[instance], Counter(placement.values())
    now = cost_at(instance, here, placement, links, topology)
    changes: list[tuple[float, dict[str, int]]] = [(0, {})]
    for node, cores in topology.cores.items():
        if used[node] < len(cores):
            then = cost_at(instance, node, placement, links, topology)
            changes.append((now - then, {instance: node}))
    for other, there in placement.items():
        if there != here:
            gain = swap_gain(instance, other, placement, links, topology)
            changes.append((gain, {instance: there, other: here}))
    # The first of equals: no change if none saves anything.
    return max(changes, key=lambda each: each[0])[1]
    ### END SOLUTION

# %% check="best_move"
# Node 0 is full, node 1 is not. Notice: who moves, and who swaps.
with one_line_errors():
    far = {0: {0: 10, 1: 21}, 1: {0: 21, 1: 10}}
    machine = Topology({0: [0, 1, 2], 1: [3, 4]}, far)
    links = Links({("a", "d"): 100, ("b", "c"): 50})
    placement = {"a": 0, "b": 0, "c": 0, "d": 1}
    for instance in placement:
        print(instance, best_move(instance, placement, links, machine))

check("best_move")

# %% [markdown]
# ### Task 5 · `place`
#
# **Why.** Each start may end in another local optimum, so keep the cheapest of several.
#
# **Tools.**
# ```python
# rng = random.Random("seed"); rng.sample([1, 1, 2], 3)      # the same order in every run
# ```
# **Rule** (invariants 2, 3, 8). Start at `first_placement` and at `starts` - 1 random placements. From each, carry out
# the `best_move` of each instance, until a whole round does not lower the cost. Return the cheapest result. Another
# search is right, too, if invariant 3 holds and the cost is low (part 5).
#
# **Edge cases**
# - Instances without traffic get a core, too. If all instances fit on one node, put them there.
# - The same input gives the same placement, in every process. No argument changes.

# %% task="place" todo="start at first_placement and at random; use best_move until nothing helps; return the cheapest"
def place(
    instances: Sequence[str], traffic: Traffic, topology: Topology, starts: int = 8
) -> dict[str, int]:
    """Return a node for each instance, so that the cost is low.

    starts: how many placements the search starts from, 1 or more.
    Raises ValueError if there are more instances than cores.
    Example: two sockets with two cores each, {("a", "b"): 9}: a and b on one node
    """
    ### BEGIN SOLUTION
    slots = [node for node, cores in topology.cores.items() for _ in cores]
    if len(instances) > len(slots):
        raise ValueError(f"{len(instances)} instances do not fit on {len(slots)} cores")
    for node, cores in topology.cores.items():
        if len(cores) >= len(instances):
            return dict.fromkeys(instances, node)
    links, rng = Links(traffic), random.Random(len(instances))
    placements = [
        dict(zip(instances, rng.sample(slots, len(instances)), strict=True))
        for _ in range(starts)
    ]
    placements[0] = first_placement(instances, links, topology)
    for placement in placements:
        before, now = None, cost(placement, traffic, topology)
        # Each round must lower the cost, so this ends.
        while before is None or now < before:
            for instance in instances:
                placement.update(best_move(instance, placement, links, topology))
            before, now = now, cost(placement, traffic, topology)
    return min(placements, key=lambda placement: cost(placement, traffic, topology))
    ### END SOLUTION

# %% check="place"
# Notice: the cost of round robin. (The check takes a few seconds.)
with one_line_errors():
    instances, traffic = query_traffic("show", 12)
    cores = [*range(4), *range(18, 22), *range(36, 40)]
    machine = read_topology(recorded("bullion_s16"), allowed=cores)
    local = 10 * sum(traffic.values())
    placements = {
        "place": place(instances, traffic, machine),
        "round robin": round_robin(instances, machine),
    }
    for name, nodes in placements.items():
        times = cost(nodes, traffic, machine) / local
        print(f"{name:12}", Counter(sorted(nodes.values())), f"{times:.2f} x all local")

check("place")

# %% [markdown]
# ### Tasks 6 to 9: a cluster that repairs itself
#
# **Why.** If an **instance manager** dies, an **orchestrator** starts its instances elsewhere. If the orchestrator
# dies, a new one takes over. But if the old one was only paused, two leaders write: **split brain**. So all state is in
# ZooKeeper's nodes (**znodes**) below `/cep`:
#
# | znode | content | written by |
# |---|---|---|
# | `queries/Q` | `{"nodes": {instance: node of its data}}` | clients: `deploy` |
# | `placements/Q` | `{"epoch": term, "managers": {instance: manager}}` | the leader |
# | `managers/M` | `{"node": node}`, **ephemeral**: deleted when its session ends | `join()` |
# | `claims/INSTANCE` | anything, ephemeral: its session may run the instance | managers |
# | `epoch` | the number of the last **term**, as a text, first `0` | candidates |

# %% [markdown]
# **Tools.** Managers and candidates have a session `zk`, a name `me`, and a `registry`
# ([kazoo](https://kazoo.readthedocs.io/en/2.11.0/basic_usage.html)):
# ```python
# registry.path("claims", "a1"), registry.names("claims")    # ("/cep/claims/a1", ["a1"])
# registry.all("placements")         # {"a": {"epoch": 1, "managers": {"a1": "m0"}}}
# zk.create("/lamp", b"on", ephemeral=True)  # NodeExistsError; ConnectionLoss: maybe done
# zk.set("/lamp", b"off", version=3).version # 4; BadVersionError if it was not 3
# change = zk.transaction(); change.check("/lamp", 4); change.delete("/switch")
# change.commit()                    # [True, True]; if it fails, it returns exceptions:
#                                    # [BadVersionError(), RuntimeInconsistency()]
# ```
# A transaction also has `create` and `set_data`.

# %% [markdown]
# ### Task 6 · `heal`
#
# **Why.** A move costs an instance's state and a pause, so only the instances of a dead manager move. If all went to
# the nearest manager, it would be overloaded next.
#
# **Rule** (invariant 4). Each instance of `nodes` gets a manager:
# 1. An instance keeps its manager in `running` if this one is in `managers`.
# 2. The others follow, one by one, in the order of their names. Each goes to the manager that has the fewest instances:
#    its number in `busy`, plus those of this query that it has so far.
# 3. Of equals, take the nearest, by `distance[node of the manager][node of the instance]`, then the first by name.
#
# **Edge cases**
# - Ignore instances of `running` that are not in `nodes`, and managers of `busy` that are gone.
# - A manager that `busy` lacks has 0. Without managers return `{}`. Change no argument.

# %% task="heal" todo="keep each instance on its living manager, then place the others one by one, by name"
def heal(
    nodes: Mapping[str, int],
    running: Mapping[str, str],
    managers: Mapping[str, int],
    busy: Mapping[str, int],
    topology: Topology,
) -> dict[str, str]:
    """Return {instance: manager} for the instances of a query.

    nodes: {instance: node of its data}. running: {instance: manager}, as placed so far.
    managers: {living manager: its node}.
    busy: {manager: number of its instances of other queries}.
    Example: heal({"a1": 0, "a2": 0}, {}, {"m0": 0, "m1": 1}, {}, topology)
      -> {"a1": "m0", "a2": "m1"}
    """
    ### BEGIN SOLUTION
    placed = {
        instance: running[instance]
        for instance in nodes
        if running.get(instance) in managers
    }
    load = Counter(placed.values()) + Counter(busy)
    for instance in sorted(nodes.keys() - placed.keys()) if managers else ():
        ranks = [
            (load[manager], topology.distance[node][nodes[instance]], manager)
            for manager, node in managers.items()
        ]
        placed[instance] = min(ranks)[2]
        load[placed[instance]] += 1
    return placed
    ### END SOLUTION

# %% check="heal"
# Manager m0 dies, while m3 runs another query's instance. Notice: only a1 moves.
with one_line_errors():
    bullion = read_topology(recorded("bullion_s16"))
    nodes, managers = {"a1": 0, "a2": 0, "a3": 1}, {"m0": 0, "m1": 1, "m2": 2, "m3": 3}
    placed = heal(nodes, {}, managers, {}, bullion)
    print(placed)
    del managers["m0"]
    print(heal(nodes, placed, managers, {"m3": 1}, bullion))

check("heal")

# %% [markdown]
# ### Task 7 · `InstanceManager`
#
# **Why.** A placement says which manager should run an instance. The old manager may still run it, so the new one waits
# for the **claim**.
#
# **Tools.** A `Member` has `running` (the set of instances that run; keep it up to date), `cores`, `start(instance)`,
# which returns the number of the process, `stop(instance)`, `pin(pid, cores)`, and `owns(path)`: does the znode belong
# to my session?
#
# **Rule** (invariant 5). A step does this:
# 1. Stop each running instance that no placement assigns to `me`, or whose claim is not of this session.
# 2. Delete the claims of this session whose instances are not assigned to `me`.
# 3. For each instance that is assigned to `me` and does not run, create `claims/INSTANCE`, ephemeral. If the claim is
#    of this session, also if it was there before, start the instance, and pin its process to `cores`.
#
# **Edge cases**
# - If another session has the claim, do not wait: a later step tries again. Never delete that claim.
# - ZooKeeper may raise an error at any point. The next step continues, and leaves no claim of this session without a
#   running instance.

# %% task="InstanceManager" todo="stop and release instances that are no longer yours, then claim and start new ones"
class InstanceManager(Member):
    """A manager that runs the instances that the placements assign to it.

    Example: if a placement assigns a1 to this manager, step() starts a1
    """

    def step(self) -> None:
        ### BEGIN SOLUTION
        placements = self.registry.all("placements").values()
        wanted = {
            name
            for each in placements
            for name, manager in each["managers"].items()
            if manager == self.me
        }
        for instance in sorted(self.running):
            if instance not in wanted or not self.owns(
                self.registry.path("claims", instance)
            ):
                self.stop(instance)
                self.running.remove(instance)
        for instance in self.registry.names("claims"):
            if instance not in wanted and self.owns(
                self.registry.path("claims", instance)
            ):
                # The session may just have ended, and its nodes with it.
                with suppress(NoNodeError):
                    self.zk.delete(self.registry.path("claims", instance))
        for instance in sorted(wanted - self.running):
            with suppress(NodeExistsError):
                self.zk.create(self.registry.path("claims", instance), ephemeral=True)
            if self.owns(self.registry.path("claims", instance)):
                self.pin(self.start(instance), self.cores)
                self.running.add(instance)
        ### END SOLUTION

# %% check="InstanceManager"
# m1 runs a1. Then the placement names m2. Notice: m2 waits until m1 has stopped.
# (The check takes 10 s.)
def place_at(registry: Registry, manager: str) -> None:
    path = registry.path("placements", "a")
    data = json.dumps({"epoch": 1, "managers": {"a1": manager}}).encode()
    write = registry.zk.set if registry.zk.exists(path) else registry.zk.create
    write(path, data)

callbacks = partial(print, "  start"), partial(print, "  stop")
with (
    one_line_errors(),
    running("zookeeper") as zookeeper,
    sessions(zookeeper.address, 2) as (zk1, zk2),
):
    Registry(zk1).prepare()
    m1 = InstanceManager(zk1, "m1", 1, *callbacks)
    m2 = InstanceManager(zk2, "m2", 2, *callbacks)
    for manager, steps in ("m1", [m1]), ("m2", [m2, m1, m2]):
        place_at(m1.registry, manager)
        for each in steps:
            print(f"placed at {manager}, {each.me} steps:")
            each.step()
            print(f"  m1 runs {sorted(m1.running)}, m2 runs {sorted(m2.running)}")

check("InstanceManager")

# %% [markdown]
# ### Task 8 · `placement_changes`
#
# **Why.** The leader compares what is wanted with what is stored, and writes the difference: **reconciliation**.
#
# **Rule** (invariant 7). Change no argument.
# - Delete a query of `placed` that is not deployed.
# - For each deployed query, in the order of names, the managers are what `heal` returns. `busy` counts the instances of
#   the other deployed queries: as changed for those before it, as in `placed` for those after it.
# - Return only changes: no query whose managers stay the same, and no new one for which `heal` returns `{}`.

# %% task="placement_changes" todo="delete what is not deployed, then heal each query by name; return what changes"
def placement_changes(
    queries: Mapping[str, Mapping[str, int]],
    placed: Mapping[str, Mapping[str, str]],
    managers: Mapping[str, int],
    topology: Topology,
) -> dict[str, dict[str, str] | None]:
    """Return what the leader must write: {query: its new managers, or None to delete}.

    queries: {deployed query: {instance: node of its data}}.
    placed: {query: {instance: manager}}, as stored. managers: as in `heal`.
    Example: placement_changes({"b": {"b1": 0}}, {"c": {"c1": "m0"}}, {"m0": 0}, …)
      -> {"b": {"b1": "m0"}, "c": None}
    """
    ### BEGIN SOLUTION
    changes: dict[str, dict[str, str] | None] = dict.fromkeys(
        placed.keys() - queries.keys()
    )
    now = {query: each for query, each in placed.items() if query in queries}
    for query in sorted(queries):
        busy = Counter(
            manager
            for other, each in now.items()
            if other != query
            for manager in each.values()
        )
        healed = heal(queries[query], now.get(query, {}), managers, busy, topology)
        if healed != now.get(query, {}):
            changes[query] = now[query] = healed
    return changes
    ### END SOLUTION

# %% check="placement_changes"
# Query a runs, b is new, and c is not deployed any more. Notice: a is not written.
with one_line_errors():
    bullion = read_topology(recorded("bullion_s16"))
    queries = {"a": {"a1": 0}, "b": {"b1": 0}}
    placed = {"a": {"a1": "m0"}, "c": {"c1": "m1"}}
    print(placement_changes(queries, placed, {"m0": 0, "m1": 1}, bullion))

check("placement_changes")

# %% [markdown]
# ### Task 9 · `Orchestrator`
#
# **Why.** A leader that was paused believes that it still leads, so ZooKeeper must reject its writes (**fencing**):
# ```text
# epoch  0 ──────▶ 1 ────────────────────────────▶ 2
# x      lead() → 1, step(), step() ·· paused, its session ends ·· a write: epoch is not 1
# y      lead() waits ···························· lead() → 2, step() …      → NotLeader
# ```
# **Tools.** A `Candidate` has `topology`, `epoch` (None before the first `lead`), and a
# [lock](https://kazoo.readthedocs.io/en/2.11.0/api/recipe/lock.html), `election`:
# ```python
# election.acquire(timeout=2.0)      # True, or LockTimeout; cannot be acquired again
# election.release()                 # does nothing without the lock
# ```
# **Rule** (invariants 6, 7). `lead` releases `election`, acquires it, adds 1 to the znode `epoch`, sets `self.epoch` to
# this number, and returns it.
#
# `step` reads queries, placements and managers, and writes the `placement_changes` as JSON, in the order of the
# queries' names. Each write is in a transaction that also checks that `epoch` has the version that `lead` gave it.
#
# **Edge cases**
# - `lead` raises TimeoutError if another candidate leads for all of `timeout_s`, and NotLeader if `epoch` changes
#   before its write.
# - `step` raises NotLeader before `lead()`, and as soon as another term has begun, even if there is nothing to write.
# - Keep no state but `epoch` and its version.

# %% task="Orchestrator" todo="be elected, begin a term, and write each change in a transaction that checks the term"
class Orchestrator(Candidate):
    """A candidate that, once elected, places the instances of all queries.

    lead(timeout_s=10.0): begin a term and return its number.
    step(): write the changes and return their number, deletions included.

    Example: x.lead(), x.step() -> (1, 2) in the first term, after two calls of `deploy`
    """

    def lead(self, timeout_s: float = 10.0) -> int:
        ### BEGIN SOLUTION
        self.epoch = None
        self.election.release()  # gives up the place in the queue from an earlier term
        try:
            elected = self.election.acquire(timeout=timeout_s)
        except LockTimeout:
            elected = False
        if not elected:
            raise TimeoutError(f"another candidate still leads after {timeout_s:g} s")
        path = self.registry.path("epoch")
        data, stat = self.zk.get(path)
        try:
            self._version = self.zk.set(
                path, str(int(data) + 1).encode(), stat.version
            ).version
        except BadVersionError:
            raise NotLeader(
                f"another candidate has begun a term since {self.me} was elected"
            ) from None
        self.epoch = int(data) + 1
        return self.epoch

    def step(self) -> int:
        path, read = self.registry.path("epoch"), self.registry.all
        if self.epoch is None or self.zk.exists(path).version != self._version:
            raise NotLeader(f"{self.me} does not lead; call lead()")
        queries = {query: each["nodes"] for query, each in read("queries").items()}
        placed = {query: each["managers"] for query, each in read("placements").items()}
        managers = {name: each["node"] for name, each in read("managers").items()}
        changes = placement_changes(queries, placed, managers, self.topology)
        for query, chosen in sorted(changes.items()):
            data = json.dumps({"epoch": self.epoch, "managers": chosen}).encode()
            if chosen is None:
                self._write("delete", query)
            else:
                self._write("set_data" if query in placed else "create", query, data)
        return len(changes)

    def _write(self, operation: str, query: str, *data: bytes) -> None:
        change = self.zk.transaction()
        change.check(self.registry.path("epoch"), self._version)
        getattr(change, operation)(self.registry.path("placements", query), *data)
        # commit() returns errors and raises none of them.
        if any(isinstance(result, Exception) for result in change.commit()):
            self.epoch = None
            raise NotLeader(
                f"another candidate has begun a term after {self.me} was elected"
            )
        ### END SOLUTION

# %% check="Orchestrator"
# Prediction 3. Notice: what x does in the end. (The check kills processes: 10 s.)
with (
    one_line_errors(),
    running("zookeeper") as zookeeper,
    sessions(zookeeper.address, 3) as (client, x_zk, y_zk),
):
    bullion = read_topology(recorded("bullion_s16"))
    deploy(client, "a", place(["a1", "a2"], {("a1", "a2"): 5}, bullion))
    for number in range(2):
        Member(client, f"m{number}", number, print, print).join()
    x, y = Orchestrator(x_zk, "x", bullion), Orchestrator(y_zk, "y", bullion)
    print("x leads term", x.lead(), "and writes", x.step(), "placement")
    x.election.release()  # as if the session of x had ended
    deploy(client, "b", {"b1": 3})
    print("y leads term", y.lead(), "and writes", y.step(), "placement")
    placements = y.registry.all("placements").items()
    rows = [(query, *each.values()) for query, each in placements]
    print(table(rows, ["query", "term", "managers"]))
    try:
        x.step()
    except NotLeader as problem:
        print("x raises NotLeader:", problem)

check("Orchestrator")

# %% [markdown]
# ## 5 · What the checks look at
#
# On average, small placements cost at most 1.03 times the optimum, large ones at most as much as those of METIS, a
# graph partitioner that does not know distances. In the model of `throughput` (part 9), most of them are 1.5 times as
# fast as round robin. Traffic may be fractional.
#
# **The throughput check** of `place`: {threshold of place} times the rate of the baseline, which computes the whole
# cost of each try, earns all points.
#
# ## 6 · Checkpoint
#
# Experiments (a) to (f):

# %% role="show"
# The baseline of the throughput check, whose machine is full: so all steps are swaps.
def with_whole_costs(placement: dict, traffic: Traffic, topology: Topology) -> dict:
    now, settled = cost(placement, traffic, topology), False
    least = 1e-6 * sum(traffic.values())
    while not settled:
        settled = True
        for step in swaps(placement):
            before = {each: placement[each] for each in step}
            placement.update(step)
            after = cost(placement, traffic, topology)
            if after < now - least:
                now, settled = after, False
            else:
                placement.update(before)
    return placement

def swaps(placement: dict[str, int]) -> Iterator[dict[str, int]]:
    for a, b in combinations(placement, 2):
        if placement[a] != placement[b]:
            yield {a: placement[b], b: placement[a]}

# %% role="show"
# (a) How few nodes make spreading nearly as expensive as it can be?
from streamlab.lab05_placement.experiments.placement import spread_costs
from streamlab.views.heat_map import heat_map

with one_line_errors():
    bullion = read_topology(recorded("bullion_s16"))
    rows = [list(row.values()) for row in bullion.distance.values()]
    alt_text = "10 on the diagonal, 15 within pairs of nodes, 40 everywhere else"
    title = "Distances of the Bullion S16"
    heat_map(rows, "node of the memory", "node of the reader", title, alt_text)
    costs = spread_costs(place, cost, bullion, [1, 2, 4, 8, 16])
    points = zip(*costs.values(), strict=True)
    rows = [(each[0][0], *(ratio for _, ratio in each)) for each in points]
    print(table(rows, ["nodes", *costs]))
    ends = {name: (line[0][1], line[-1][1]) for name, line in costs.items()}
    alt_text = "; ".join(f"{name} {a:.1f} to {b:.1f}" for name, (a, b) in ends.items())
    y_label, title = "cost (times all local)", "What spreading costs"
    line_plot(costs, "nodes in use", y_label, title, alt_text)

# %% role="show"
# (b) The paper's figures, and a model calibrated on its unaware runs on 4 and 8 nodes.
# Why does calibrating it on 1 and 4 nodes fail?
from streamlab.lab05_placement.experiments.placement import modelled_gains

with one_line_errors():
    runs = [(n, each.unaware, each.aware) for n, each in PAPER.items()]
    measured = [(*run, 100 * (run[2] / run[1] - 1)) for run in runs]
    print(table(measured, ["nodes", "unaware (1000/s)", "aware (1000/s)", "gain (%)"]))
    share, gains = modelled_gains([1, 2, 3, 4, 8, 16])
    print(f"\nshare of memory: {share:.3f}")
    print(table(gains, ["nodes allowed", "mean distance", "modelled gain (%)"]))
    lines = {"paper": [(row[0], row[3]) for row in measured]}
    lines["model"] = [(row[0], row[2]) for row in gains]
    points = [f"{name} {x} nodes {y:.0f} %" for name in lines for x, y in lines[name]]
    title, alt_text = "The paper's gains and the model", "; ".join(points)
    line_plot(lines, "nodes", "gain of NUMA-aware placement (%)", title, alt_text)
    per_node = [(mean_distance(n), PAPER[n].unaware / n) for n in (1, 4)]
    try:
        memory_share(*per_node)
    except ValueError as problem:
        print("Calibrated on 1 and 4 nodes:", problem)

# %% role="show"
# (c) A query of your Lab 4, cut by your `split`, on nodes of the Bullion with 2 cores.
from streamlab.lab04_subqueries import visits
from streamlab.lab04_subqueries.engine import Map, Query, TimeWindow
from streamlab.lab05_placement.experiments.placement import query_bytes

with one_line_errors():
    lab4, query = stage("lab04_subqueries"), Query("visits")
    hits = lab4.Aggregate(["ip"], TimeWindow(10_000, 5000), {"hits": ("COUNT", "ip")})
    most = lab4.Aggregate([], TimeWindow(5000, 5000), {"most": ("MAX", "hits")})
    query.add("pick", Map(lambda row: {"ip": row["ip"]}), ["visits"], ["picked"])
    query.add("hits", hits, ["picked"], ["per_ip"])
    query.add("most", most, ["per_ip"], ["busiest"])
    inputs = {"visits": visits("place", 2000, 33, ips=40)}
    instances, sent = query_bytes(lab4, query, [2, 3, 1], inputs)
    bullion = read_topology(recorded("bullion_s16"))
    cores = {node: cores[:2] for node, cores in bullion.cores.items()}
    two_each, local = bullion._replace(cores=cores), 10 * sum(sent.values())
    placements = {"place": place(instances, sent, two_each)}
    placements["round robin"] = round_robin(instances, two_each)
    for name, nodes in placements.items():
        times = cost(nodes, sent, two_each) / local
        print(f"{name}: {nodes}, cost {times:.2f} x all local")

# %% role="show"
# (d) A copy from local, remote and interleaved memory, if this machine has two nodes.
from streamlab.lab05_placement.experiments.placement import copy_seconds

with one_line_errors():
    copies = copy_seconds(here(read_topology))
    if isinstance(copies, str):
        print(f"Not measured: {copies}.")
    else:
        print(table(list(copies.items()), ["memory", "seconds"]))
        alt_text = "; ".join(f"{name} {each:.2f} s" for name, each in copies.items())
        bar_plot(copies, "seconds for 256 MiB", "A copy by one core", alt_text)

# %% role="show"
# (e) Take-over after kill -9 (20 s). Which part of its time is the session time-out?
from streamlab.lab05_placement.experiments.take_over import take_over

with one_line_errors(), running("zookeeper") as zookeeper:
    rows, bullion = [], read_topology(recorded("bullion_s16"))
    roles = InstanceManager, Orchestrator, bullion, zookeeper.address
    for session_s in 1.0, 2.0, 4.0:
        rows.append((session_s, *take_over(*roles, session_s)))
    names = ["session time-out (s)", "new leader after (s)", "instances after (s)"]
    print(table(rows, names))
    lines = {"leader": [row[:2] for row in rows], "manager": [row[::2] for row in rows]}
    texts = [f"{s:.0f} s: leader {a:.1f} s, manager {b:.1f} s" for s, a, b in rows]
    title, alt_text = "Take-over after kill -9", "; ".join(texts)
    line_plot(lines, "session time-out (s)", "take-over (s)", title, alt_text)

# %% role="show"
# (f) Two workers, each pinned to a core, recorded with `./lab experiment near-or-now`.
# Does Spark wait for the executor that has the data?
from streamlab.lab05_placement.experiments.near_or_now import recorded_runs

with one_line_errors():
    rows = []
    for run in recorded_runs():
        levels = [f"{count} {name}" for name, count in sorted(run.levels.items())]
        row = run.wait_s, run.took_s, len(run.executors), ", ".join(levels)
        rows.append(row)
    names = ["spark.locality.wait (s)", "took (s)", "executors used", "tasks, by level"]
    print(table(rows, names))
    bars = {f"wait {wait_s:g} s": took_s for wait_s, took_s, *_ in rows}
    alt_text = "; ".join(f"{name}: {seconds:.1f} s" for name, seconds in bars.items())
    bar_plot(bars, "seconds for four tasks", "Near or now", alt_text)

# %% [markdown]
# ## 7 · Break it
#
# The next cell violates invariant 6. Manager m0 dies, and the leader x moves its instance. This write is delayed:
# meanwhile y is elected, and m1 dies. The second run does not check the term.
#
# **Predict.** Which placement is stored in the end? …

# %% role="show"
from kazoo.client import TransactionRequest

class Late(TransactionRequest):
    """A write of x after its session has ended."""
    def check(self, path: str, version: int) -> None:
        super().check(path, version) if root == "/term-checked" else None

    def commit(self) -> list[Any]:
        x.election.release(), managers[1].stop(), y.lead(), y.step()
        return super().commit()

with one_line_errors(), running("zookeeper") as zookeeper:
    bullion = read_topology(recorded("bullion_s16"))
    for root in "/term-checked", "/term-not-checked":
        with sessions(zookeeper.address, 6) as (client, x_zk, y_zk, *managers):
            deploy(client, "a", {"a1": 0, "a2": 1}, root)
            for number, zk in enumerate(managers):
                Member(zk, f"m{number}", number, print, print, root).join()
            x = Orchestrator(x_zk, "x", bullion, root)
            y = Orchestrator(y_zk, "y", bullion, root)
            x.lead(), x.step(), managers[0].stop()
            x_zk.transaction = partial(Late, x_zk)
            with suppress(NotLeader):
                x.step()
            print(root, *map(y.registry.all, ("placements", "managers")))

# %% [markdown] written="which_figure"
# ## 8 · Questions, and the next lab
#
# **How you would have noticed in production:** an epoch that falls, or an instance placed on a manager that is gone.
#
# In Lab 6 each event needs a lookup in a database.
#
# **Which figure would you not believe?** (3 points) Look at experiment (b) again.
#
# 1. How much more do 4 nodes process than 1, with and without NUMA-aware placement? What is odd about it?
# 2. On one node, NUMA-aware placement gains 18 %. Where can the gain come from, and what would you ask the authors?
# 3. The paper has one run of one workload. Which measurement would you repeat first, and how often?

# %% [markdown] written="two_claims"
# **When do two managers still run one instance, though every claim is right?** (3 points)
#
# 1. Describe how two managers can run the same instance at the same time. How long can it last?
# 2. Does a shorter session time-out help? What does it cost?
# 3. Both instances write to the same receiver. What must a message carry, and what must the receiver do, so that the
#    second writer changes nothing? Which number in ZooKeeper could you use?

# %% [markdown]
# ## 9 · ★ Bonus
#
# No later task needs these tasks, and their points are outside the {points} of this lab.
#
# ### ★ · `throughput`
#
# **Why.** A lower cost need not mean a higher rate: a core computes and waits for memory, and only the waiting grows
# with the distance. The busiest instance, the **bottleneck**, bounds the rate.
#
# **Rule** (invariants 8, 9). A tuple takes its receiver `cpu_us` + `memory_us` × distance / 10 µs; the distance is from
# the receiver's node to the sender's. The instance that needs the most time per source event bounds the rate.
#
# **Edge cases**
# - A sender that is not placed (a source) is at the distance 10.
# - Raise ValueError if a receiver is not placed, a node is not one of the machine, or no instance needs any time.

# %% task="throughput" todo="add up the time per source event of each receiver; the busiest bounds the rate"
def throughput(
    placement: Placement,
    rates: Traffic,
    topology: Topology,
    cpu_us: float,
    memory_us: float,
) -> float:
    """Return how many source events per second a placement can process.

    rates: (sender, receiver) -> tuples per source event.
    Example: source→a 1, a→b 0.5, with 10 and 2 µs: 83,333 events/s wherever b is.
      With a→b 1, and b at distance 40: 55,556 events/s
    """
    ### BEGIN SOLUTION
    busy_us = Counter[str]()
    for (sender, receiver), tuples in rates.items():
        here = placement.get(receiver)
        memory = placement.get(sender, here)
        if not {here, memory} <= topology.cores.keys():
            nodes = f"{memory} and {here} for {sender} and {receiver}"
            raise ValueError(f"expected nodes of this machine, got {nodes}")
        distance = topology.distance[here][memory]
        busy_us[receiver] += tuples * (cpu_us + memory_us * distance / 10)
    if max(busy_us.values(), default=0) <= 0:
        raise ValueError(f"expected rates that need some time, got {dict(rates)}")
    return 1e6 / max(busy_us.values())
    ### END SOLUTION

# %% check="throughput"
# b is on the node of a, at distance 15, or at 40. Notice: when this lowers the rate.
# Then `place` and round robin, with four cores on each of three nodes: why equal?
with one_line_errors():
    bullion = read_topology(recorded("bullion_s16"))
    for tuples in 0.5, 1.0:
        rates = {("source", "a"): 1, ("a", "b"): tuples}
        for node in 0, 1, 2:
            placement = {"a": 0, "b": node}
            limit = throughput(placement, rates, bullion, cpu_us=10, memory_us=2)
            print(f"a→b {tuples}, b on node {node}: {limit:,.0f} events/s")
    cores = {node: each[:4] for node, each in bullion.cores.items() if node < 3}
    machine, (names, sent) = bullion._replace(cores=cores), query_traffic("show", 12)
    rates = {pair: amount / 8e6 for pair, amount in sent.items()}
    placements = {"place": place(names, sent, machine)}
    placements["round robin"] = round_robin(names, machine)
    for name, nodes in placements.items():
        limit = throughput(nodes, rates, machine, cpu_us=10, memory_us=10)
        print(f"{name}: {limit:,.0f} events/s")

check("throughput")

# %% [markdown]
# ### ★ · `byte_rates`
#
# **Why.** The traffic for `place` is measured: each instance has a byte **counter** for each of its receivers, and
# reports its total again and again.
#
# **Tools.** `F.lag("total").over(Window.partitionBy("meter").orderBy("at"))` is the value one row before.
#
# **Rule** (invariant 10). A pair's rate is its bytes between its first and its last report, divided by the seconds
# between these two. If a total is lower than the one before, the sender has restarted and counts from 0: all of it is
# growth.
#
# **Edge cases**
# - Reports come in any order, and may come more than once. At any `at_ms`, a pair has one total.
# - A pair whose reports all have the same `at_ms` has no row.
# - The result is lazy: call no action, such as `count` or `collect`.

# %% task="byte_rates" todo="compare each report with the one before it of the same pair, then add up the growth"
def byte_rates(reports: DataFrame) -> DataFrame:
    """Return (sender, receiver, bytes_per_s: double): the traffic of each pair.

    reports: (sender: string, receiver: string, at_ms: long, total_bytes: long), where
    total_bytes counts since the sender began to send to this receiver.
    Example: totals 0, 1000, 3000 at 0, 1000, 2000 ms -> 1500.0;
      totals 5000, 6000, 500 at the same times -> 750.0
    """
    ### BEGIN SOLUTION
    before = F.lag("total_bytes").over(
        Window.partitionBy("sender", "receiver").orderBy("at_ms")
    )
    growth = F.when(F.col("total_bytes") < before, F.col("total_bytes")).otherwise(
        F.col("total_bytes") - before
    )
    seconds = (F.max("at_ms") - F.min("at_ms")) / 1000
    pairs = (
        reports.distinct().withColumn("growth", growth).groupBy("sender", "receiver")
    )
    sums = pairs.agg(F.sum("growth").alias("bytes"), seconds.alias("seconds")).where(
        "seconds > 0"
    )
    return sums.select(
        "sender", "receiver", (F.col("bytes") / F.col("seconds")).alias("bytes_per_s")
    )
    ### END SOLUTION

# %% check="byte_rates"
# Notice: the sender of the second pair restarts, and the third pair reports only once.
with one_line_errors():
    totals = {("a", "b"): [0, 1000, 3000], ("a", "c"): [5000, 6000, 500]}
    totals["b", "c"] = [70]
    rows = [
        (*pair, 1000 * at, total)
        for pair, each in totals.items()
        for at, total in enumerate(each)
    ]
    columns = "sender string, receiver string, at_ms long, total_bytes long"
    reports = spark.createDataFrame(rows, columns)
    rates = byte_rates(reports).orderBy("sender", "receiver")
    rates.show()
    traffic = {(row.sender, row.receiver): row.bytes_per_s for row in rates.collect()}
    distances = {0: {0: 10, 1: 21}, 1: {0: 21, 1: 10}}
    sockets = Topology({0: [0, 1], 1: [2, 3]}, distances)
    print("place:", place(["a", "b", "c"], traffic, sockets))

check("byte_rates")

# %% [markdown]
# ### ★ · `pin`
#
# **Why.** The scheduler may move a thread away from its memory. **CPU affinity** limits a *thread* to given cores, and
# a Java process has dozens of threads. Linux puts a page on the node of the core that first writes to it (**first
# touch**), so pin a process before it fills its memory. (`numactl --membind` fixes the node of its pages,
# `--interleave` spreads them over nodes.)
#
# **Tools.** ([/proc](https://man7.org/linux/man-pages/man5/proc_pid_status.5.html))
# ```python
# os.sched_getaffinity(0)             # {0, 1}: the cores that this thread may use
# os.sched_setaffinity(4711, [0])     # a thread; the first has its process's number
# os.listdir("/proc/4711/task")       # ["4711", "4712"]: threads; or FileNotFoundError
# "Cpus_allowed_list:\t0-1".split()   # a line of /proc/4711/status, in Linux's format
# ```
# **Rule** (invariants 8, 11). Pin all threads of the process, also those that it starts later: a thread inherits the
# cores of the thread that starts it. While `pin` goes through the list, a thread that is not pinned yet may start
# another one.
#
# **Edge case**
# - If `cores` is invalid, change no thread. (Linux drops unknown cores without an error.)

# %% task="pin" todo="reject unavailable cores; pin every thread; return what /proc says"
def pin(pid: int, cores: Collection[int]) -> list[int]:
    """Pin all threads of a process; return the cores that /proc/PID/status then has.

    Raises ValueError if `cores` is empty or has a core outside your affinity, and
    OSError if there is no such process.
    Example: pin(4711, [1, 0, 0]) -> [0, 1]
    """
    ### BEGIN SOLUTION
    unavailable = set(cores) - os.sched_getaffinity(0)
    if not cores or unavailable:
        raise ValueError(
            f"expected cores of {sorted(os.sched_getaffinity(0))}, got {sorted(cores)}"
        )
    pinned: set[str] = set()
    # A thread may start another one meanwhile.
    while new := set(os.listdir(f"/proc/{pid}/task")) - pinned:
        for thread in new:
            with suppress(ProcessLookupError):  # it has ended in the meantime
                os.sched_setaffinity(int(thread), cores)
        pinned |= new
    status = Path(f"/proc/{pid}/status").read_text()
    return cpus(
        next(
            line.split()[1]
            for line in status.splitlines()
            if line.startswith("Cpus_allowed_list:")
        )
    )
    ### END SOLUTION

# %% check="pin"
# Five threads of one process. What does each way of pinning change? Then the fixed
# window of your Lab 4 in processes that wait for nothing: as the scheduler puts them,
# and each pinned to a core of its node. (About 20 s.)
from streamlab.lab05_placement.experiments.numa import beside_the_paper, numa_runs

WAITING = """import threading, time
for _ in range(4):
    threading.Thread(target=time.sleep, args=(60,)).start()
print("started", flush=True)"""
with one_line_errors():
    own, program = sorted(os.sched_getaffinity(0)), [sys.executable, "-c", WAITING]
    hint = "" if len(own) > 1 else "; with one you cannot see a difference"
    print(f"this notebook may use the cores {own}{hint}")
    with subprocess.Popen(program, stdout=subprocess.PIPE) as process:
        process.stdout.readline()  # its threads have started
        for name, function in ("sched_setaffinity", os.sched_setaffinity), ("pin", pin):
            function(process.pid, own[:1])
            threads = map(int, os.listdir(f"/proc/{process.pid}/task"))
            cores_each = [len(os.sched_getaffinity(thread)) for thread in threads]
            print(f"{name}:", *cores_each, "cores of each thread")
        process.kill()
    machine = here(read_topology)
    aggregate = stage("lab04_subqueries").Aggregate
    runs = numa_runs(aggregate, place, pin, machine, rows=20_000)
    names = ["machine", "queries", "unpinned (1/s)", "pinned (1/s)"]
    print(table(beside_the_paper(runs, machine), names))

check("pin")
