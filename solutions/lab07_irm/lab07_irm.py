"""Source of Lab 7: HarmonicIO and its resource manager, with the reference solutions.

`./lab build` makes the student's notebook from it; autograder/stages/lab07_irm judges it.
"""

# %% [markdown]
# # Lab 7 · HarmonicIO and its resource manager
#
# ## 1 · What works after this lab
#
# | before | after |
# |---|---|
# | every byte passes through a broker or a receiver | every byte crosses the network once; the master sees only names |
# | a fixed number of executors | as many as the queue needs, packed so that whole workers are free |
# | "it is busy, add machines" | scheduled, measured and ideal CPU on one plot, with a lower bound |
#
# ```text
#  source: connector ──────────── payload ───────────▶ engine ◀─ Manager: how many, and where?
#              │  names only                             │        tasks 3 to 9
#              └──────▶ Master: who gets what? ◀─────────┘        Spark's executors: tasks 10, 11
#                       tasks 1, 2; backlog
# ```
#
# [HarmonicIO](https://arxiv.org/abs/1807.07724) streams large objects, such as images from microscopes, to **processing
# engines**. An engine is a container that runs the user's program; its **image** is the container image that it was
# started from. Its **resource manager** starts engines and workers as the queue grows, and packs the engines into as
# few workers as possible. You build both, and then the same for Spark's executors.
#
# {minutes} minutes, in two sittings. Nothing has to be installed or started before.

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
# 1. The master tells a connector to store a message in the backlog. Before it arrives there, an engine becomes idle and
#    finds the backlog empty. Then the message arrives. Who brings the two together?
# 2. Eight engines need 125 thousandths of a worker each. How many workers are enough? How many are used if "fits"
#    means "is less than the free space"?
# 3. An engine wants half a core. On a crowded worker it gets an eighth, and that is what you measure. How many such
#    engines does a manager that trusts the measurement put on one core?
#
# Tasks 2 and 3 show the first two answers, and part 7 the third.
#
# ## 4 · Tasks

# %% role="given" name="setup"
import math
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, functions as F, types as T
from streamlab import bar_plot, check, line_plot, one_line_errors, session, show_calls, stage, table
from streamlab.harmonic.words import Decision, Executor, Order, Plan, Request, Rules, Scale, Seen, Start

spark = session("lab07_irm")
SlidingSum = stage("lab02_windows").SlidingSum

# %% [markdown]
# ### Tasks 1 and 2 · `Registry`, `Master`
#
# **Why.** A broker writes each byte to a disk and reads it again; a receiver of Spark copies it to a second worker. For
# clicks of 100 bytes that is cheap, and for images of 10 MB it is most of the work. HarmonicIO sends **peer to peer**:
# a source asks the master for an idle engine and sends the payload to it. Only if no engine is idle does the payload go
# to the master's **backlog**, a queue that absorbs a burst without blocking the source. A full backlog is
# **back-pressure**: the source keeps its message and offers it again later.
#
# **The trap** is prediction 1. Between "store it" and "it has arrived" everything can happen: engines become idle,
# fail, or leave. In the published system (HASTE-project/HarmonicIO, commit 76aca15) the message then waits,
# although an engine is idle, until the next message comes. So a promised message is a state of its own.

# %% [markdown]
# `Registry` remembers who is idle and what waits, and decides nothing. `Master` decides, and is **pure**: each event is
# a method call that returns the orders to send. It has no socket and no clock, so thousands of orders of events can be
# tried.
#
# | order | who carries it out |
# |---|---|
# | `Order("push", message, engine)` | the connector sends the payload to the engine |
# | `Order("store", message)` | the connector sends the payload to the backlog |
# | `Order("wait", message)` | the connector keeps the message, and offers it again later as a new one |
# | `Order("hand", message, engine)` | the master sends the payload from the backlog to the engine |
# | `Order("forget", message)`, `Order("fail", message)` | the connector deletes it: finished, or given up |
# | `Order("leave", None, engine)`, `Order("stay", None, engine)` | the engine ends, or goes on |
# ```python
# queue = deque(["a", "b"]); queue.appendleft("c"); queue.popleft()      # "c"; `remove` searches the whole queue
# min({"e": (1, -7), "f": (0, -3)}.items(), key=lambda item: item[1])    # ("f", (0, -3)): tuples compare by position
# ```
# ([deque](https://docs.python.org/3/library/collections.html#collections.deque))

# %% task="Registry" todo="keep idle engines by image, promised messages, and a queue of stored messages by image"
class Registry:
    """Who is idle and what waits. `Registry(limit)` raises ValueError if limit < 1.

    Messages, engines and images are names. An engine is added only while it is not idle, and a message is promised or
    appended only while it is neither promised nor stored.

    add_engine(engine, image, worker): the engine is idle from now on; worker is a number.
    take_engine(image): take the idle engine of this image on the lowest worker, on one worker the one that became idle
      last; it is not idle any more. None if there is none.
    remove_engine(engine): whether it was idle; it is not any more.
    promise(message, image): False if `limit` messages, over all images, are promised or stored; else True, and the
      message is promised.
    arrive(message): whether it was promised; it is not any more.
    append(message, image), append_first(message, image): store it, as the last or the first of its image, whatever the
      limit is.
    take_message(image): take the first stored message of this image; None if there is none.
    remove_message(message): it is neither promised nor stored any more, if it was.
    waiting(image): how many messages of this image are promised or stored.

    Example: engines a on worker 1, b on 0, then c on 0 are taken as c, b, a. Limit 2: promise m1, m2 -> True, m3 ->
      False
    """

    def __init__(self, limit: int) -> None:
        ### BEGIN SOLUTION
        if limit < 1:
            raise ValueError(f"expected limit >= 1, got {limit}")
        self._limit, self._turn = limit, 0
        self._idle: dict[str, dict[str, tuple[int, int]]] = {}  # image -> engine -> (worker, -turn)
        self._promised: dict[str, str] = {}  # message -> image
        self._stored: dict[str, deque[str]] = {}  # image -> messages, the oldest first

    def add_engine(self, engine: str, image: str, worker: int) -> None:
        self._turn += 1
        self._idle.setdefault(image, {})[engine] = worker, -self._turn

    def take_engine(self, image: str) -> str | None:
        idle = self._idle.get(image, {})
        engine = min(idle, key=idle.__getitem__, default=None)
        if engine is not None:
            del idle[engine]
        return engine

    def remove_engine(self, engine: str) -> bool:
        return any([idle.pop(engine, None) is not None for idle in self._idle.values()])

    def promise(self, message: str, image: str) -> bool:
        if len(self._promised) + sum(map(len, self._stored.values())) >= self._limit:
            return False
        self._promised[message] = image
        return True

    def arrive(self, message: str) -> bool:
        return self._promised.pop(message, None) is not None

    def append(self, message: str, image: str) -> None:
        self._stored.setdefault(image, deque()).append(message)

    def append_first(self, message: str, image: str) -> None:
        self._stored.setdefault(image, deque()).appendleft(message)

    def take_message(self, image: str) -> str | None:
        return self._stored[image].popleft() if self._stored.get(image) else None

    def remove_message(self, message: str) -> None:
        self._promised.pop(message, None)
        for queue in self._stored.values():
            if message in queue:
                queue.remove(message)

    def waiting(self, image: str) -> int:
        return len(self._stored.get(image, ())) + list(self._promised.values()).count(image)
    ### END SOLUTION

# %% check="Registry"
# The lowest worker first, and there the one that became idle last: so engines on high workers stay idle and can end.
with one_line_errors():
    registry = Registry(limit=2)
    for engine, worker in ("a", 1), ("b", 0), ("c", 0):
        registry.add_engine(engine, "cells", worker)
    print("taken:", [registry.take_engine("cells") for _ in range(4)])
    print("promised:", [registry.promise(message, "cells") for message in ("m1", "m2", "m3")])
    print("m2 arrives:", registry.arrive("m2"), "and again:", registry.arrive("m2"))
    registry.append("m2", "cells")
    print("waiting:", registry.waiting("cells"), "first:", registry.take_message("cells"))
    print("m3 is promised now:", registry.promise("m3", "cells"))

check("Registry")

# %% task="Master" todo="answer each event with orders: an idle engine, else the backlog, else wait"
class Master:
    """Peer to peer first, backlog second. Each method is an event and returns a list of orders. Uses `Registry`.

    Master(limit=1000, tries=3): ValueError unless both are at least 1. A name is used again only after its message is
    finished and no engine has it. Write the first four methods, run the check, then write the others.

    offer(message, image): `push` if an engine is idle, else `store` (the message is promised), or `wait` if the limit
      is reached: the message is unknown again. No order if it is known.
    stored(message): it arrived in the backlog: `hand`, or it waits as the last one. No order if it is not promised.
    idle(engine, image, worker=0): first as `lost(engine)`. Then the engine gets the first waiting message (`hand`), or
      becomes idle.
    done(engine, message): `forget` once, whichever engine reports it and wherever the message is. If this engine has
      this message, it continues as in `idle`. An engine that was lost does not.
    lost(engine): forget the engine. Its unfinished message: `fail` at the `tries`-th loss, else to an idle engine
      (`hand` if stored, else `push`), else to the front of the queue if stored, else as in `offer`.
    leaving(engine): `leave` if it is idle, and forget it; else `stay`.
    waiting(image): the number of messages that are promised or stored.

    Example (limit 2): offer m1 -> store; offer m2 -> store; offer m3 -> wait; stored m2 -> none; idle e1 on 1 -> hand
      m2; stored m1 -> none; idle e2 on 0 -> hand m1; done e1 m2 -> forget m2; offer m3 -> push to e1; leaving e1 ->
      stay; lost e1 -> store m3; done e1 m3 -> forget m3
    """

    def __init__(self, limit: int = 1000, tries: int = 3) -> None:
        ### BEGIN SOLUTION
        if tries < 1:
            raise ValueError(f"expected tries >= 1, got {tries}")
        self._registry, self._tries = Registry(limit), tries
        self._messages: dict[str, Message] = {}  # all that are known and not finished
        self._engines: dict[str, tuple[str, int]] = {}  # engine -> (image, worker)
        self._has: dict[str, str] = {}  # engine -> the message that it was given

    def offer(self, message: str, image: str) -> list[Order]:
        if message in self._messages:
            return []
        self._messages[message] = Message(image)
        return self._routed(message)

    def stored(self, message: str) -> list[Order]:
        if not self._registry.arrive(message):
            return []
        self._messages[message].stored = True
        return self._routed(message)

    def idle(self, engine: str, image: str, worker: int = 0) -> list[Order]:
        orders = self.lost(engine)  # who registers again has nothing
        self._engines[engine] = image, worker
        return orders + self._next(engine)

    def done(self, engine: str, message: str) -> list[Order]:
        orders = self._finished(message, "forget")
        if self._has.get(engine) == message:
            del self._has[engine]
            orders += self._next(engine)
        return orders

    def lost(self, engine: str) -> list[Order]:
        self._registry.remove_engine(engine)
        self._engines.pop(engine, None)
        message = self._has.pop(engine, None)
        if message is None or message not in self._messages:
            return []
        self._messages[message].losses += 1
        if self._messages[message].losses >= self._tries:
            return self._finished(message, "fail")
        return self._routed(message, first=True)

    def leaving(self, engine: str) -> list[Order]:
        if not self._registry.remove_engine(engine):
            return [Order("stay", None, engine)]
        del self._engines[engine]
        return [Order("leave", None, engine)]

    def waiting(self, image: str) -> int:
        return self._registry.waiting(image)

    def _routed(self, name: str, first: bool = False) -> list[Order]:
        message = self._messages[name]
        if (engine := self._registry.take_engine(message.image)) is not None:
            self._has[engine] = name
            return [Order("hand" if message.stored else "push", name, engine)]
        if message.stored:
            (self._registry.append_first if first else self._registry.append)(name, message.image)
            return []
        if self._registry.promise(name, message.image):
            return [Order("store", name)]
        return self._finished(name, "wait")

    def _next(self, engine: str) -> list[Order]:
        image, worker = self._engines[engine]
        message = self._registry.take_message(image)
        if message is None:
            self._registry.add_engine(engine, image, worker)
            return []
        self._has[engine] = message
        return [Order("hand", message, engine)]

    def _finished(self, name: str, order: str) -> list[Order]:
        if self._messages.pop(name, None) is None:
            return []
        self._registry.remove_message(name)
        return [Order(order, name)]


@dataclass
class Message:
    image: str
    stored: bool = False
    losses: int = 0
    ### END SOLUTION

# %% check="Master"
# The example of the docstring, and prediction 1: m arrives in the backlog after its engine has registered.
# (The check takes about five seconds: it plays 11,000 orders of events, kills an engine, and freezes another one.)
def told(orders: list[Order]) -> str:
    each = [" ".join(filter(None, (what, message, engine and f"to {engine}"))) for what, message, engine in orders]
    return ", ".join(each) or "no order"

with one_line_errors():
    events = [("offer", "m1", "i"), ("offer", "m2", "i"), ("offer", "m3", "i"), ("stored", "m2")]
    events += [("idle", "e1", "i", 1), ("stored", "m1"), ("idle", "e2", "i", 0), ("done", "e1", "m2")]
    events += [("offer", "m3", "i"), ("leaving", "e1"), ("lost", "e1"), ("done", "e1", "m3")]
    late = [("offer", "m", "i"), ("idle", "e", "i"), ("stored", "m")]
    for script in events, late:
        master = Master(limit=2)
        for event, *names in script:
            print(f"{event} {' '.join(map(str, names)):12} -> {told(getattr(master, event)(*names))}")

check("Master")

# %% [markdown]
# ### Tasks 3, 4 and 5 · `FirstFit`, `least_workers`, `first_fit_vector`
#
# **Why.** A cloud bills whole machines. Engines that are spread over all workers leave each of them half empty, and
# none can be switched off. **Bin packing** puts items (engines) into as few bins (workers) as possible. It is NP-hard,
# and here it is **online**: engines come one at a time and end at any time. **First-Fit** takes the first worker with
# room. Without departures it never needs more than 1.7 times the optimum
# ([Dósa and Sgall, 2013](https://doi.org/10.4230/LIPIcs.STACS.2013.538)).
#
# With thousands of workers a scan is slow. A **tournament tree** keeps the largest free space below each node: its
# leaves are the workers, and the root says whether any worker has room. The search goes left if the left half has room.
#
# How good is a packing? No packing needs fewer workers than a **lower bound**. The sum of all sizes gives one, and
# `least_workers` computes a better one, L2 of [Martello and Toth (1990)](https://doi.org/10.1016/0166-218X(90)90094-S).
#
# The published packer (Snapple49/HarmonicIO, commit b9bb8bd) compares with `<`, so that eight engines of an eighth need
# two workers, and it limits free space to 0 … 1, so that a worker counts as empty while an engine still runs on it.
# ```python
# tree = [9, 4, 9]; node = 1; 2 * node, 2 * node + 1    # (2, 3): the children of a node, if the root is node 1
# -(-7 // 2), 7 // 2                                     # (4, 3): rounded up, rounded down
# all(need <= free for need, free in zip((1, 5), (2, 4), strict=True))    # False
# ```

# %% task="FirstFit" todo="find the first worker with room in a tournament tree of free space"
class FirstFit:
    """Engines on workers of one capacity, numbered 0, 1, …; sizes are whole numbers. ValueError if capacity < 1.

    place(engine, size): put it on the first worker with free space >= size, and return the worker's number. ValueError
      with engine, size and capacity in its text if size > capacity, size <= 0 or the engine has a place; nothing
      changes.
    remove(engine): take it away, and return its worker.
    resize(engine, size): it has this size from now on, on the same worker, even if that has no room for it. ValueError
      if size <= 0; KeyError as in `remove` if the engine has no place.
    free(): a list with the free space of workers 0 … used - 1: capacity minus the sizes on it, even below zero.
    used: an attribute or property: the last worker with an engine, plus one; 0 without engines. An empty worker before
      it keeps its number.

    On average at most 2 * ceil(log2(w)) + 6 comparisons of sizes for each call, where w (2 or more) is the most workers
    that were used.

    Example: place a 600, b 500, c 300, d 200 -> 0, 1, 0, 1, free [100, 300]; remove b: [100, 800]; resize a to 900:
      [-200, 800]; place e 100 -> 1
    """

    def __init__(self, capacity: int = 1000) -> None:
        ### BEGIN SOLUTION
        if capacity < 1:
            raise ValueError(f"expected capacity >= 1, got {capacity}")
        self._capacity, self._leaves = capacity, 1
        self._most = [capacity, capacity]  # the root is node 1, the workers are the last `_leaves` nodes
        self._where: dict[str, tuple[int, int]] = {}  # engine -> (worker, size)
        self._engines: list[int] = []  # how many on each worker

    def place(self, engine: str, size: int) -> int:
        if engine in self._where or size <= 0 or size > self._capacity:
            place = f" and its place is {self._where[engine][0]}" if engine in self._where else ""
            raise ValueError(f"{engine} cannot be placed: its size is {size}, the capacity is {self._capacity}{place}")
        if size > self._most[1]:
            self._grow()
        node = 1
        while node < self._leaves:
            node = 2 * node if size <= self._most[2 * node] else 2 * node + 1
        worker = node - self._leaves
        self._where[engine] = worker, size
        self._engines += [0] * (worker + 1 - len(self._engines))
        self._engines[worker] += 1
        self._add(worker, -size)
        return worker

    def remove(self, engine: str) -> int:
        worker, size = self._where.pop(engine)
        self._engines[worker] -= 1
        while self._engines and not self._engines[-1]:
            self._engines.pop()
        self._add(worker, size)
        return worker

    def resize(self, engine: str, size: int) -> None:
        worker, before = self._where[engine]
        if size <= 0:
            raise ValueError(f"{engine}: expected a size above 0, got {size}")
        self._where[engine] = worker, size
        self._add(worker, before - size)

    @property
    def used(self) -> int:
        return len(self._engines)

    def free(self) -> list[int]:
        return self._most[self._leaves : self._leaves + self.used]

    def _add(self, worker: int, space: int) -> None:
        node = self._leaves + worker
        self._most[node] += space
        while node > 1:
            node //= 2
            left, right = self._most[2 * node], self._most[2 * node + 1]
            self._most[node] = left if right <= left else right

    def _grow(self) -> None:
        # The tree becomes the left half of one that is twice as large; all of the right half is empty.
        old, width = self._most, 1
        self._most, self._leaves = [self._capacity] * 2, 2 * self._leaves
        while width < self._leaves:
            self._most += old[width : 2 * width] + [self._capacity] * width
            width *= 2
    ### END SOLUTION

# %% check="FirstFit"
# The example, then prediction 2. Notice that an exact fit leaves nothing free.
with one_line_errors():
    workers = FirstFit()
    print([workers.place(*each) for each in (("a", 600), ("b", 500), ("c", 300), ("d", 200))], workers.free())
    print("b leaves worker", workers.remove("b"), workers.free())
    workers.resize("a", 900)
    print("a grows:", workers.free(), "and e goes to", workers.place("e", 100))
    eight = FirstFit()
    print([eight.place(f"engine {n}", 125) for n in range(8)], "workers:", eight.used, "free:", eight.free())
    show_calls(eight.place, ("large", 1001))

check("FirstFit")

# %% task="least_workers" todo="for each split, count the workers that large sizes take and that the rest then needs"
def least_workers(sizes: Sequence[int], capacity: int = 1000) -> int:
    """Return L2, a number of workers below which no packing of these sizes exists.

    For a split a: each size above capacity / 2 takes a worker. The sizes from a to capacity / 2, both included, first
    fill the room next to those large sizes that are <= capacity - a, and then further workers; their number is rounded
    up. The bound is the maximum over all splits: 0, and each size <= capacity / 2. Of an empty list it is 0. ValueError
    if a size is <= 0 or > capacity.

    Example: [600, 600, 600, 450, 450] -> 4, since 450 does not fit next to 600; the sum alone gives 3
    """
    ### BEGIN SOLUTION
    if any(not 0 < size <= capacity for size in sizes):
        raise ValueError(f"expected sizes above 0 and up to {capacity}, got {sizes}")
    large = [size for size in sizes if 2 * size > capacity]
    small = [size for size in sizes if 2 * size <= capacity]
    least = 0
    for split in {0, *small}:
        room = sum(capacity - size for size in large if size <= capacity - split)
        rest = sum(size for size in small if size >= split) - room
        least = max(least, len(large) + max(0, -(-rest // capacity)))
    return least
    ### END SOLUTION

# %% check="least_workers"
# First-Fit, largest first, and the bound. In which list is First-Fit worse than the bound, and why?
with one_line_errors():
    for sizes in [600, 600, 600, 450, 450], 20 * [300], 6 * [150] + 6 * [340] + 6 * [510]:
        counts = []
        for order in sizes, sorted(sizes, reverse=True):
            workers = FirstFit()
            counts.append(1 + max(workers.place(f"e{n}", size) for n, size in enumerate(order)))
        print(f"{len(sizes):2} engines: First-Fit {counts[0]}, largest first {counts[1]}, L2 {least_workers(sizes)}")

check("least_workers")

# %% task="first_fit_vector" todo="take the first worker that has room for every resource"
def first_fit_vector(demands: Sequence[Sequence[int]], capacity: Sequence[int]) -> list[int]:
    """Return the worker of each demand in turn, by First-Fit with several resources.

    A demand has one number >= 0 for each resource, as `capacity` has. It goes to the first worker where every resource
    has room. Nothing is removed. ValueError if a number is below 0 or above the capacity of its resource; its text
    names the demand by its position and the resource by its own, both counted from 0.

    Example: five times (100, 400), then (500, 100), capacity (1000, 1000) -> [0, 0, 1, 1, 2, 0]
    """
    ### BEGIN SOLUTION
    workers: list[list[int]] = []  # what is free
    chosen = []
    for number, demand in enumerate(demands):
        for resource, (need, most) in enumerate(zip(demand, capacity, strict=True)):
            if not 0 <= need <= most:
                raise ValueError(f"demand {number}, resource {resource}: expected 0 to {most}, got {need}")
        fits = (w for w, free in enumerate(workers) if all(n <= f for n, f in zip(demand, free, strict=True)))
        worker = next(fits, len(workers))
        if worker == len(workers):
            workers.append(list(capacity))
        workers[worker] = [free - need for need, free in zip(demand, workers[worker], strict=True)]
        chosen.append(worker)
    return chosen
    ### END SOLUTION

# %% check="first_fit_vector"
# By CPU alone, all six fit on one worker. How much of its 1000 thousandths of memory would they need?
with one_line_errors():
    demands = 5 * [(100, 400)] + [(500, 100)]
    print("CPU and memory:", first_fit_vector(demands, (1000, 1000)))
    print("CPU alone:     ", first_fit_vector([demand[:1] for demand in demands], (1000,)))
    print("memory on one worker:", sum(memory for _, memory in demands))

check("first_fit_vector")

# %% [markdown]
# ### Tasks 6 to 9 · `Profiler`, `Predictor`, `scale`, `Manager`

# %% task="Profiler" todo="keep two sliding sums for each image: engines and CPU"
class Profiler:
    """Profiler(window, default, least, most=1000)."""

    def __init__(self, window: int, default: int, least: int, most: int = 1000) -> None:
        ### BEGIN SOLUTION
        if window < 1 or not 0 < least <= default <= most:
            raise ValueError(f"window >= 1 and 0 < least <= default <= most, got {window}, {least}, {default}, {most}")
    ### END SOLUTION

# %% check="Profiler"
check("Profiler")

# %% task="Predictor" todo="compare the rate and the length of the queue with the rules, in their order"
class Predictor:
    """Predictor(rules)."""

    def __init__(self, rules: Rules) -> None:
        ### BEGIN SOLUTION
        self._rules = rules
    ### END SOLUTION

# %% check="Predictor"
check("Predictor")

# %% task="scale" todo="add spare workers to those used, and take one step towards that number"
def scale(on: int, used: int, registered: int) -> Scale:
    """Return the target number of workers and the number after one step."""
    ### BEGIN SOLUTION
    return Scale(used + 1, min(on, registered))
    ### END SOLUTION

# %% check="scale"
check("scale")

# %% task="Manager" todo="free, observe, resize, request, place, scale, and give up: in this order"
class Manager:
    """Manager(rules); tick(seen) returns a Plan."""

    def __init__(self, rules: Rules) -> None:
        ### BEGIN SOLUTION
        self._rules = rules
    ### END SOLUTION

# %% check="Manager"
check("Manager")

# %% [markdown]
# ### Tasks 10 and 11 · `cell_counts`, `SparkScaler`

# %% task="cell_counts" todo="one row for each image: its cells and their mean area, or its error"
def cell_counts(pictures: DataFrame) -> DataFrame:
    """Return one row for each image."""
    ### BEGIN SOLUTION
    return pictures
    ### END SOLUTION

# %% check="cell_counts"
check("cell_counts")

# %% task="SparkScaler" todo="retire idle executors while no task waits, and request what the predictor wants"
class SparkScaler:
    """SparkScaler(rules, idle_s, most); decide(now_s, waiting, executors) returns a Decision."""

    def __init__(self, rules: Rules, idle_s: float, most: int) -> None:
        ### BEGIN SOLUTION
        self._rules = rules
    ### END SOLUTION

# %% check="SparkScaler"
check("SparkScaler")

# %% [markdown]
# ## 5 · What the checks look at
#
# A check runs your functions on many kinds of input, and every solution that keeps the rules passes. `Master` is played
# through 11,000 orders of events, and then with real engines, of which one is killed (SIGKILL) and one frozen
# (SIGSTOP). Sizes of `FirstFit` count how often they are compared. In a notebook a check is advice.
#
# **The throughput check** of `FirstFit` compares with a **baseline** that scans a list (next cell): 8,000 placements
# and 1,600 removals, about 3,600 workers. {threshold of FirstFit} times the baseline's rate earns all points.
#
# ## 6 · Checkpoint
#
# All tasks pass their checks.

# %% role="show"
# The baseline of the throughput check: the first worker with room is found by a scan.
class ListAndScan:
    def __init__(self, capacity: int = 1000) -> None:
        self.capacity, self.workers, self.where = capacity, list[int](), dict[str, tuple[int, int]]()

    def place(self, engine: str, size: int) -> int:
        worker = next((w for w, free in enumerate(self.workers) if size <= free), len(self.workers))
        if worker == len(self.workers):
            self.workers.append(self.capacity)
        self.workers[worker] -= size
        self.where[engine] = worker, size
        return worker

    def remove(self, engine: str) -> int:
        worker, size = self.where.pop(engine)
        self.workers[worker] += size
        while self.workers and self.workers[-1] == self.capacity:
            self.workers.pop()
        return worker

# %% [markdown]
# ## 7 · Break it

# %% [markdown] written="peer_to_peer_or_a_log"
# ## 8 · Questions, and the next lab
#
# **Peer to peer, a log, or both?** (3 points)

# %% [markdown] written="two_scaling_strategies"
# **Two scaling strategies** (3 points)
