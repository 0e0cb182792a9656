"""Source of Lab 5: placement on NUMA machines, with the reference solutions.

`./lab build` makes the student's notebook from it; autograder/stages/lab05_placement judges it.
"""

# %% [markdown]
# # Lab 5 · Placement on NUMA machines
#
# {map}
#
# Your parts decide where instances run, and restart them. They get instances, traffic and machines, and give each
# instance a core. On Kubernetes, the [Topology Manager][0] aligns a program's CPUs and devices to NUMA nodes.
#
# [0]: https://kubernetes.io/docs/tasks/administer-cluster/topology-manager/
# [map]: {map.svg}

# %% [markdown]
# ## 1 · What works after this lab
#
# | before | after |
# |---|---|
# | the operating system puts a thread where a core is idle | each instance runs near its data, pinned to its core |
# | a query stops when the process that started it dies | an orchestrator restores it; its own death loses nothing |
#
# ```text
#  /sys ──▶ read_topology ──▶ place: first_placement, then best_move again and again
#           tasks 1, 2        tasks 3–5
#  clients ──▶ ZooKeeper ◀──▶ Orchestrator: heal, placement_changes    InstanceManager on each node: start, pin, stop
#                             tasks 6, 8, 9                            task 7
# ```
#
# In Lab 4 a balancer decided which instance gets a row. This lab decides on which core an instance runs. A machine with
# **non-uniform memory access** (NUMA) has several **nodes**, each with its own cores and its own memory. A core can
# read all memory, but reading the memory of another node takes longer.
#
# "The paper" is that of Lab 4, on [UPM-CEP](https://doi.org/10.5220/0007905906720678). Its machine, a Bullion S16, has
# 16 nodes of 18 cores. Distances are 10 to the own node, 15 within a pair of nodes, and 40 otherwise.
#
# {minutes} minutes, in two sittings. Tasks 7 and 9 need ZooKeeper, which the notebook starts. The last part has three
# bonus tasks.

# %% [markdown]
# ## 2 · The invariants
#
# These always hold. Tasks, checks and messages cite them by number.
#
# {invariants}
#
# ## 3 · Predict
#
# Write down your answers before you run anything:
#
# 1. Nodes 0, 8 and 9 are online. The line of distances of node 8 is `21 10 12`. How far is node 9 from node 8?
# 2. a sends 100 bytes/s to b on another node, at distance 21. Which of the two pays for the distance?
# 3. The leader of an orchestrator is paused for a minute, and another one is elected. The first one wakes up in the
#    middle of a write. What stops it?
#
# Task 2, the cell after `swap_gain` and task 9 show the answers.
#
# ## 4 · Tasks

# %% role="given" name="setup"
import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
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
# ### Tasks 1 and 2 · `cpus`, `read_topology`
#
# **Why.** Before anything can be placed, a program must know the machine. Linux describes it in files below
# `/sys/devices/system/node`; `numactl --hardware` prints the same.
#
# | file | what it holds |
# |---|---|
# | `online` | the nodes that are online, as a list: `0-1` or `0,8-9` |
# | `nodeN/cpulist` | the cores of node N, as a list; empty for a node that has memory only |
# | `nodeN/distance` | distances to all **online** nodes, lowest node first; 10 is local, 21 takes 2.1 times as long |
#
# The trap is the file `distance`: column i belongs to the i-th online node, not to node i (prediction 1).
# `Topology(cores, distance)` has `cores[node]`, a list, and `distance[node][other]`: a core of `node` reads memory of
# `other`.
# ```python
# "0-2,8".split(","), "0-2".partition("-")      # (["0-2", "8"], ("0", "-", "2"))
# Path("node0/cpulist").read_text()             # "0-17\n"
# "12".isdecimal(), "1_2".isdecimal()           # (True, False); int("1_2") is 12
# "٣".isdecimal(), "٣".isascii()                # (True, False); int("٣") is 3
# ```
# ([pathlib](https://docs.python.org/3/library/pathlib.html),
# [the files](https://docs.kernel.org/admin-guide/mm/numaperf.html))

# %% task="cpus" todo="read the ranges of Linux's list format; reject what Linux does not print"
def cpus(text: str) -> list[int]:
    """Return the numbers of a list in Linux's format, in ascending order, each once.

    Items are numbers (digits 0 to 9) or ranges "first-last" with first <= last,
    separated by commas; white space around the whole text is ignored. An empty text
    gives an empty list. Raises ValueError for anything else, such as "2-1", "1,,2",
    "0-", "1-2-3", "0-3:1/2" or "a".

    Example: cpus("0-2,8,10-11\\n") -> [0, 1, 2, 8, 10, 11]
    """
    ### BEGIN SOLUTION
    found: set[int] = set()
    for item in text.strip().split(",") if text.strip() else []:
        first, dash, last = item.partition("-")
        ends = [first, last] if dash else [first]
        if not all(end.isascii() and end.isdecimal() for end in ends) or int(ends[0]) > int(ends[-1]):
            raise ValueError(f"expected numbers and ranges such as 0-2,8, got {item!r} in {text!r}")
        found.update(range(int(ends[0]), int(ends[-1]) + 1))
    return sorted(found)
    ### END SOLUTION

# %% check="cpus"
# On some machines the cores of a node have every other number. What does Linux print for them?
with one_line_errors():
    show_calls(cpus, ("0-2,8,10-11\n",), ("",), ("3",), ("2-1",))
    print((recorded("two_sockets") / "node0" / "cpulist").read_text())

check("cpus")

# %% task="read_topology" todo="read the online nodes, the cores of each, and a row of distances for each"
def read_topology(folder: Path, allowed: Collection[int] | None = None) -> Topology:
    """Read the nodes of a machine from a folder such as /sys/devices/system/node.

    folder: holds `online`, and `nodeN/cpulist` and `nodeN/distance` for each online node N.
    allowed: the cores to use; None allows all. Other cores are left out; a node may end up without cores.

    - Column i of a row of distances belongs to the i-th online node.
    - Raises ValueError, with the file's path in its text, if a row of distances has a different length than `online`,
      or if the distance of a node to itself is not 10.
    """
    ### BEGIN SOLUTION
    nodes = cpus((folder / "online").read_text())
    cores: dict[int, list[int]] = {}
    distance: dict[int, dict[int, int]] = {}
    for node in nodes:
        listed = cpus((folder / f"node{node}" / "cpulist").read_text())
        cores[node] = [core for core in listed if allowed is None or core in allowed]
        path = folder / f"node{node}" / "distance"
        row = [int(word) for word in path.read_text().split()]
        if len(row) != len(nodes) or row[nodes.index(node)] != 10:
            raise ValueError(f"{path}: expected {len(nodes)} distances, with 10 for node {node}, got {row}")
        distance[node] = dict(zip(nodes, row, strict=True))
    return Topology(cores, distance)
    ### END SOLUTION

# %% check="read_topology"
# A recorded machine with two sockets, and this one. How many nodes do you see?
with one_line_errors():
    print(read_topology(recorded("two_sockets")))
    print(read_topology(recorded("two_sockets"), allowed=[0, 1, 2]).cores)
    print("this machine:", here(read_topology))

check("read_topology")

# %% [markdown]
# ### Tasks 3, 4 and 5 · `first_placement`, `best_move`, `place`
#
# **Why.** A receiver reads what its sender has written into the memory of the sender's node. If the two are far apart,
# each byte takes longer. The **cost** of a placement adds up bytes/s × distance over all links; the lower, the better.
# The paper does not publish how its orchestrator chooses a node. Your `place` searches.
#
# Finding the cheapest placement is NP-hard (it is the quadratic assignment problem). So a search starts with any
# placement and improves it: it moves instances to free cores and swaps instances, as long as the cost falls. This is
# **local search**, and it ends in a **local optimum**.
# ([Kernighan and Lin (1970)](https://doi.org/10.1002/j.1538-7305.1970.tb01770.x) cut graphs by such swaps, and also try
# some that raise the cost at first.)
#
# | given | what it is |
# |---|---|
# | traffic | `{(sender, receiver): bytes/s}` |
# | placement | `{instance: node}` |
# | `Links(traffic)` | `.of(instance)` returns `{other: Flow(sent, received)}`, and counts its calls in `.calls` |
#
# Read the next two cells, which are given. `cost` adds up all links. `cost_at` and `swap_gain` need only the links of
# the instances that move, so they are fast.

# %% role="given" name="cost"
def cost(placement: Placement, traffic: Traffic, topology: Topology) -> float:
    """Return the sum over all traffic of bytes/s × distance[receiver's node][sender's node].

    The receiver reads; the memory is on the sender's node.
    Example: two sockets, 10 and 21; {("a", "b"): 100, ("b", "c"): 10}: a on 0, b and c on 1 -> 2200; all on 1 -> 1100
    """
    distance = {(a, b): topology.distance[placement[b]][placement[a]] for a, b in traffic}
    return sum(bytes_per_s * distance[pair] for pair, bytes_per_s in traffic.items())


def cost_at(instance: str, node: int, placement: Placement, links: Links, topology: Topology) -> float:
    """Return what the links of `instance` cost if it is on `node`; links to instances without a node cost nothing."""
    distance, flows = topology.distance, links.of(instance)
    placed = [(placement[other], flow) for other, flow in flows.items() if other in placement]
    return sum(flow.sent * distance[there][node] + flow.received * distance[node][there] for there, flow in placed)

# %% role="given" name="swap_gain"
def swap_gain(a: str, b: str, placement: Placement, links: Links, topology: Topology) -> float:
    """Return by how much the cost falls if a and b change places: the cost now minus the cost afterwards.

    On a link between a and b both ends move; `links.of(a)` and `links.of(b)` both contain it, and it counts once.
    """
    distance, gain = topology.distance, 0.0
    for mine, other in (a, b), (b, a):
        here, there = placement[mine], placement[other]
        for peer, flow in links.of(mine).items():
            if peer == other:
                gain += flow.sent * (distance[there][here] - distance[here][there])  # the other end adds `received`
            else:
                peer_node = placement[peer]
                gain += flow.sent * (distance[peer_node][here] - distance[peer_node][there])
                gain += flow.received * (distance[here][peer_node] - distance[there][peer_node])
    return gain

# %% role="show"
# 100 bytes/s from a to b, on a machine whose distances are not symmetric. On which nodes do they cost least, and why?
uneven = {0: {0: 10, 1: 20, 2: 30}, 1: {0: 25, 1: 10, 2: 20}, 2: {0: 40, 1: 25, 2: 10}}
three = Topology({0: [0], 1: [1], 2: [2]}, uneven)
with one_line_errors():
    for placement in {"a": 0, "b": 1}, {"a": 1, "b": 0}, {"a": 1, "b": 1}:
        print(placement, "costs", cost(placement, {("a", "b"): 100}, three))
    print("swapping a and b saves", swap_gain("a", "b", {"a": 0, "b": 1}, Links({("a", "b"): 100}), three))

# %% task="first_placement" todo="place one instance after the other: the one with most traffic to those placed"
def first_placement(instances: Sequence[str], links: Links, topology: Topology) -> dict[str, int]:
    """Return a node for each instance, chosen for one instance after the other. A chosen node is never changed.

    - The next instance is always the one with the most traffic, sent and received, to instances that have a node. If
      several have the most, it is the first of them in `instances`. So `instances[0]` is the first of all.
    - It goes to the node where `cost_at` is lowest, among the nodes with more cores than instances so far. If several
      are equal, it is the first of them in `topology.cores`.
    - There are enough cores. No argument is changed.

    Example: two sockets with two cores each, {("a", "b"): 1, ("c", "a"): 5}: a on 0, c on 0, b on 1
    """
    ### BEGIN SOLUTION
    free = {node: len(cores) for node, cores in topology.cores.items()}
    unplaced, pull, placement = list(instances), Counter[str](), dict[str, int]()
    while unplaced:
        chosen = max(unplaced, key=lambda each: pull[each])
        unplaced.remove(chosen)
        nodes = [node for node in free if free[node]]
        placement[chosen] = min(nodes, key=lambda node: cost_at(chosen, node, placement, links, topology))
        free[placement[chosen]] -= 1
        pull.update({other: sum(flow) for other, flow in links.of(chosen).items()})
    return placement
    ### END SOLUTION

# %% check="first_placement"
# Two sockets with two cores each. In which order are a, b, c and d placed?
sockets = Topology({0: [0, 1], 1: [2, 3]}, {0: {0: 10, 1: 21}, 1: {0: 21, 1: 10}})
with one_line_errors():
    print(first_placement(["a", "b", "c", "d"], Links({("a", "b"): 5, ("d", "a"): 100, ("b", "c"): 50}), sockets))

check("first_placement")

# %% task="best_move" todo="find the move or swap of the instance that lowers the cost most, if one does"
def best_move(instance: str, placement: Placement, links: Links, topology: Topology) -> dict[str, int]:
    """Return the change of `placement` that lowers the cost most, of all moves and swaps of `instance`.

    - A move is {instance: node}, to a node with more cores than instances.
    - A swap with another instance is {instance: node of the other one, other: node of the instance}.
    - If several changes lower the cost most, any of them is right. If none lowers the cost, the result is {}.
    - The function changes nothing: `place` carries the change out.

    Example: two sockets with two cores each, {("a", "b"): 9}: a and c on 0, b on 1 -> {"a": 1} for a; {} for c
    """
    ### BEGIN SOLUTION
    here, used = placement[instance], Counter(placement.values())
    now = cost_at(instance, here, placement, links, topology)
    changes: list[tuple[float, dict[str, int]]] = [(0, {})]
    for node, cores in topology.cores.items():
        if used[node] < len(cores):
            changes.append((now - cost_at(instance, node, placement, links, topology), {instance: node}))
    for other, there in placement.items():
        if there != here:
            changes.append((swap_gain(instance, other, placement, links, topology), {instance: there, other: here}))
    return max(changes, key=lambda each: each[0])[1]  # the first of equals, so no change if none saves anything
    ### END SOLUTION

# %% check="best_move"
# Node 0 is full, and node 1 has a free core. Which change is best for each instance?
with one_line_errors():
    traffic, placement = {("a", "d"): 100, ("b", "c"): 50}, {"a": 0, "b": 0, "c": 0, "d": 1}
    machine = Topology({0: [0, 1, 2], 1: [3, 4]}, sockets.distance)
    for instance in placement:
        print(instance, best_move(instance, placement, Links(traffic), machine))

check("best_move")

# %% [markdown]
# **Now the search.** It takes several starts, since each may end in another local optimum. Go over all instances and
# carry out the `best_move` of each. Repeat this until a whole round does not lower the cost.
# ```python
# rng = random.Random("seed"); rng.sample([1, 1, 2], 3)           # the same order in every run
# {"a": 0, "b": 1} | {"a": 1}                                     # {"a": 1, "b": 1}
# ```

# %% task="place" todo="start at first_placement and at random; use best_move until nothing helps; return the cheapest"
def place(instances: Sequence[str], traffic: Traffic, topology: Topology, starts: int = 8) -> dict[str, int]:
    """Return a node for each instance, so that each has a core to itself and the cost is low.

    The search begins at `first_placement` and at `starts` - 1 random placements (`starts` is 1 or more); the cheapest
    result is returned. In it, no move of one instance to a free core and no swap of two instances lowers the cost by
    more than a millionth of it.

    - The same input gives the same placement, in every process. No argument is changed.
    - `traffic` names only `instances`; those without traffic get a core, too.
    - Raises ValueError if there are more instances than cores.
    """
    ### BEGIN SOLUTION
    slots = [node for node, cores in topology.cores.items() for _ in cores]
    if len(instances) > len(slots):
        raise ValueError(f"{len(instances)} instances need a core each, and there are {len(slots)} cores")
    links, rng = Links(traffic), random.Random(len(instances))
    placements = [dict(zip(instances, rng.sample(slots, len(instances)), strict=True)) for _ in range(starts)]
    placements[0] = first_placement(instances, links, topology)
    for placement in placements:
        before, now = None, cost(placement, traffic, topology)
        while before is None or now < before:  # each round must lower the cost, so this ends
            for instance in instances:
                placement.update(best_move(instance, placement, links, topology))
            before, now = now, cost(placement, traffic, topology)
    return min(placements, key=lambda placement: cost(placement, traffic, topology))
    ### END SOLUTION

# %% check="place"
# 12 instances of seeded queries on three nodes with four cores each. How many are on each node, and what does it cost?
# (The check takes a few seconds: it computes 24 optima, asks METIS, and calls `place` in a second process.)
with one_line_errors():
    instances, traffic = query_traffic("show", 12)
    machine = read_topology(recorded("bullion_s16"), allowed=[*range(4), *range(18, 22), *range(36, 40)])
    local = 10 * sum(traffic.values())
    for name, nodes in ("place", place(instances, traffic, machine)), ("round robin", round_robin(instances, machine)):
        print(f"{name:12}", Counter(sorted(nodes.values())), f"{cost(nodes, traffic, machine) / local:.2f} x all local")

check("place")

# %% [markdown]
# ### Tasks 6 to 9 · `heal`, `InstanceManager`, `placement_changes`, `Orchestrator`
#
# **Why.** Machines die, and queries must go on. An **orchestrator**, as in Kubernetes, notices that a manager is gone
# and starts its instances elsewhere. If the orchestrator itself dies, says the paper, "a new orchestrator can be run".
# But the old one may only have been paused. If it wakes up in the middle of a write, two leaders write: this is **split
# brain**. Therefore the leader keeps no state in its process. All state is in ZooKeeper, below `/cep`; `Registry` reads
# it:
#
# | node | content | written by |
# |---|---|---|
# | `queries/Q` | `{"nodes": {instance: node of its data}}` | clients: `deploy`, `undeploy` |
# | `placements/Q` | `{"epoch": term, "managers": {instance: manager}}` | the leader |
# | `managers/M` | `{"node": node}`, **ephemeral**: it disappears when its session ends | `Member.join()` |
# | `claims/INSTANCE` | anything; ephemeral; the session that owns it may run the instance | managers |
# | `epoch` | the number of the last **term**, as a text; `deploy` creates it as `0` | candidates |
# | `election` | the queue of candidates | candidates |
#
# **Why claims.** A placement says which manager should run an instance. The old manager may still run it, so the new
# one waits for the claim. **Why terms.** A lock cannot stop a leader that was paused while holding it. A number can:
# each write carries the term, and a write of an old term fails. Kafka's controllers and Raft do the same (**fencing**).

# %% [markdown]
# `Member` and `Candidate` (given) hold what the roles share. `Member`: `zk`, `me`, `node`, `cores` (of its node),
# `start(instance)`, which returns the number of the process, `stop(instance)`, `pin(pid, cores)`, `registry`, `running`
# (a set), `join()`, and `owns(path)`: does the node belong to my session?
# `Candidate`: `zk`, `me`, `topology`, `registry`, `epoch`, and `election`, a
# [lock](https://kazoo.readthedocs.io/en/2.11.0/api/recipe/lock.html).
# ```python
# registry.path("claims", "a1"), registry.names("claims")          # ("/cep/claims/a1", ["a1"])
# registry.all("placements")                                       # {"a": {"epoch": 1, "managers": {"a1": "m0"}}}
# zk.create("/lamp", b"on", ephemeral=True)                        # NodeExistsError; ConnectionLoss: maybe done
# zk.set("/lamp", b"off", version=3).version                       # 4; BadVersionError if it was not 3
# change = zk.transaction(); change.check("/lamp", 4); change.delete("/switch")
# change.commit()                                # [True, True]; [BadVersionError(), RuntimeInconsistency()], not raised
# lock.acquire(timeout=2.0); lock.release()        # LockTimeout; release() without the lock does nothing
# ```
# A transaction has `check`, `create`, `set_data` and `delete`. Each manager has a session of its own.
# A lock that you hold cannot be acquired again, and kazoo does not notice that the session of the lock has ended.
# ([kazoo](https://kazoo.readthedocs.io/en/2.11.0/basic_usage.html),
# [sessions](https://zookeeper.apache.org/doc/r3.9.3/zookeeperProgrammers.html#ch_zkSessions))

# %% task="heal" todo="keep each instance on its living manager, then place the others one by one, by name"
def heal(
    nodes: Mapping[str, int],
    running: Mapping[str, str],
    managers: Mapping[str, int],
    busy: Mapping[str, int],
    topology: Topology,
) -> dict[str, str]:
    """Return the manager of each instance of a query.

    nodes: {instance: NUMA node of its data}. running: {instance: manager}, the placement so far. managers: {living
    manager: its NUMA node}. busy: {manager: number of its instances of other queries}; 0 for a missing manager.

    - An instance of `nodes` that has a living manager keeps it.
    - The others follow in the order of their names. Each goes to a manager with the fewest instances: those of other
      queries and those of this query, including the ones just placed. If several have the fewest, it goes to the
      nearest, by distance[node of the manager][node of the instance]; if these are equal, to the first by name.
    - An instance of `running` that is not in `nodes` is about to be stopped: it is not in the result and does not
      count. Without managers the result is {}.
    - `busy` may name managers that are gone. The arguments stay unchanged.
    """
    ### BEGIN SOLUTION
    placed = {instance: running[instance] for instance in nodes if running.get(instance) in managers}
    load = Counter(placed.values()) + Counter(busy)
    for instance in sorted(nodes.keys() - placed.keys()) if managers else ():
        ranks = [
            (load[manager], topology.distance[node][nodes[instance]], manager) for manager, node in managers.items()
        ]
        placed[instance] = min(ranks)[2]
        load[placed[instance]] += 1
    return placed
    ### END SOLUTION

# %% check="heal"
# Three instances on the Bullion, then manager m0 dies, while m3 runs another query's instance.
with one_line_errors():
    bullion, nodes = read_topology(recorded("bullion_s16")), {"a1": 0, "a2": 0, "a3": 1}
    placed = heal(nodes, {}, {"m0": 0, "m1": 1, "m2": 2, "m3": 3}, {}, bullion)
    print(placed)
    print(heal(nodes, placed, {"m1": 1, "m2": 2, "m3": 3}, {"m3": 1}, bullion))

check("heal")

# %% task="InstanceManager" todo="stop and release instances that are no longer yours, then claim and start new ones"
class InstanceManager(Member):
    """A manager that runs the instances that the placements assign to it. It has everything that `Member` provides.

    step(): first stop each running instance that no placement assigns to `me`, or whose claim does not belong to this
        session. Then start each instance that is assigned to `me` and does not run.

    - A manager starts an instance only when the znode claims/INSTANCE, ephemeral, belongs to its own session. It
      creates the node; a node that exists and belongs to its session is its claim, too.
    - If the claim belongs to another session, do not wait and do not start: a later step tries again.
    - After each start, pin the process whose number `start` returns to `cores`, the cores of the manager's node.
    - After a stop, delete the claim if it belongs to this session; never delete that of another session.
    - `running` holds the instances that run. A call to ZooKeeper may make step() raise an error at any point, and the
      next step() goes on from there: no claim of this session is left without a running instance.
    """

    def step(self) -> None:
        ### BEGIN SOLUTION
        placements = self.registry.all("placements").values()
        wanted = {name for each in placements for name, manager in each["managers"].items() if manager == self.me}
        for instance in sorted(self.running):
            if instance not in wanted or not self.owns(self.registry.path("claims", instance)):
                self.stop(instance)
                self.running.remove(instance)
        for instance in self.registry.names("claims"):
            if instance not in wanted and self.owns(self.registry.path("claims", instance)):
                with suppress(NoNodeError):  # the session has just ended, and its nodes with it
                    self.zk.delete(self.registry.path("claims", instance))
        for instance in sorted(wanted - self.running):
            with suppress(NodeExistsError):
                self.zk.create(self.registry.path("claims", instance), ephemeral=True)
            if self.owns(self.registry.path("claims", instance)):
                self.pin(self.start(instance), self.cores)
                self.running.add(instance)
        ### END SOLUTION

# %% check="InstanceManager"
# m1 runs a1. Then the placement names m2 for it, but m1 has not noticed yet. When may m2 start?
def place_at(registry: Registry, manager: str) -> None:
    path, data = registry.path("placements", "a"), json.dumps({"epoch": 1, "managers": {"a1": manager}}).encode()
    registry.zk.set(path, data) if registry.zk.exists(path) else registry.zk.create(path, data)

def logged(word: str) -> Callable[[str], None]:
    return lambda instance: print(f"  {word} {instance}")

callbacks = [logged("start"), logged("stop")]
with one_line_errors(), running("zookeeper") as zookeeper, sessions(zookeeper.address, 2) as clients:
    Registry(clients[0]).prepare()
    m1, m2 = (InstanceManager(zk, f"m{number}", number, *callbacks) for number, zk in enumerate(clients, start=1))
    for manager, steps in ("m1", [m1]), ("m2", [m2, m1, m2]):
        place_at(m1.registry, manager)
        for each in steps:
            print(f"placed at {manager}, {each.me} steps:")
            each.step()
            print(f"  m1 runs {sorted(m1.running)}, m2 runs {sorted(m2.running)}")

check("InstanceManager")

# %% task="placement_changes" todo="delete what is not deployed, then heal each query by name; return what changes"
def placement_changes(
    queries: Mapping[str, Mapping[str, int]],
    placed: Mapping[str, Mapping[str, str]],
    managers: Mapping[str, int],
    topology: Topology,
) -> dict[str, dict[str, str] | None]:
    """Return what the leader must write: {query: its new managers, or None if its placement is deleted}.

    queries: {deployed query: {instance: NUMA node of its data}}. placed: {query: {instance: manager}}, as stored.
    managers: {living manager: its NUMA node}.

    - A query of `placed` that is not deployed is deleted.
    - For each deployed query, in the order of names, the managers are what `heal` returns. `busy` counts the instances
      of the other deployed queries: as changed for the queries before it, as in `placed` for those after it.
    - The result holds only what changes. So a query is not in it if its managers stay the same, or if it is not in
      `placed` and `heal` returns {}. The arguments stay unchanged.
    """
    ### BEGIN SOLUTION
    changes: dict[str, dict[str, str] | None] = dict.fromkeys(placed.keys() - queries.keys())
    now = {query: each for query, each in placed.items() if query in queries}
    for query in sorted(queries):
        busy = Counter(manager for other, each in now.items() if other != query for manager in each.values())
        healed = heal(queries[query], now.get(query, {}), managers, busy, topology)
        if healed != now.get(query, {}):
            changes[query] = now[query] = healed
    return changes
    ### END SOLUTION

# %% check="placement_changes"
# Query a runs, b is new, and c is not deployed any more. What must the leader write?
with one_line_errors():
    queries, placed = {"a": {"a1": 0}, "b": {"b1": 0}}, {"a": {"a1": "m0"}, "c": {"c1": "m1"}}
    print(placement_changes(queries, placed, {"m0": 0, "m1": 1}, bullion))

check("placement_changes")

# %% task="Orchestrator" todo="be elected, begin a term, and write each change in a transaction that checks the term"
class Orchestrator(Candidate):
    """A candidate that, once elected, places the instances of all queries. It has everything that `Candidate` provides.

    lead(timeout_s=10.0) -> int: wait until elected, begin a new term, return its number. It is higher than any before;
        the znode `epoch` holds the last one. Also set `self.epoch`. May be called again: each call gives up the
        election, waits to be elected and begins a term.
    step() -> int: read queries, placements and managers, write the `placement_changes` in the order of the queries'
        names, and return their number.

    - A placement is {"epoch": term, "managers": {instance: manager}}, as JSON. Write only what changes.
    - Each write of step() is in a transaction that also checks `epoch`: the write fails once another term has begun.
    - lead() raises TimeoutError if another candidate leads for all of `timeout_s`, and NotLeader if another candidate
      begins a term while this one is beginning its own.
    - step() raises NotLeader and writes nothing before lead(), and as soon as another candidate has begun a term, even
      if there is nothing to write.
    - All state is in ZooKeeper: the next leader continues wherever this one dies.
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
            self._version = self.zk.set(path, str(int(data) + 1).encode(), stat.version).version
        except BadVersionError:
            raise NotLeader(f"another candidate has begun a term since {self.me} was elected") from None
        self.epoch = int(data) + 1
        return self.epoch

    def step(self) -> int:
        if self.epoch is None or self.zk.exists(self.registry.path("epoch")).version != self._version:
            raise NotLeader(f"{self.me} does not lead; call lead()")
        queries = {query: each["nodes"] for query, each in self.registry.all("queries").items()}
        placed = {query: each["managers"] for query, each in self.registry.all("placements").items()}
        managers = {name: each["node"] for name, each in self.registry.all("managers").items()}
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
        if any(isinstance(result, Exception) for result in change.commit()):  # commit() raises none of them
            self.epoch = None
            raise NotLeader(f"another candidate has begun a term after {self.me} was elected")
        ### END SOLUTION

# %% check="Orchestrator"
# x is paused, y leads. What does x do when it wakes up? (The check kills real processes: about ten seconds.)
with one_line_errors(), running("zookeeper") as zookeeper, sessions(zookeeper.address, 3) as (client, *candidates):
    deploy(client, "a", {"a1": 0, "a2": 1})
    for number in range(2):
        InstanceManager(client, f"m{number}", number, *callbacks).join()
    x, y = (Orchestrator(zk, name, bullion) for zk, name in zip(candidates, "xy", strict=True))
    print("x leads term", x.lead(), "and writes", x.step(), "placement")
    x.election.release()  # as if the session of x had ended
    deploy(client, "b", {"b1": 3})
    print("y leads term", y.lead(), "and writes", y.step(), "placement")
    placements = y.registry.all("placements").items()
    print(table([(query, *each.values()) for query, each in placements], ["query", "term", "managers"]))
    try:
        x.step()
    except NotLeader as problem:
        print("x raises NotLeader:", problem)

check("Orchestrator")

# %% [markdown]
# ## 5 · What the checks look at
#
# A check runs your functions on many kinds of input, and every solution that keeps the rules passes. Machines have
# nodes without cores, gaps in their numbers and distances that are not symmetric. Small placements are compared with
# the exact optimum, large ones with METIS, a graph partitioner that many systems use. The orchestrator dies before and
# after every one of its writes, first in one process and then with kill -9; take-overs are timed and not graded. In
# a notebook a check is feedback only.
#
# **The throughput check** of `place` compares with a **baseline** that computes the whole cost of every placement that
# it tries (next cell): four problems of 72 instances on 4 × 18 cores, with one start. {threshold of place} times the
# baseline's rate earns all points.
#
# ## 6 · Checkpoint
#
# All tasks up to 9 pass their checks. Six experiments show what you have built, and where it ends.
#
# - **(a) What does spreading cost?** The distances of the Bullion, and the cost of placements on 1 to 16 nodes. Notice
#   how few nodes are enough to make spreading nearly as expensive as it can be.
# - **(b) The paper's figures, and a model** that is calibrated on its NUMA-unaware runs on 4 and 8 nodes alone. On
#   one node all memory is near, so the model has no gain. With how many nodes does it reach the 18 % measured on one?
# - **(c) A query of your Lab 4**, cut by your `split`; its bytes are counted, and `place` places its instances.
# - **(d) A copy from local and remote memory**, if this machine has two nodes.
# - **(e) Take-over** by session time-out. Which part of the take-over time is the session time-out?
# - **(f) Near or now**: two workers, each pinned to a core. Does Spark wait for the executor that has the data
#   (PROCESS_LOCAL), or take any on the same machine (NODE_LOCAL)?

# %% role="show"
# The baseline of the throughput check: from a greedy start, the same steps as yours, and the whole cost of each try.
def with_whole_costs(placement: dict[str, int], traffic: Traffic, topology: Topology) -> dict[str, int]:
    now, least, settled = cost(placement, traffic, topology), 1e-6 * sum(traffic.values()), False
    while not settled:
        settled = True
        for step in steps(placement, topology):
            before = {each: placement[each] for each in step}
            placement.update(step)
            after = cost(placement, traffic, topology)
            if after < now - least:
                now, settled = after, False
            else:
                placement.update(before)
    return placement

def steps(placement: dict[str, int], topology: Topology) -> Iterator[dict[str, int]]:
    for a in placement:
        used = Counter(placement.values())
        yield from ({a: node} for node, cores in topology.cores.items() if used[node] < len(cores))
    for a, b in combinations(placement, 2):
        if placement[a] != placement[b]:
            yield {a: placement[b], b: placement[a]}

# %% role="show"
# (a) The machine of the paper, and what it costs to use more of its nodes. "All local": all traffic is within one node.
from streamlab.lab05_placement.experiments.placement import copy_seconds, modelled_gains
from streamlab.lab05_placement.experiments.placement import query_bytes, spread_costs
from streamlab.views.heat_map import heat_map

with one_line_errors():
    rows = [[bullion.distance[reader][memory] for memory in bullion.cores] for reader in bullion.cores]
    alt_text = "10 on the diagonal, 15 within pairs of nodes, 40 everywhere else"
    heat_map(rows, "node of the memory", "node of the reader", "Distances of the Bullion S16", alt_text)
    costs = spread_costs(place, cost, bullion, [1, 2, 4, 8, 16])
    rows = [(points[0][0], *(cost_ratio for _, cost_ratio in points)) for points in zip(*costs.values(), strict=True)]
    print(table(rows, ["nodes", *costs]))
    alt_text = "; ".join(f"{name} {points[0][1]:.1f} to {points[-1][1]:.1f}" for name, points in costs.items())
    line_plot(costs, "nodes in use", "cost (times all local)", "What spreading costs", alt_text)

# %% role="show"
# (b) Thousands of events/s from the paper, and the model, calibrated on the unaware runs on 4 and 8 nodes only.
with one_line_errors():
    measured = [(n, each.unaware, each.aware, 100 * (each.aware / each.unaware - 1)) for n, each in PAPER.items()]
    print(table(measured, ["nodes", "unaware (1000/s)", "aware (1000/s)", "gain (%)"]))
    share, gains = modelled_gains([1, 2, 3, 4, 8, 16])
    print(f"\nshare of memory: {share:.3f}")
    print(table(gains, ["nodes the system may use", "mean distance", "modelled gain (%)"]))
    lines = {"paper": [(row[0], row[3]) for row in measured], "model": [(row[0], row[2]) for row in gains]}
    texts = {name: ", ".join(f"{x} nodes {y:.0f} %" for x, y in line) for name, line in lines.items()}
    alt_text = "; ".join(f"{name}: {text}" for name, text in texts.items())
    line_plot(lines, "nodes", "gain of NUMA-aware placement (%)", "The paper's gains and the model", alt_text)
    try:
        memory_share((mean_distance(1), PAPER[1].unaware), (mean_distance(4), PAPER[4].unaware / 4))
    except ValueError as problem:
        print("Calibrated on 1 and 4 nodes:", problem)

# %% role="show"
# (c) Hits per ip and the largest number of hits: 2 + 3 + 1 instances on the paper's machine, with 2 cores a node.
from streamlab.lab04_subqueries import visits
from streamlab.lab04_subqueries.engine import Map, Query, TimeWindow

with one_line_errors():
    lab4 = stage("lab04_subqueries")
    query = Query("visits").add("pick", Map(lambda row: {"ip": row["ip"]}), ["visits"], ["picked"])
    hits = lab4.Aggregate(["ip"], TimeWindow(10_000, 5000), {"hits": ("COUNT", "ip")})
    most = lab4.Aggregate([], TimeWindow(5000, 5000), {"most": ("MAX", "hits")})
    query.add("hits", hits, ["picked"], ["per_ip"]).add("most", most, ["per_ip"], ["busiest"])
    instances, sent = query_bytes(lab4, query, [2, 3, 1], {"visits": visits("place", 2000, 33, ips=40)})
    two_each = bullion._replace(cores={node: cores[:2] for node, cores in bullion.cores.items()})
    for name, nodes in ("place", place(instances, sent, two_each)), ("round robin", round_robin(instances, two_each)):
        print(f"{name}: {nodes}, cost {cost(nodes, sent, two_each) / 10 / sum(sent.values()):.2f} x all local")

# %% role="show"
# (d) 256 MiB from local, remote and interleaved memory.
with one_line_errors():
    copies = copy_seconds(here(read_topology))
    if isinstance(copies, str):
        print(f"Not measured: {copies}.")
    else:
        print(table(list(copies.items()), ["memory", "seconds"]))
        alt_text = "; ".join(f"{name} {seconds:.2f} s" for name, seconds in copies.items())
        bar_plot(copies, "seconds for 256 MiB", "A copy by one core", alt_text)

# %% role="show"
# (e) Kill -9 of real processes: how long until another leader leads, and until instances run elsewhere? (20 s)
from streamlab.lab05_placement.experiments.take_over import take_over

with one_line_errors(), running("zookeeper") as zookeeper:
    rows = []
    for session_s in 1.0, 2.0, 4.0:
        rows.append((session_s, *take_over(InstanceManager, Orchestrator, bullion, zookeeper.address, session_s)))
    print(table(rows, ["session time-out (s)", "new leader after (s)", "instances after (s)"]))
    lines = {name: [(row[0], row[column]) for row in rows] for column, name in enumerate(("leader", "manager"), 1)}
    alt_text = "; ".join(f"{row[0]:.0f} s: leader {row[1]:.1f} s, manager {row[2]:.1f} s" for row in rows)
    line_plot(lines, "session time-out (s)", "take-over (s)", "Take-over after kill -9", alt_text)

# %% role="show"
# (f) Near or now, as recorded with `./lab experiment near-or-now` on two cores.
from streamlab.lab05_placement.experiments.near_or_now import recorded_runs

with one_line_errors():
    runs = recorded_runs()
    levels = [", ".join(f"{count} {name}" for name, count in sorted(run.levels.items())) for run in runs]
    rows = [(run.wait_s, run.took_s, len(run.executors), each) for run, each in zip(runs, levels, strict=True)]
    print(table(rows, ["spark.locality.wait (s)", "took (s)", "executors used", "tasks at each level"]))
    bars = {f"wait {run.wait_s:g} s": run.took_s for run in runs}
    alt_text = "; ".join(f"{name}: {seconds:.1f} s" for name, seconds in bars.items())
    bar_plot(bars, "seconds for four tasks", "Near or now", alt_text)

# %% [markdown]
# **What the figures say.** On four nodes, a placement that ignores traffic already pays most of the cost that spreading
# can add: half of all pairs are then 40 apart. METIS does not use distances, which shows on 16 nodes. The model roughly
# reproduces the paper's gains (21 and 30 % against 20 and 26). It leaves out the bandwidth of links, caches, threads
# that migrate, garbage collection, and the client.
#
# The session time-out is nearly the whole take-over time. But a short one also ends the session of a process that was
# only paused. And Spark waits three seconds for the near executor before it takes the other one. With tasks of half a
# second, it is faster not to wait. To Spark, a *node* is a machine: only with a worker for each NUMA node, pinned as in
# this experiment, does PROCESS_LOCAL also mean near memory.
#
# ## 7 · Break it
#
# Invariant 6 says that one leader writes at a time. In the next cell manager m0 dies, and the leader x sends a write
# that moves its instance. The write is delayed: meanwhile y is elected, and m1 dies. The cell runs twice, the second
# time without the check of the term.
#
# **Predict**: which placement is stored in the end, and who would notice?

# %% role="show"
from kazoo.client import TransactionRequest

class Late(TransactionRequest):
    """A transaction that arrives late, with or without its checks."""
    def check(self, path: str, version: int) -> None:
        if with_check:
            super().check(path, version)

    def commit(self) -> list[Any]:
        x.election.release(), managers[1].stop(), y.lead(), y.step()  # as if the session of x had ended
        return super().commit()

with one_line_errors(), running("zookeeper") as zookeeper:
    for with_check in True, False:
        with sessions(zookeeper.address, 6) as (client, x_zk, y_zk, *managers):
            root = f"/with-check-{with_check}"
            deploy(client, "a", {"a1": 0, "a2": 1}, root)
            for number, zk in enumerate(managers):
                InstanceManager(zk, f"m{number}", number, *callbacks, root).join()
            x, y = Orchestrator(x_zk, "x", bullion, root), Orchestrator(y_zk, "y", bullion, root)
            x.lead(), x.step(), managers[0].stop()
            x_zk.transaction = partial(Late, x_zk)
            with suppress(NotLeader):
                x.step()
            print(f"term checked: {with_check}; {y.registry.all('placements')}; living: {y.registry.names('managers')}")

# %% [markdown] written="which_figure"
# ## 8 · Questions, and the next lab
#
# **How you would have noticed in production:** an epoch that falls, or an instance placed on a manager that is gone.
# In Lab 6 each event needs a lookup in a database, which should be near. Two questions are graded by hand.
#
# **Which figure would you not believe?** (3 points) Look at the table and the plot of experiment (b) again.
#
# 1. Compute how much more 4 nodes process than 1, with and without NUMA-aware placement. What is odd, and what does it
#    say about the run on one node?
# 2. On one node, NUMA-aware placement gains 18 %. One query ran, with 18 cores and its memory. Where can the gain come
#    from, and what would you ask the authors?
# 3. The paper says "up to 25 %" in one place and 26 % in another, and it has one run of one workload. Which single
#    measurement would you repeat first, and how often?

# %% [markdown] written="two_claims"
# **When do two managers still run one instance, though every claim is right?** (3 points) A manager starts an instance
# only under a claim of its session. When the claim is gone, the manager's next step stops it.
#
# 1. Describe a sequence of events in which two managers run the same instance at the same time, and nobody has broken a
#    rule. How long can it last?
# 2. Does a shorter session time-out help? What does it cost?
# 3. Both instances write to the same receiver. What must a message carry, and what must the receiver do, so that the
#    second writer changes nothing? Which number in ZooKeeper could you use?

# %% [markdown]
# ## 9 · ★ Bonus
#
# Nothing later needs these tasks; their points are not in the lab's {points}.
#
# ### ★ · `throughput`
#
# **Why a model.** A lower cost need not mean a higher rate. For each tuple, a core computes and waits for memory, and
# only the waiting grows with the distance. The **bottleneck** then sets the rate: events cannot pass faster than the
# busiest instance processes them. Evaluating such a model takes microseconds; a test on the machine takes a day.

# %% task="throughput" todo="add up the time per source event of each receiver; the busiest bounds the rate"
def throughput(placement: Placement, rates: Traffic, topology: Topology, cpu_us: float, memory_us: float) -> float:
    """Return how many source events per second a placement can process.

    rates: (sender, receiver) -> tuples per source event. Each tuple takes its receiver
    cpu_us + memory_us × distance / 10 µs, with the distance from the receiver's node to the sender's. The instance that
    needs the most time per source event bounds the rate.

    - A sender that is not placed (a source) writes into its receiver's memory: the distance is 10.
    - Raises ValueError if a receiver is not placed, if a sender or receiver is on a node that the machine does not
      have, or if no instance needs any time.

    Example: source→a 1, a→b 0.5, with 10 and 2 µs: 83,333 events/s wherever b is. With a→b 1, and b at distance 40:
    55,556 events/s
    """
    ### BEGIN SOLUTION
    busy_us = Counter[str]()
    for (sender, receiver), tuples in rates.items():
        here = placement.get(receiver)
        memory = placement.get(sender, here)
        if not {here, memory} <= topology.cores.keys():
            raise ValueError(f"expected nodes of this machine for {sender} and {receiver}, got {memory} and {here}")
        distance = topology.distance[here][memory]
        busy_us[receiver] += tuples * (cpu_us + memory_us * distance / 10)
    if max(busy_us.values(), default=0) <= 0:
        raise ValueError(f"expected an instance that needs time, got the rates {dict(rates)}")
    return 1e6 / max(busy_us.values())
    ### END SOLUTION

# %% check="throughput"
# b is near a, or at distance 40. When does the distance lower the throughput, and when does it not?
with one_line_errors():
    bullion = read_topology(recorded("bullion_s16"))
    for tuples in 0.5, 1.0:
        rates = {("source", "a"): 1, ("a", "b"): tuples}
        limits = [throughput({"a": 0, "b": node}, rates, bullion, cpu_us=10, memory_us=2) for node in (0, 1, 2)]
        print(f"a→b {tuples}:", *(f"{events_per_s:,.0f}" for events_per_s in limits), "events/s")

check("throughput")

# %% [markdown]
# ### ★ · `byte_rates`
#
# **Why measure rates.** The traffic that `place` needs comes from the running system: each instance has a byte
# **counter** for each of its receivers, and reports its total again and again. Reports arrive late, out of order and
# twice. Comparing each with the one before it is a window query of Spark (invariant 10):
# `F.lag("total").over(Window.partitionBy("meter").orderBy("at"))` is the value one row before.

# %% task="byte_rates" todo="compare each report with the one before it of the same pair, then add up the growth"
def byte_rates(reports: DataFrame) -> DataFrame:
    """Return a DataFrame with the traffic of each pair of instances.

    reports: (sender: string, receiver: string, at_ms: long, total_bytes: long). total_bytes counts since the sender
    began to send to this receiver; after a restart of the sender it counts from 0 again.
    returns (sender, receiver, bytes_per_s: double): bytes of the pair between its first and its last report, divided
    by the seconds between these two.

    - If a total is lower than the one before, the sender has restarted, and all of that total is growth.
    - Reports come in any order, and the same report may come more than once. At any `at_ms`, a pair has one total.
    - A pair whose reports all have the same `at_ms` has no row.
    - The result is lazy: call no action, such as `count` or `collect`.

    Example: totals 0, 1000, 3000 at 0, 1000, 2000 ms -> 1500.0; totals 5000, 6000, 500 at the same times -> 750.0
    """
    ### BEGIN SOLUTION
    before = F.lag("total_bytes").over(Window.partitionBy("sender", "receiver").orderBy("at_ms"))
    growth = F.when(F.col("total_bytes") < before, F.col("total_bytes")).otherwise(F.col("total_bytes") - before)
    seconds = (F.max("at_ms") - F.min("at_ms")) / 1000
    pairs = reports.distinct().withColumn("growth", growth).groupBy("sender", "receiver")
    sums = pairs.agg(F.sum("growth").alias("bytes"), seconds.alias("seconds")).where("seconds > 0")
    return sums.select("sender", "receiver", (F.col("bytes") / F.col("seconds")).alias("bytes_per_s"))
    ### END SOLUTION

# %% check="byte_rates"
# A counter that grows, and one whose sender restarts. The third pair has reported only once. `place` gets these rates.
with one_line_errors():
    totals = {("a", "b"): [0, 1000, 3000], ("a", "c"): [5000, 6000, 500], ("b", "c"): [70]}
    rows = [(*pair, 1000 * at, total) for pair, each in totals.items() for at, total in enumerate(each)]
    reports = spark.createDataFrame(rows, "sender string, receiver string, at_ms long, total_bytes long")
    rates = byte_rates(reports).orderBy("sender", "receiver")
    rates.show()
    traffic = {(row.sender, row.receiver): row.bytes_per_s for row in rates.collect()}
    sockets = Topology({0: [0, 1], 1: [2, 3]}, {0: {0: 10, 1: 21}, 1: {0: 21, 1: 10}})
    print("place:", place(["a", "b", "c"], traffic, sockets))

check("byte_rates")

# %% [markdown]
# ### ★ · `pin`
#
# **Why pin.** Nothing guarantees that a thread stays near its memory: the scheduler may move it to any idle core.
# **CPU affinity** limits a thread to given cores. It belongs to *threads*: `os.sched_setaffinity(pid, …)` and
# `taskset -p` change one thread, and a Java process has dozens. Threads that start later inherit it from the thread
# that starts them. If you ask for cores 0 and 99, Linux drops 99 without an error.
#
# **Where the memory is.** Linux puts a page on the node of the core that first writes to it (**first touch**), so pin a
# process before it fills its memory. A memory policy overrides this: `numactl --membind=1` takes pages of node 1 only,
# and fails when it is full; `--interleave=all` deals pages to all nodes, for data that all nodes read.
# ```python
# os.sched_getaffinity(0)                      # {0, 1}: the cores that this thread may use
# os.sched_setaffinity(4711, [0])              # 4711 is the number of a thread; the first one has the process's number
# os.listdir("/proc/4711/task")                # ["4711", "4712"]: its threads; FileNotFoundError once it is gone
# "Cpus_allowed_list:\t0-1".split()            # this line of /proc/4711/status has Linux's list format
# ```
# ([sched_setaffinity](https://docs.python.org/3/library/os.html#os.sched_setaffinity),
# [/proc](https://man7.org/linux/man-pages/man5/proc_pid_status.5.html))

# %% task="pin" todo="reject unavailable cores; pin every thread; return what /proc says"
def pin(pid: int, cores: Collection[int]) -> list[int]:
    """Pin all threads of a process to `cores`, and return the cores that /proc/PID/status then reports.

    - Threads that the process starts later are pinned, too, since each inherits from the thread that starts it. And
      one that starts while `pin` goes through the list? A thread that is not pinned yet may have started it.
    - Raises ValueError, and changes no thread, if `cores` is empty or has a core that the calling process may not use.
    - Raises OSError if there is no such process.

    Example: pin(4711, [1, 0, 0]) -> [0, 1]
    """
    ### BEGIN SOLUTION
    unavailable = set(cores) - os.sched_getaffinity(0)
    if not cores or unavailable:
        raise ValueError(f"expected cores of {sorted(os.sched_getaffinity(0))}, got {sorted(cores)}")
    pinned: set[str] = set()
    while new := set(os.listdir(f"/proc/{pid}/task")) - pinned:  # a thread may have started another one meanwhile
        for thread in new:
            with suppress(ProcessLookupError):  # it has ended in the meantime
                os.sched_setaffinity(int(thread), cores)
        pinned |= new
    status = Path(f"/proc/{pid}/status").read_text()
    return cpus(next(line.split()[1] for line in status.splitlines() if line.startswith("Cpus_allowed_list:")))
    ### END SOLUTION

# %% check="pin"
# Five threads of one process. What does each way of pinning change? Then the fixed window of your Lab 4 in processes
# that wait for nothing: where the scheduler puts them, and each pinned to a core of its node. (About 20 s.)
from streamlab.lab05_placement.experiments.numa import beside_the_paper, numa_runs

WAITING = """import threading, time
for _ in range(4):
    threading.Thread(target=time.sleep, args=(60,)).start()
print("started", flush=True)"""
with one_line_errors():
    own = sorted(os.sched_getaffinity(0))
    print(f"this notebook may use the cores {own}", "" if len(own) > 1 else "; with one you cannot see a difference")
    with subprocess.Popen([sys.executable, "-c", WAITING], stdout=subprocess.PIPE) as process:
        process.stdout.readline()  # its threads have started
        for name, function in ("sched_setaffinity", os.sched_setaffinity), ("pin", pin):
            function(process.pid, own[:1])
            threads = os.listdir(f"/proc/{process.pid}/task")
            print(f"{name}:", *(len(os.sched_getaffinity(int(each))) for each in threads), "cores of each thread")
        process.kill()
    machine = here(read_topology)
    runs = numa_runs(stage("lab04_subqueries").Aggregate, place, pin, machine, rows=20_000)
    print(table(beside_the_paper(runs, machine), ["machine", "queries", "unpinned (1/s)", "pinned (1/s)"]))

check("pin")
