"""Source of Lab 5: placement on NUMA machines, with the reference solutions.

`./lab build` makes the student's notebook from it; autograder/stages/lab05_placement judges it.
"""

# %% [markdown]
# # Lab 5 · Placement on NUMA machines
#
# ## 1 · What works after this lab
#
# | before | after |
# |---|---|
# | the operating system puts a thread where a core is idle | each instance runs near its data, pinned to its core |
# | a query stops when the process dies that started it | an orchestrator restores it, and survives its own death |
#
# ```text
#  /sys ──▶ read_topology ──▶ place ──▶ throughput      byte_rates ──▶ traffic between instances
#            tasks 1, 2       3–5       6               7 (Spark)
#  clients ──▶ ZooKeeper ◀──▶ Orchestrator: heal        InstanceManager on each node: pin, start, stop
#                             tasks 9, 11               tasks 8, 10
# ```
#
# In Lab 4 a balancer decided which instance gets a row. This lab decides on which core an instance runs. A machine with
# **non-uniform memory access** (NUMA) has several **nodes**, each with its own cores and its own memory. A core can
# read all memory, and memory of another node takes longer.
#
# {minutes} minutes, in two sittings. Task 10 needs ZooKeeper, which the notebook starts.

# %% [markdown]
# ## 2 · The invariants
#
# These always hold. Code comments, checks and messages cite them by number.
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
# Tasks 2, 3 and 11 show the answers.
#
# ## 4 · Tasks

# %% role="given" name="setup"
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, Window, functions as F
from streamlab import bar_plot, check, line_plot, one_line_errors, session, show_calls, stage, table
from streamlab.numa import NODE_FOLDER, PAPER, Flow, Links, Placement, Topology, Traffic, here, least_loaded
from streamlab.numa import mean_distance, memory_share, query_traffic, recorded, round_robin

# %% [markdown]
# ### Tasks 1 and 2 · `cpus`, `read_topology`
#
# **Why.** Before anything can be placed, a program must know the machine. Linux shows it as files below
# `/sys/devices/system/node`; `numactl --hardware` and `lscpu` print the same.
#
# | file | what it holds |
# |---|---|
# | `online` | the nodes that are there, as a list: `0-1` or `0,8-9` |
# | `nodeN/cpulist` | the cores of node N, as a list; empty for a node that has memory only |
# | `nodeN/distance` | one number for each **online** node, in ascending order: 10 is local, 21 takes 2.1 times as long |
#
# The trap is the third line: column i is the i-th online node, and not node i (prediction 1).
# ```python
# "0-2,8".split(","), "0-2".partition("-")      # (["0-2", "8"], ("0", "-", "2"))
# Path("node0/cpulist").read_text()             # "0-17\n"; FileNotFoundError is an OSError
# "12".isdecimal(), "1_2".isdecimal()           # (True, False); int("1_2") is 12
# ```
# ([pathlib](https://docs.python.org/3/library/pathlib.html),
# [the files](https://docs.kernel.org/admin-guide/mm/numaperf.html))

# %% task="cpus" todo="read the ranges of Linux's list format; reject what Linux does not print"
def cpus(text: str) -> list[int]:
    """Return the numbers in a list as Linux prints it, ascending, each once.

    Items are numbers or ranges "first-last" with first <= last, separated by commas; white space around the whole text
    does not count. An empty text is an empty list. ValueError: anything else, such as "2-1", "1,,2", "0-", "1-2-3",
    "0-3:1/2" or "a".

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
# Where does the list of a node come from whose cores have even numbers?
with one_line_errors():
    show_calls(cpus, ("0-2,8,10-11\n",), ("",), ("3",), ("2-1",))
    print((recorded("two_sockets") / "node0" / "cpulist").read_text())

check("cpus")

# %% task="read_topology" todo="read the online nodes, the cores of each, and a row of distances for each"
def read_topology(folder: Path, allowed: Collection[int] | None = None) -> Topology:
    """Read the nodes of a machine from a folder such as /sys/devices/system/node.

    folder: holds `online`, and `nodeN/cpulist` and `nodeN/distance` for each online node N.
    allowed: the cores to use; None allows all. Other cores are left out; a node may keep none.

    - Column i of a row of distances belongs to the i-th online node.
    - ValueError with the file's path in its text: a file is missing or is no list of numbers; a row has another length
      than `online`; a local distance is not 10, or a remote one is 10 or less; a core is in two nodes; no node is
      online.
    """
    ### BEGIN SOLUTION
    nodes = numbers(folder / "online", cpus)
    if not nodes:
        raise ValueError(f"{folder / 'online'} names no node")
    cores: dict[int, list[int]] = {}
    for node in nodes:
        path = folder / f"node{node}" / "cpulist"
        cores[node] = numbers(path, cpus)
        if any(core in cores[other] for core in cores[node] for other in nodes if other < node):
            raise ValueError(f"{path} has a core that another node has, too")
    distance = {node: distances(folder / f"node{node}" / "distance", node, nodes) for node in nodes}
    usable = {node: [core for core in own if allowed is None or core in allowed] for node, own in cores.items()}
    return Topology(usable, distance)


def numbers(path: Path, parse: Callable[[str], list[int]]) -> list[int]:
    try:
        return parse(path.read_text("ascii"))
    except (OSError, ValueError) as problem:
        raise ValueError(f"{path}: {problem}") from None


def distances(path: Path, node: int, nodes: list[int]) -> dict[int, int]:
    row = numbers(path, lambda text: [int(word) for word in text.split()])
    if len(row) != len(nodes):
        raise ValueError(f"{path} has {len(row)} distances for {len(nodes)} online nodes")
    to = dict(zip(nodes, row, strict=True))
    if any((far != 10) if other == node else (far <= 10) for other, far in to.items()):
        raise ValueError(f"{path}: 10 is local and more is remote, got {row} for node {node} of {nodes}")
    return to
    ### END SOLUTION

# %% check="read_topology"
# A recorded machine with two sockets, and this one. How many nodes do you see?
with one_line_errors():
    print(read_topology(recorded("two_sockets")))
    print(read_topology(recorded("two_sockets"), allowed=[0, 1, 2]).cores)
    print("this machine:", here(read_topology))

check("read_topology")

# %% [markdown]
# ### Tasks 3, 4 and 5 · `cost`, `swap_gain`, `place`
#
# **Why.** A receiver reads what its sender has written into the memory of the sender's node. If the two are far apart,
# each byte takes longer. The **cost** of a placement adds up bytes/s × distance over all links; the lower, the better.
# The paper's scheduler puts whole queries on nodes by hand. You search.
#
# **Why a gain.** To find the cheapest placement is NP-hard (it is the quadratic assignment problem). So one starts
# somewhere and improves: move an instance to a free core, or swap two, as long as it helps. This is **local search**,
# and it ends in a **local optimum**. Each try needs the difference of two costs, and only the links of the moved
# instances change: a few, not all. [Kernighan and Lin (1970)](https://doi.org/10.1002/j.1538-7305.1970.tb01770.x) cut
# graphs in this way.
#
# | given | what it is |
# |---|---|
# | traffic | `{(sender, receiver): bytes/s}` |
# | placement | `{instance: node}` |
# | `Links(traffic)` | `.of(instance)` returns `{other: Flow(sent, received)}`, and counts its calls in `.calls` |
# ```python
# chance = random.Random("seed"); chance.sample([1, 2, 3], 3)     # the same order in every run
# min([3, 1, 2], key=lambda n: -n)                                # 3: the smallest key
# Links({("a", "b"): 100}).of("b")                                # {"a": Flow(sent=0, received=100)}
# ```

# %% task="cost" todo="add up bytes/s times the distance from the reader's node to the memory's node"
def cost(placement: Placement, traffic: Traffic, topology: Topology) -> float:
    """Return the sum over all traffic of bytes/s × distance[reader's node][memory's node].

    The receiver is the reader; the memory is on the sender's node. ValueError if an instance of `traffic` has no node
    in `placement`, or one that the machine does not have.

    Example: two sockets with 10 and 21, {("a", "b"): 100, ("b", "c"): 10}: a on 0, b and c on 1 -> 2200; all on 1 -> 1100
    """
    ### BEGIN SOLUTION
    for instance in {instance for pair in traffic for instance in pair}:
        if placement.get(instance) not in topology.cores:
            raise ValueError(f"expected a node of this machine for {instance}, got {placement.get(instance)}")
    far = {(a, b): topology.distance[placement[b]][placement[a]] for a, b in traffic}
    return sum(bytes_per_s * far[pair] for pair, bytes_per_s in traffic.items())
    ### END SOLUTION

# %% check="cost"
# 100 bytes/s from a to b, on a machine whose distances are not symmetric. Which direction costs less, and why?
three = Topology({0: [0], 1: [1], 2: [2]}, {0: {0: 10, 1: 20, 2: 30}, 1: {0: 25, 1: 10, 2: 20}, 2: {0: 40, 1: 25, 2: 10}})
with one_line_errors():
    for placement in {"a": 0, "b": 1}, {"a": 1, "b": 0}, {"a": 1, "b": 1}:
        print(placement, "costs", cost(placement, {("a", "b"): 100}, three))

check("cost")

# %% task="swap_gain" todo="add up what the links of the two cost now and after the swap; count their own link once"
def swap_gain(a: str, b: str, placement: Placement, links: Links, topology: Topology) -> float:
    """Return by how much the cost falls if a and b change places: the cost now minus the cost afterwards.

    Asks `links.of` for a and b only, and changes nothing. On a link between a and b, both ends move.

    Example: the machine above, {("a", "b"): 100}, a on 0, b on 1 -> 500
    """
    ### BEGIN SOLUTION
    distance, gain = topology.distance, 0.0
    for mine, other in (a, b), (b, a):
        here, there = placement[mine], placement[other]
        for peer, flow in links.of(mine).items():
            if peer == other:
                gain += flow.sent * (distance[there][here] - distance[here][there])  # the other end adds `received`
            else:
                at = placement[peer]
                gain += flow.sent * (distance[at][here] - distance[at][there])
                gain += flow.received * (distance[here][at] - distance[there][at])
    return gain
    ### END SOLUTION

# %% check="swap_gain"
# The gain is the difference of two costs, from the links of two instances.
with one_line_errors():
    links = Links({("a", "b"): 100, ("b", "c"): 10})
    for pair in ("a", "b"), ("a", "c"), ("b", "c"):
        print(pair, swap_gain(*pair, {"a": 0, "b": 1, "c": 2}, links, three), "calls:", links.calls)

check("swap_gain")

# %% task="place" todo="start greedily and by chance; move and swap until nothing helps; return the cheapest"
def place(instances: Sequence[str], traffic: Traffic, topology: Topology, starts: int = 8) -> dict[str, int]:
    """Return a node for each instance, so that each has a core to itself and the cost is low.

    Searches from a greedy start and from `starts` - 1 starts by chance, and returns the cheapest result. In it, no move
    of one instance to a free core and no swap of two instances lowers the cost by more than a millionth of it.

    - The same input gives the same placement, in every process. No argument is changed.
    - Instances without traffic get a core, too. ValueError if there are more instances than cores.
    """
    ### BEGIN SOLUTION
    slots = [node for node, cores in topology.cores.items() for _ in cores]
    if len(instances) > len(slots):
        raise ValueError(f"{len(instances)} instances need a core each, and there are {len(slots)} cores")
    links, chance, found = Links(traffic), random.Random(len(instances)), list[dict[str, int]]()
    least = 1e-6 * sum(traffic.values())  # a ten-millionth of the cost with all traffic local: no loop over rounding
    for start in range(starts):
        by_chance = dict(zip(instances, chance.sample(slots, len(instances)), strict=True))
        found.append(by_chance if start else greedy(instances, links, topology))
        improve(found[-1], links, topology, least)
    return min(found, key=lambda placement: cost(placement, traffic, topology))


def greedy(instances: Sequence[str], links: Links, topology: Topology) -> dict[str, int]:
    free = {node: len(cores) for node, cores in topology.cores.items()}
    left, pull, placement = list(instances), Counter[str](), dict[str, int]()
    while left:
        chosen = max(left, key=lambda each: pull[each])  # the one with most traffic to those that are placed
        left.remove(chosen)
        at = [node for node in free if free[node]]
        placement[chosen] = min(at, key=lambda node: (cost_at(chosen, node, placement, links, topology), -free[node]))
        free[placement[chosen]] -= 1
        pull.update({other: sum(flow) for other, flow in links.of(chosen).items()})
    return placement


def cost_at(instance: str, node: int, placement: Placement, links: Links, topology: Topology) -> float:
    at, far = [(placement[to], flow) for to, flow in links.of(instance).items() if to in placement], topology.distance
    return sum(flow.sent * far[there][node] + flow.received * far[node][there] for there, flow in at)


def improve(placement: dict[str, int], links: Links, topology: Topology, least: float) -> None:
    def moved(a: str) -> bool:
        room = {node: len(cores) - list(placement.values()).count(node) for node, cores in topology.cores.items()}
        costs = {node: cost_at(a, node, placement, links, topology) for node in room if room[node] > 0}
        now, best = cost_at(a, placement[a], placement, links, topology), min(costs, key=costs.__getitem__, default=None)
        if best is None or now - costs[best] <= least:
            return False
        placement[a] = best
        return True

    def swapped(a: str, b: str) -> bool:
        if placement[a] == placement[b] or swap_gain(a, b, placement, links, topology) <= least:
            return False
        placement[a], placement[b] = placement[b], placement[a]
        return True

    names = list(placement)
    while any([moved(a) or any([swapped(a, b) for b in names[at + 1 :]]) for at, a in enumerate(names)]):
        pass
    ### END SOLUTION

# %% check="place"
# A query whose two chains talk to each other only at the end. Which instances share a node, and what does it save?
with one_line_errors():
    instances, traffic = query_traffic("show", 12)
    machine = read_topology(recorded("bullion_s16"), allowed=[*range(4), *range(18, 22), *range(36, 40)])
    local = 10 * sum(traffic.values())
    for name, found in ("place", place(instances, traffic, machine)), ("round robin", round_robin(instances, machine)):
        print(f"{name:12}", dict(sorted(Counter(found.values()).items())), f"{cost(found, traffic, machine) / local:.2f} x local")

check("place")

# %% [markdown]
# ### Tasks 6, 7 and 8 · `throughput`, `byte_rates`, `pin`
#
# **Why a model.** A lower cost is not yet a higher rate. Of the time that a core spends on a tuple, only the part that
# waits for memory grows with the distance, and the **bottleneck** decides: events cannot pass faster than the busiest
# instance takes them. Such a model costs microseconds, and a test on the machine costs a day.
#
# **Why pin.** Nothing holds a thread where it is: the scheduler moves it to an idle core, and its memory stays behind.
# **CPU affinity** limits a thread to given cores. It belongs to *threads*: `os.sched_setaffinity(pid, …)` and
# `taskset -p` change one thread, and a Java process has dozens. Threads that start later inherit it from the thread
# that starts them. If you ask for cores 0 and 99, Linux drops 99 without an error.
# ```python
# os.sched_getaffinity(0)                      # {0, 1}: the cores that this thread may use
# os.sched_setaffinity(4711, [0])              # 4711 is the number of a thread; the first one has the process's number
# os.listdir("/proc/4711/task")                # ["4711", "4712"]: its threads; FileNotFoundError once it is gone
# "Cpus_allowed_list:\t0-1".split()            # this line of /proc/4711/status has Linux's list format
# ```
# ([sched_setaffinity](https://docs.python.org/3/library/os.html#os.sched_setaffinity),
# [/proc](https://man7.org/linux/man-pages/man5/proc_pid_status.5.html))

# %% task="throughput" todo="add up the time per source event of each receiver; the busiest bounds the rate"
def throughput(placement: Placement, rates: Traffic, topology: Topology, cpu_us: float, memory_us: float) -> float:
    """Return how many source events per second a placement can process.

    rates: (sender, receiver) -> tuples per source event. Each tuple takes its receiver
    cpu_us + memory_us × distance / 10 µs, with the distance from the receiver's node to the sender's. The instance that
    needs the most time per source event bounds the rate.

    - A sender that is not placed (a source) writes where its tuples are read: the local distance, 10.
    - ValueError if a receiver is not placed on a node of the machine, or if no instance needs any time.

    Example: source→a 1, a→b 0.5, with 10 and 2 µs: 83,333 events/s wherever b is. With a→b 1: 55,556 if b is 40 away
    """
    ### BEGIN SOLUTION
    busy_us = Counter[str]()
    for (sender, receiver), tuples in rates.items():
        if placement.get(receiver) not in topology.cores:
            raise ValueError(f"expected a node of this machine for {receiver}, got {placement.get(receiver)}")
        here = placement[receiver]
        far = topology.distance[here][placement.get(sender, here)]
        busy_us[receiver] += tuples * (cpu_us + memory_us * far / 10)
    if max(busy_us.values(), default=0) <= 0:
        raise ValueError(f"expected an instance that needs time, got the rates {dict(rates)}")
    return 1e6 / max(busy_us.values())
    ### END SOLUTION

# %% check="throughput"
# b is near a, or 40 away. When does the distance cost throughput, and when does it cost none?
with one_line_errors():
    bullion = read_topology(recorded("bullion_s16"))
    for tuples in 0.5, 1.0:
        rates = {("source", "a"): 1, ("a", "b"): tuples}
        found = [throughput({"a": 0, "b": node}, rates, bullion, cpu_us=10, memory_us=2) for node in (0, 1, 2)]
        print(f"a→b {tuples}:", *(f"{events_per_s:,.0f}" for events_per_s in found), "events/s")

check("throughput")

# %% task="byte_rates" todo="compute the growth of each pair's counter, and divide by the pair's own time"
def byte_rates(reports: DataFrame) -> DataFrame:
    """Return the rate of each pair of instances."""
    ### BEGIN SOLUTION
    raise NotImplementedError
    ### END SOLUTION

# %% check="byte_rates"
check("byte_rates")

# %% task="pin" todo="reject unavailable cores; pin every thread; return what /proc says"
def pin(pid: int, cores: Collection[int]) -> list[int]:
    """Pin all threads of a process to `cores`, and return the cores that /proc/PID/status then reports.

    - Threads that the process starts later are pinned, too, since each inherits from the thread that starts it.
    - ValueError, and no thread is changed: `cores` is empty or has a core that the calling process may not use.
    - OSError if there is no such process.

    Example: pin(4711, [1, 0, 0]) -> [0, 1]
    """
    ### BEGIN SOLUTION
    unavailable = set(cores) - os.sched_getaffinity(0)
    if not cores or unavailable:
        raise ValueError(f"expected cores of {sorted(os.sched_getaffinity(0))}, got {sorted(cores)}")
    pinned: set[str] = set()
    while new := set(os.listdir(f"/proc/{pid}/task")) - pinned:  # a thread may have started another one meanwhile
        for thread in new:
            with suppress(ProcessLookupError):  # it has ended since
                os.sched_setaffinity(int(thread), cores)
        pinned |= new
    status = Path(f"/proc/{pid}/status").read_text()
    return cpus(next(line.split()[1] for line in status.splitlines() if line.startswith("Cpus_allowed_list:")))
    ### END SOLUTION

# %% check="pin"
# Five threads of one process. What does each way of pinning change?
WAITING = "import threading, time; [threading.Thread(target=time.sleep, args=(60,)).start() for _ in range(4)]; print(1, flush=True)"
with one_line_errors():
    own = sorted(os.sched_getaffinity(0))
    print(f"this notebook may use the cores {own}" + ("; with one core you cannot see a difference" if len(own) == 1 else ""))
    with subprocess.Popen([sys.executable, "-c", WAITING], stdout=subprocess.PIPE) as process:
        process.stdout.readline()  # its threads have started
        for name, pinned in ("sched_setaffinity", os.sched_setaffinity), ("pin", pin):
            pinned(process.pid, own[:1])
            threads = os.listdir(f"/proc/{process.pid}/task")
            print(f"{name}:", *(len(os.sched_getaffinity(int(each))) for each in threads), "cores of each thread")
        process.kill()

check("pin")

# %% [markdown]
# ### Tasks 9, 10 and 11 · `heal`, `InstanceManager`, `Orchestrator`

# %% task="heal" todo="keep what runs on a living manager; give the others to the least busy, then the nearest"
def heal(
    nodes: Mapping[str, int], running: Mapping[str, str], managers: Mapping[str, int], busy: Mapping[str, int],
    topology: Topology,
) -> dict[str, str]:
    """Return the manager of each instance of a query."""
    ### BEGIN SOLUTION
    raise NotImplementedError
    ### END SOLUTION

# %% check="heal"
check("heal")

# %% task="InstanceManager" todo="stop what is not yours; release; claim; start"
class InstanceManager:
    """Run the instances that placements name for this manager."""

    ### BEGIN SOLUTION
    ### END SOLUTION

# %% check="InstanceManager"
check("InstanceManager")

# %% task="Orchestrator" todo="wait to be elected; begin a term; write what has changed, checked against the term"
class Orchestrator:
    """Write the placements of all queries, as their only leader."""

    ### BEGIN SOLUTION
    ### END SOLUTION

# %% check="Orchestrator"
check("Orchestrator")

# %% [markdown]
# ## 5 · What the checks look at
#
# A check runs your functions on many kinds of input, and every solution that keeps the rules passes. In a notebook a
# check is advice.
#
# **The throughput check** of `place` compares with a **baseline** (next cell). {threshold of place} times the
# baseline's rate earns all points.
#
# ## 6 · Checkpoint
#
# All tasks pass their checks.

# %% [markdown]
# ## 7 · Break it

# %% [markdown] written="which_figure"
# ## 8 · Questions, and the next lab
#
# **Which figure would you not believe?** (3 points)

# %% [markdown] written="two_claims"
# **When do two managers still run one instance, though every claim is right?** (3 points)
