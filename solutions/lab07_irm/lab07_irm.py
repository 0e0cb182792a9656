"""Source of Lab 7: HarmonicIO and its resource manager, with the reference solutions.

`./lab build` makes the student's notebook from it; autograder/stages/lab07_irm judges it.
"""

# %% [markdown]
# # Lab 7 · HarmonicIO and its resource manager
#
# {map}
#
# Your main part is the Autoscaler. It gets queues and loads, and sets the number and the places of instances, as
# Google's [Autopilot][0] does.
#
# ## 1 · What works after this lab
#
# | before | after |
# |---|---|
# | every byte passes through a broker | it crosses the network once, unless all engines are busy |
# | a fixed number of executors | as many as the queue needs, on few workers |
# ```text
#  connector ─────── payload ──────▶ engine ◀── Manager: how many, where? tasks 5 to 9
#      └── names ─▶ Master, backlog ───┘         Master: tasks 1 to 4
# ```
# [HarmonicIO][1] streams large objects, such as pictures, to **processing engines**: containers that run the user's
# program, here processes. An **image** is a container image. {minutes} minutes, in two sittings, without services.
#
# [0]: https://doi.org/10.1145/3342195.3387524
# [1]: https://ieeexplore.ieee.org/document/8457894
# [map]: {map.svg}

# %% [markdown]
# ## 2 · The invariants
#
# {invariants}
#
# ## 3 · Predict
#
# Tasks 4 and 5 answer the first two, part 7 the third.
#
# 1. A connector stores a message in the backlog. Before it arrives there, an engine becomes idle. Who brings the two
#    together?
# 2. Eight engines need 125 thousandths of a worker each. How many workers do they use? How many if "fits" means "less
#    than the free space"?
# 3. An engine wants 250 thousandths of a worker. On a crowded worker you measure 125. How many such engines do you put
#    on one worker if you trust this?
#
# ## 4 · Tasks

# %% role="given" name="setup"
import math
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, functions as F
from streamlab import check, one_line_errors, session, show_calls, stage, table
# `help(Seen)` shows the fields of a type.
from streamlab.lab07_irm.cell_pictures import cell_picture, measure
from streamlab.lab07_irm.datatypes import Decision, Order, Plan, Request, Rules, Scale
from streamlab.lab07_irm.datatypes import Seen, Start
from streamlab.spark.executors import Executor

spark = session("lab07_irm", elastic=(2, 2))

# %% [markdown]
# ### Tasks 1 and 2 · `Registry`, `Assignments`
#
# **Why.** A broker writes each byte to a disk and reads it again. HarmonicIO sends **peer to peer**: a source asks the
# master for an idle engine and sends the payload there. If none is idle, it goes to the **backlog**, a queue. On its
# way there, a message is **promised**.
#
# **Rule of `Registry`** (invariants 1, 2, 5)
# - `take_engine` takes the engine on the lowest worker; of several there, the one that became idle last.
# - The stored messages of an image are a queue. `append_first` adds at its front.
# - Waiting messages of all images count towards `limit`; `append` and `append_first` ignore it.
# - Unknown names change nothing. Callers add only engines that are not idle, and messages that do not wait.
# - A name may be empty, so compare with None.
#
# **Rule of `Assignments`** (1, 4, 5)
# - `end` takes the message from no engine; an engine can `release` it later.
# - `lose` takes the message from the engine. If the message is known, this is one more loss of it.
# - A message that begins again has no losses. Callers `assign` only a known message, to an engine without one.

# %% task="Registry" todo="keep idle engines by image, promised messages, and a queue of stored messages by image"
class Registry:
    """Remember which engines are idle and which messages wait.

    add_engine(engine, image, worker): it is idle now.
    take_engine(image): remove and return an idle engine, or return None.
    remove_engine(engine): it is not idle any more; return whether it was.
    promise(message, image): promise it; return False at the limit, else True.
    arrive(message): end its promise; return whether it had one.
    append(message, image), append_first(message, image): store it.
    take_message(image): remove and return the first stored one, or return None.
    remove_message(message): it does not wait any more.
    waiting(image): return how many messages are promised or stored.
    Example: Registry(2): promise m1, m2, m3 -> True, True, False
    """

    def __init__(self, limit: int) -> None:
        ### BEGIN SOLUTION
        self._limit, self._turn = limit, 0
        # image -> engine -> (worker, -turn)
        self._idle: dict[str, dict[str, tuple[int, int]]] = {}
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
        promised = list(self._promised.values()).count(image)
        return len(self._stored.get(image, ())) + promised
    ### END SOLUTION

# %% check="Registry"
with one_line_errors():
    registry = Registry(limit=2)
    for engine, worker in ("a", 1), ("b", 0), ("c", 0):
        registry.add_engine(engine, "cells", worker)
    print("taken:", [registry.take_engine("cells") for _ in range(4)])
    print("promised:", [registry.promise(each, "cells") for each in ("m1", "m2", "m3")])
    print("m2 arrives:", registry.arrive("m2"), "and again:", registry.arrive("m2"))
    registry.append("m2", "cells")
    print("waiting:", registry.waiting("cells"), registry.take_message("cells"))
    print("m3 is promised now:", registry.promise("m3", "cells"))

check("Registry")

# %% task="Assignments" todo="keep the losses of each known message, and the message that each engine has"
class Assignments:
    """Remember which messages are known, and which engine has which message.

    begin(message): it is known now; return False if it already was.
    end(message): it is not known any more; return whether it was.
    assign(engine, message): the engine has it.
    release(engine, message): take it away; return whether the engine had it.
    lose(engine): return (message, its losses), or None without a known message.
    Example: begin m; assign e m; lose e -> ("m", 1); release e m -> False
    """

    def __init__(self) -> None:
        ### BEGIN SOLUTION
        self._losses: dict[str, int] = {}  # of known messages
        self._has: dict[str, str] = {}  # engine -> message

    def begin(self, message: str) -> bool:
        if message in self._losses:
            return False
        self._losses[message] = 0
        return True

    def end(self, message: str) -> bool:
        return self._losses.pop(message, None) is not None

    def assign(self, engine: str, message: str) -> None:
        self._has[engine] = message

    def release(self, engine: str, message: str) -> bool:
        if self._has.get(engine) != message:
            return False
        del self._has[engine]
        return True

    def lose(self, engine: str) -> tuple[str, int] | None:
        message = self._has.pop(engine, None)
        if message is None or message not in self._losses:
            return None
        self._losses[message] += 1
        return message, self._losses[message]
    ### END SOLUTION

# %% check="Assignments"
# Engine e is lost, f gets its message, and e reports late. What does f have?
with one_line_errors():
    assignments = Assignments()
    print("m is new:", assignments.begin("m"), "and again:", assignments.begin("m"))
    assignments.assign("e", "m")
    print("e is lost:", assignments.lose("e"))
    assignments.assign("f", "m")
    print("the late result ends m:", assignments.end("m"))
    print("e has m:", assignments.release("e", "m"))
    print("f has m:", assignments.release("f", "m"))
    print("m ends again:", assignments.end("m"))

check("Assignments")

# %% [markdown]
# ### Tasks 3 and 4 · `dispatch`, `Master`
#
# **Why.** Between "store it" and "it has arrived", engines become idle, fail or leave. So the master decides at each
# event, a method call. It returns orders: `Order("push", message, engine)`, `Order("store", message)`,
# `Order("leave", None, engine)`.
#
# {states}
#
# **Rule of `dispatch`** (1, 2, 5). The first rule that matches decides, and changes the registry:
# 1. An engine of the image is idle: `hand` if the message is stored, else `push`.
# 2. The message is stored: it joins the queue, at the front if it was lost. No order.
# 3. The registry promises it a place: `store`. Or else: `wait`.
#
# **Rule of `Master`** (1 to 5). Use tasks 1 to 3. Without an order, methods return `[]`:
# - `offer`: if the message is not known, `dispatch` decides. After any wait it is unknown.
# - `stored`: if the message is promised, `dispatch` decides. It joins the queue's end, also if it was lost earlier.
# - `idle`: first the orders of `lost`. Then the engine gets the first waiting message (`hand`), or becomes idle.
# - `done`: a known message ends with `forget`, from any engine and wherever the message is. An engine that has it,
#   known or not, gets the next one or becomes idle.
# - `lost`: forget the engine. A known message that it had ends with `fail` at its `tries`-th loss; otherwise `dispatch`
#   decides. It is stored if it arrived after its offer.
# - `leaving`: `leave` if the engine is idle, and forget it. Otherwise `stay`, also if it is unknown.
#
# [states]: {states.svg}

# %% task="dispatch" todo="an idle engine, else the queue of stored messages, else a promise, else wait"
def dispatch(
    registry: Registry,
    message: str,
    image: str,
    is_stored: bool,
    was_lost: bool = False,
) -> list[Order]:
    """Return the orders for a message that needs an engine, and update the registry.

    is_stored: it is in the backlog; was_lost: the engine that had it was just lost
    Example: e is idle: dispatch(registry, "m1", "i", False)
      -> [Order("push", "m1", "e")]
    """
    ### BEGIN SOLUTION
    engine = registry.take_engine(image)
    if engine is not None:
        return [Order("hand" if is_stored else "push", message, engine)]
    if is_stored:
        (registry.append_first if was_lost else registry.append)(message, image)
        return []
    return [Order("store" if registry.promise(message, image) else "wait", message)]
    ### END SOLUTION

# %% check="dispatch"
# Room for one engine and one message. Stored m4 gets no order: where is it?
with one_line_errors():
    registry = Registry(limit=1)
    registry.add_engine("e", "i", 0)
    for message, is_stored in ("m1", False), ("m2", False), ("m3", False), ("m4", True):
        print(message, dispatch(registry, message, "i", is_stored))
    print("waiting:", registry.waiting("i"), "first:", registry.take_message("i"))

check("dispatch")

# %% task="Master" todo="answer each event with orders: begin or end messages, dispatch them, serve free engines"
class Master:
    """Answer each event with a list of orders.

    offer(message, image): a source has it. After wait, fail or forget it may come
      again, without losses, once no engine has it.
    stored(message): it has arrived in the backlog.
    idle(engine, image, worker=0): the engine registers.
    done(engine, message): the engine has processed it.
    lost(engine): the engine has failed.
    leaving(engine): the engine would like to end.
    waiting(image): as in Registry.
    Example, limit 2: offer m1, m2, m3 -> store, store, wait
    """

    def __init__(self, limit: int = 1000, tries: int = 3) -> None:
        ### BEGIN SOLUTION
        self._registry, self._assignments = Registry(limit), Assignments()
        self._tries = tries
        self._messages: dict[str, Message] = {}  # those that are known
        self._engines: dict[str, tuple[str, int]] = {}  # engine -> (image, worker)

    def offer(self, message: str, image: str) -> list[Order]:
        if not self._assignments.begin(message):
            return []
        self._messages[message] = Message(image)
        return self._dispatch(message)

    def stored(self, message: str) -> list[Order]:
        if not self._registry.arrive(message):
            return []
        self._messages[message].has_arrived = True
        return self._dispatch(message)

    def idle(self, engine: str, image: str, worker: int = 0) -> list[Order]:
        orders = self.lost(engine)  # an engine that registers again has no message
        self._engines[engine] = image, worker
        return orders + self._next(engine)

    def done(self, engine: str, message: str) -> list[Order]:
        orders = self._end(message, "forget")
        is_free = self._assignments.release(engine, message)
        return orders + (self._next(engine) if is_free else [])

    def lost(self, engine: str) -> list[Order]:
        self._registry.remove_engine(engine)
        lost = self._assignments.lose(engine)
        if lost is None:
            return []
        message, losses = lost
        if losses >= self._tries:
            return self._end(message, "fail")
        return self._dispatch(message, was_lost=True)

    def leaving(self, engine: str) -> list[Order]:
        is_idle = self._registry.remove_engine(engine)
        return [Order("leave" if is_idle else "stay", None, engine)]

    def waiting(self, image: str) -> int:
        return self._registry.waiting(image)

    def _dispatch(self, message: str, was_lost: bool = False) -> list[Order]:
        known = self._messages[message]
        orders = dispatch(
            self._registry, message, known.image, known.has_arrived, was_lost
        )
        for what, _, engine in orders:
            if engine is not None:
                self._assignments.assign(engine, message)
            elif what == "wait":
                self._end(message, what)
        return orders

    def _next(self, engine: str) -> list[Order]:
        image, worker = self._engines[engine]
        message = self._registry.take_message(image)
        if message is None:
            self._registry.add_engine(engine, image, worker)
            return []
        self._assignments.assign(engine, message)
        return [Order("hand", message, engine)]

    def _end(self, message: str, order: str) -> list[Order]:
        if not self._assignments.end(message):
            return []
        self._registry.remove_message(message)
        del self._messages[message]
        return [Order(order, message)]


@dataclass
class Message:
    image: str
    has_arrived: bool = False  # in the backlog, at some time
    ### END SOLUTION

# %% check="Master"
# The example; prediction 1, where m arrives late; two engines fail. (5 s)
def in_words(order: Order) -> str:
    to_engine = order.engine and f"to {order.engine}"
    return " ".join(filter(None, (order.what, order.message, to_engine)))

with one_line_errors():
    events = [("offer", "m1", "i"), ("offer", "m2", "i"), ("offer", "m3", "i")]
    events += [("stored", "m2"), ("idle", "e1", "i", 1), ("stored", "m1")]
    events += [("idle", "e2", "i", 0), ("done", "e1", "m2"), ("offer", "m3", "i")]
    events += [("leaving", "e1"), ("lost", "e1"), ("done", "e1", "m3")]
    late = [("offer", "m", "i"), ("idle", "e", "i"), ("stored", "m")]
    losses = [*late, ("lost", "e"), ("idle", "f", "i"), ("lost", "f")]
    for script in events, late, losses:
        master = Master(limit=2, tries=2)
        for event, *names in script:
            orders = map(in_words, getattr(master, event)(*names))
            call = f"{event} {' '.join(map(str, names)):12}"
            print(call, "->", ", ".join(orders) or "no order")

check("Master")

# %% [markdown]
# ### Task 5 · `FirstFit`
#
# **Why.** A cloud bills whole machines. **Bin packing** puts items (engines) into few bins (workers), here **online**:
# engines come and end at any time. **First-Fit** takes the first worker with room.
#
# **Tools.** A **tournament tree**: its leaves are the free spaces of the workers, and each other node n keeps the
# larger value of its children, 2n and 2n + 1. A search goes left if there is room. If the root has too little, the
# tree becomes the left half of a new one.
#
# **Rule** (6, 7, 8, 12)
# - A worker has room if its free space is at least the size. `resize` may make it negative, also with a size above the
#   capacity.
# - An empty worker keeps its number.
# - On average, a call makes at most 2⌈log₂ w⌉ + 6 comparisons of sizes or their sums; w is the largest number of
#   workers so far, at least 2.
#
# **Edge cases.** After an error, nothing has changed. The ValueError of `place` names engine, size and capacity. For an
# engine without a place, `resize` raises KeyError, whatever the size.

# %% task="FirstFit" todo="find the first worker with room in a tournament tree of free space"
class FirstFit:
    """Pack engines onto workers of one capacity, numbered from 0.

    place(engine, size), remove(engine): return the worker.
    resize(engine, size) -> None: change its size, not its worker.
    free(): return the free space of workers 0 to used - 1.
    used: the number of the last worker with an engine, plus one; 0 without engines
    place raises ValueError if size <= 0, size > capacity or the engine has a place;
      resize if size <= 0. remove raises KeyError if it has no place.
    Example: place a 600, b 500, c 300, d 200 -> 0, 1, 0, 1; free() -> [100, 300]
    """

    def __init__(self, capacity: int = 1000) -> None:
        ### BEGIN SOLUTION
        self._capacity, self._leaves = capacity, 1
        # The root is node 1; the workers are the last `_leaves` nodes.
        self._max_free = [capacity, capacity]
        self._where: dict[str, tuple[int, int]] = {}  # engine -> (worker, size)
        self._engines: list[int] = []  # the number of engines on each worker

    def place(self, engine: str, size: int) -> int:
        if engine in self._where or size <= 0 or size > self._capacity:
            limits = f"its size is {size}, the capacity is {self._capacity}"
            at = f", place {self._where[engine][0]}" if engine in self._where else ""
            raise ValueError(f"{engine} cannot be placed: {limits}{at}")
        if size > self._max_free[1]:
            self._grow()
        node = 1
        while node < self._leaves:
            node = 2 * node if size <= self._max_free[2 * node] else 2 * node + 1
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
        return self._max_free[self._leaves : self._leaves + self.used]

    def _add(self, worker: int, space: int) -> None:
        node = self._leaves + worker
        self._max_free[node] += space
        while node > 1:
            node //= 2
            left, right = self._max_free[2 * node], self._max_free[2 * node + 1]
            self._max_free[node] = left if right <= left else right

    def _grow(self) -> None:
        # The tree becomes the left half of a larger one, whose right half is empty.
        old, width = self._max_free, 1
        self._max_free, self._leaves = [self._capacity] * 2, 2 * self._leaves
        while width < self._leaves:
            self._max_free += old[width : 2 * width] + [self._capacity] * width
            width *= 2
    ### END SOLUTION

# %% check="FirstFit"
# The example, then prediction 2.
with one_line_errors():
    workers, four = FirstFit(), {"a": 600, "b": 500, "c": 300, "d": 200}
    print([workers.place(*each) for each in four.items()], workers.free())
    print("b leaves worker", workers.remove("b"), workers.free())
    workers.resize("a", 900)
    print("a grows:", workers.free(), "and e goes to", workers.place("e", 100))
    eight = FirstFit()
    print([eight.place(f"engine {number}", 125) for number in range(8)])
    print("workers:", eight.used, "free:", eight.free())
    show_calls(eight.place, ("large", 1001))

check("FirstFit")

# %% [markdown]
# ### Tasks 6 and 7 · `Profiler`, `Predictor`
#
# **Why.** First-Fit needs an engine's size before the engine runs. So the manager **profiles** what the engines of an
# image want, over a **sliding window**. Engines start slowly. So it **predicts**: from the **rate of change** of the
# queue it requests few or many, and then pauses ([2020](https://arxiv.org/abs/2001.10865)).
#
# **Rule of `Profiler`** (10). The size is all CPU divided by all engines of the image's last `window` ticks, rounded
# up, at least `least` and at most `most`. Sum both with your Lab 2's `SlidingSum` (`add(value)`, `expire()`,
# `result()`).
#
# **Edge cases.** A tick without engines does not count. An image without ticks has the size `default`.
#
# **Rule of `Predictor`** (9). The rate is the change of length per second since the last call for this image, at first
# 0. The first row that matches decides:
#
# | condition | answer |
# |---|---|
# | less than `pause_s` after the last answer above 0 for this image | 0 |
# | rate > rises_fast, or length > long_queue and rate > falls_fast | `many` |
# | rate > rises_slowly, or length > long_queue | `few` |
#
# Otherwise, the answer is 0. It is at most length - coming, and never negative.

# %% role="show"
SlidingSum = stage("lab02_windows").SlidingSum  # from your own Lab 2

# %% task="Profiler" todo="keep a sliding sum of engines and one of CPU for each image; divide, round up, limit"
class Profiler:
    """Estimate how large an engine of an image is: 0 < least <= default <= most.

    observe(image, loads): one tick; for each worker, loads has (engines, CPU that they
      want together).
    size(image): return the size of an engine, an int.
    Example: window 2: [(2, 800), (1, 100)] -> 300; then [(1, 900)] -> 450
    """

    def __init__(self, window: int, default: int, least: int, most: int = 1000) -> None:
        ### BEGIN SOLUTION
        self._window, self._default = window, default
        self._least, self._most = least, most
        self._engines: dict[str, Any] = {}  # image -> sliding sum
        self._cpu: dict[str, Any] = {}
        self._ticks = Counter[str]()

    def observe(self, image: str, loads: Sequence[tuple[int, int]]) -> None:
        engines = sum(count for count, _ in loads)
        if engines == 0:
            return
        self._engines.setdefault(image, SlidingSum()).add(engines)
        self._cpu.setdefault(image, SlidingSum()).add(sum(cpu for _, cpu in loads))
        self._ticks[image] += 1
        if self._ticks[image] > self._window:
            self._engines[image].expire()
            self._cpu[image].expire()

    def size(self, image: str) -> int:
        if image not in self._engines:
            return self._default
        mean = -(-self._cpu[image].result() // self._engines[image].result())
        return max(self._least, min(self._most, mean))
        ### END SOLUTION

# %% check="Profiler"
# 200 for a long time, then 800. When has the profile followed?
with one_line_errors():
    profiler = Profiler(window=10, default=125, least=20)
    print("unknown:", profiler.size("cells"))
    for wants in [200] * 100 + [800] * 10:
        profiler.observe("cells", [(1, wants)])
        if wants == 800:
            print(profiler.size("cells"), end=" ")
    print()

check("Profiler")

# %% task="Predictor" todo="compute the rate, check for a pause, take the first rule that matches, limit the result"
class Predictor:
    """Decide how many engines to request, from a queue's length and rate of change.

    wanted(image, now_s, length, coming=0): return the number of engines to request;
      `length` messages wait, and `coming` engines are requested already.
    Raises ValueError, and changes nothing, unless now_s is later than in the last call
      for this image.
    Example: Rules(): (1 s, length 50) -> 2; (2 s, 90) -> 0, a pause; (11 s, 90) -> 2
    """

    def __init__(self, rules: Rules) -> None:
        ### BEGIN SOLUTION
        self._rules = rules
        self._last: dict[str, tuple[float, int]] = {}
        self._requested_s: dict[str, float] = {}

    def wanted(self, image: str, now_s: float, length: int, coming: int = 0) -> int:
        before_s, before = self._last.get(image, (now_s - 1, length))
        if now_s <= before_s:
            raise ValueError(f"{image}: expected more than {before_s} s, got {now_s} s")
        self._last[image] = now_s, length
        if now_s - self._requested_s.get(image, -math.inf) < self._rules.pause_s:
            return 0
        rate = (length - before) / (now_s - before_s)
        amount = max(0, min(self._matching(length, rate), length - coming))
        if amount > 0:
            self._requested_s[image] = now_s
        return amount

    def _matching(self, length: int, rate: float) -> int:
        rules, is_long = self._rules, length > self._rules.long_queue
        if rate > rules.rises_fast or (is_long and rate > rules.falls_fast):
            return rules.many
        return rules.few if rate > rules.rises_slowly or is_long else 0
        ### END SOLUTION

# %% check="Predictor"
# Which seconds are part of a pause?
with one_line_errors():
    predictor, rows = Predictor(Rules()), []
    for now_s, length in enumerate([0, 0, 3, 8, 20, 21, 22, 20, 15, 12, 11, 11, 11], 1):
        rows.append((now_s, length, predictor.wanted("cells", now_s, length)))
    print(table(rows, ["time (s)", "waiting", "requested"]))

check("Predictor")

# %% [markdown]
# ### Task 8 · `Manager`
#
# **Why.** The manager joins its parts: how large (task 6), how many (7), on which worker (5), and how many workers
# (`scale`, next cell). A **request** is an engine to be started. If its worker is not ready, it is packed again, as
# often as its **time to live** (TTL) says.
#
# **Rule** (6 to 9). In one tick, in this order:
# 1. Engines that ended free their place.
# 2. Loads are observed, and all engines get the size of their profile.
# 3. For each image of `waiting`, in order, the predictor's new requests join the end of the list. `coming` counts the
#    requests of this image in the list.
# 4. Each request of the list, in order: if n messages of its image wait, and n or more requests of its image come
#    before it, it is dropped. Otherwise it is placed, and starts if its worker's number is below `ready`.
# 5. `scale` is called; all placed requests still have their places.
# 6. Placed requests that did not start give their places back. Those with TTL 0 are dropped; the others stay in the
#    list, with a TTL lower by 1.
#
# **Edge cases**
# - Requests are named IMAGE-1, IMAGE-2, … with one count for all images, and begin with the rules' TTL.
# - Sizes are limited to rules.least_size and rules.capacity. `ended` may hold unknown names. An image that is not in
#   `waiting` has no messages. Do not change `seen`.

# %% role="given" name="scale"
def scale(on: int, used: int, registered: int) -> Scale:
    """Return how many workers are wanted, with some spare, and how many are on next.

    Example: scale(1, 3, 5) -> Scale(wanted=4, on=2)
    """
    spare = 1 if used < 10 else math.ceil(math.log(used) / 2)
    if used >= 100:
        spare = math.floor(math.log(used))
    wanted = used + spare
    step = (wanted > on) - (wanted < on)
    return Scale(wanted, min(registered, on + step))

# %% task="Manager" todo="do the six steps of a tick in their order; keep what stays for the next tick"
class Manager:
    """Plan engines and workers, once per tick.

    tick(seen: Seen): return Plan(starts, wanted, on, scheduled, dropped).
    starts: Start(engine, image, worker, size) in the order of the list
    wanted, on: what `scale` returns
    scheduled: the total size on each worker after step 6, to the last with an engine
    dropped: {image: requests dropped in this tick}, without zeros
    Example: Rules(), 12 waiting, one worker on and ready -> cells-1 and cells-2 start
      on worker 0; wanted 2, on 2
    """

    def __init__(self, rules: Rules) -> None:
        ### BEGIN SOLUTION
        self._rules, self._workers = rules, FirstFit(rules.capacity)
        self._predictor = Predictor(rules)
        self._profiler = Profiler(
            rules.window, rules.default_size, rules.least_size, rules.capacity
        )
        self._images: dict[str, str] = {}  # engine that has a place -> image
        self._requests: list[Request] = []
        self._request_count = 0

    def tick(self, seen: Seen) -> Plan:
        self._update(seen)
        self._request(seen)
        starts, staying, dropped = self._pack(seen)
        wanted, on = scale(seen.on, self._workers.used, seen.registered)
        for request in staying:
            self._workers.remove(request.engine)
        self._requests = [
            each._replace(ttl=each.ttl - 1) for each in staying if each.ttl > 0
        ]
        dropped.update(each.image for each in staying if each.ttl <= 0)
        scheduled = [self._rules.capacity - free for free in self._workers.free()]
        return Plan(starts, wanted, on, scheduled, dict(dropped))

    def _update(self, seen: Seen) -> None:
        for engine in seen.ended:
            if self._images.pop(engine, None) is not None:
                self._workers.remove(engine)
        for image, loads in seen.loads.items():
            self._profiler.observe(image, loads)
        for engine, image in self._images.items():
            self._workers.resize(engine, self._profiler.size(image))

    def _request(self, seen: Seen) -> None:
        for image, length in seen.waiting.items():
            coming = sum(each.image == image for each in self._requests)
            for _ in range(self._predictor.wanted(image, seen.now_s, length, coming)):
                self._request_count += 1
                name = f"{image}-{self._request_count}"
                self._requests.append(Request(name, image, self._rules.ttl))

    def _pack(self, seen: Seen) -> tuple[list[Start], list[Request], Counter[str]]:
        starts, staying = list[Start](), list[Request]()
        before, dropped = Counter[str](), Counter[str]()
        for request in self._requests:
            before[request.image] += 1
            if before[request.image] > seen.waiting.get(request.image, 0):
                dropped[request.image] += 1
                continue
            size = self._profiler.size(request.image)
            worker = self._workers.place(request.engine, size)
            if worker < seen.ready:
                starts.append(Start(request.engine, request.image, worker, size))
                self._images[request.engine] = request.image
            else:
                staying.append(request)
        return starts, staying, dropped
        ### END SOLUTION

# %% check="Manager"
# Worker 1 boots until 3 s. What happens to requests 3 and 4?
def seen(now_s: float, engines: int, on: int, ready: int) -> Seen:
    loads = {"cells": [(engines, 500 * engines)]} if engines else {}
    return Seen(now_s, {"cells": 12}, loads, [], on, ready, registered=5)

with one_line_errors():
    manager = Manager(Rules(pause_s=1, ttl=1))
    ticks = (0, 1, 1), (2, 2, 1), (2, 2, 1), (2, 2, 2)  # engines, on, ready
    for now_s, numbers in enumerate(ticks):
        print(f"{now_s} s:", manager.tick(seen(now_s, *numbers)))

check("Manager")

# %% [markdown]
# ### Task 9 · `SparkScaler`
#
# **Why.** Spark's **dynamic allocation** does not know how fast pictures come; your predictor does.
#
# **Rule** (9, 11)
# - `retire`: if no task waits, the ids of the executors that have had no task for `idle_s` or longer, in their order.
#   The time runs from when an executor was first seen, or last seen with a task, also while tasks wait.
# - `total`, in four steps:
#   1. the total of the last call (at first 0), or the number of executors if that is larger
#   2. minus those that retire now
#   3. plus what the predictor wants for the image "executors"; `length` is `waiting`, and `coming` is the number after
#      step 2 minus the executors that stay
#   4. at most `most`, even if more executors are there

# %% task="SparkScaler" todo="find who is idle for long enough, then add what the predictor wants, within the limit"
class SparkScaler:
    """Decide how many executors an application has, and which ones end.

    decide(now_s, waiting, executors): return Decision(total, retire); `waiting` tasks
      have not begun, `executors` are those there, each Executor(id, tasks).
    Example: idle_s=3, total 4: 4 s, none waiting, executor "1" has no task -> (4, []);
      7 s, the same -> (3, ["1"])
    """

    def __init__(self, rules: Rules, idle_s: float, most: int) -> None:
        ### BEGIN SOLUTION
        self._predictor, self._idle_s, self._most = Predictor(rules), idle_s, most
        # executor -> when it was first seen, or last seen with a task
        self._busy_s: dict[str, float] = {}
        self._total = 0

    def decide(
        self, now_s: float, waiting: int, executors: Sequence[Executor]
    ) -> Decision:
        for each in executors:
            if each.tasks or each.id not in self._busy_s:
                self._busy_s[each.id] = now_s
        idle = [each.id for each in executors if waiting == 0 and each.tasks == 0]
        retire = [name for name in idle if now_s - self._busy_s[name] >= self._idle_s]
        total = max(self._total, len(executors)) - len(retire)
        stay = len(executors) - len(retire)
        wanted = self._predictor.wanted("executors", now_s, waiting, total - stay)
        self._total = min(self._most, total + wanted)
        return Decision(self._total, retire)
        ### END SOLUTION

# %% check="SparkScaler"
# The check starts real executors. (10 s)
with one_line_errors():
    scaler = SparkScaler(Rules(few=1, many=2, pause_s=1), idle_s=3, most=4)
    print("1 s:", scaler.decide(1, 12, []))
    print("2 s:", scaler.decide(2, 20, [Executor("0", 1)]))
    for now_s, tasks in (4, 1), (6, 0), (8, 0):
        four = [Executor(name, tasks) for name in "0123"]
        print(f"{now_s} s:", scaler.decide(now_s, 0, four))

check("SparkScaler")

# %% [markdown]
# ## 5 · What the checks look at
#
# `Master` is checked with your own tasks 1 to 3, at the end with real engines: one is killed and one frozen.
# `FirstFit` is compared with a **baseline** that scans a list (next cell). {threshold of FirstFit} times its rate
# earns all points.
#
# ## 6 · Checkpoint
#
# Experiments (1) to (3) are simulated, (5) and (6) are recorded.

# %% role="show"
# The baseline of the throughput check.
class ListAndScan:
    def __init__(self, capacity: int = 1000) -> None:
        self.capacity, self.workers = capacity, list[int]()
        self.where = dict[str, tuple[int, int]]()

    def place(self, engine: str, size: int) -> int:
        fits = (worker for worker, free in enumerate(self.workers) if size <= free)
        worker = next(fits, len(self.workers))
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

# %% role="show"
# (1) Half an hour of Stein's thesis (urn:nbn:se:uu:diva-391927). (5 s)
# "left": messages that never finish. Which rule lets messages wait longer?
from streamlab.lab07_irm.charts import cpu_heat_map, first_engines, time_plot
from streamlab.lab07_irm.clock import Setup, simulate
from streamlab.lab07_irm.workloads import HEADERS, figures, thesis

never = {"rises_slowly": math.inf, "rises_fast": math.inf}
v02 = Rules(few=5, many=5, long_queue=100, pause_s=30, **never)
setups = {f"workers: {workers}": (Rules(), workers) for workers in (1, 3, 5)}
setups["workers: 5, rule of v0.2"] = v02, 5
with one_line_errors():
    jobs, runs = thesis(), {}
    for name, (rules, workers) in setups.items():
        setup = Setup(workers=workers)
        runs[name] = simulate(jobs, Master(10**6), Manager(rules), setup)
    rows = [(name, *figures(run, jobs)) for name, run in runs.items()]
    print(table(rows, ["run", *HEADERS]))
    for what in "waiting", "engines":
        lines = {name: run.over_time(what)[::10] for name, run in runs.items()}
        time_plot(lines, what, f"The half hour of the thesis: {what}")
    cpu_heat_map(runs["workers: 5"], "CPU (%) with 5 workers")
    starts = first_engines(runs["workers: 5"])
    print(table(starts, ["worker", "first engine (s)", "scheduled"]))

# %% role="show"
# (2) 300 pictures of 10 s. Notice what quick rules gain and cost.
from streamlab.lab07_irm.charts import time_plot
from streamlab.lab07_irm.clock import Setup, simulate
from streamlab.lab07_irm.workloads import HEADERS, figures, pictures

quick, patient = (Rules(few=2, many=8, pause_s=2, ttl=ttl) for ttl in (1, 50))
cases = {"documented": (Rules(), Setup()), "quick": (quick, Setup())}
cases["quick, 30 s to boot"] = quick, Setup(boot_s=30)
cases["quick, 30 s to boot, ttl 50"] = patient, Setup(boot_s=30)
with one_line_errors():
    jobs, runs = pictures(), {}
    for name, (rules, setup) in cases.items():
        runs[name] = simulate(jobs, Master(10**6), Manager(rules), setup)
    rows = [(name, *figures(run, jobs)) for name, run in runs.items()]
    print(table(rows, ["rules", *HEADERS]))
    cpu = {"scheduled": [], "measured": [], "ideal": []}
    for each in runs["quick"].seconds:
        cpu["scheduled"].append((each.now_s, sum(each.scheduled) / 10))
        cpu["measured"].append((each.now_s, sum(each.measured) / 10))
        cpu["ideal"].append((each.now_s, 100 * math.ceil(sum(each.measured) / 1000)))
    time_plot(cpu, "CPU (% of a worker)", "Quick rules: scheduled, measured, ideal")

# %% role="show"
# (3) A burst, then a trickle. Notice: the choice of the idle engine empties workers.
from streamlab.lab07_irm.by_turn import ByTurn
from streamlab.lab07_irm.charts import time_plot
from streamlab.lab07_irm.clock import Setup, simulate
from streamlab.lab07_irm.workloads import HEADERS, burst_then_trickle, figures

with one_line_errors():
    masters = {
        "longest idle first": ByTurn(Master(10**6), step=1),
        "last idle first": ByTurn(Master(10**6), step=0),
        "lowest worker first": Master(10**6),
    }
    jobs, rows, lines = burst_then_trickle(), [], {}
    for name, master in masters.items():
        manager = Manager(Rules(few=4, many=20, pause_s=1))
        run = simulate(jobs, master, manager, Setup(idle_s=20))
        tail = run.seconds[150]
        rows.append((name, tail.engines, tail.on, *figures(run, jobs)[1:6]))
        lines[name] = run.over_time("on")
    print(table(rows, ["dispatch", "engines (150 s)", "workers on", *HEADERS[1:6]]))
    time_plot(lines, "workers on", "A burst, then a trickle")

# %% role="show"
# (4) Live: one engine is killed. Notice when its place is used again. (20 s)
from streamlab.lab07_irm import cluster
from streamlab.lab07_irm.charts import time_plot

with one_line_errors():
    examples = [cell_picture(seed) for seed in range(4)]
    images = [examples[number % 4] for number in range(60)]
    rules = Rules(default_size=500, pause_s=1, few=1, many=2)
    setup = cluster.Setup(kill_after=20)
    live = cluster.play_pictures(Master(), Manager(rules), images, 0.05, setup)
    finished = f"{len(images) - len(live.failed)} of 60 pictures finished"
    print(f"{finished} in {live.makespan_s:.1f} s; killed: {live.killed}")
    print("cells that were found:", sorted({cells for cells, _ in live.measured}))
    rows = [(f"{at.now_s:.1f}", *at[1:4], at.finished) for at in live.moments[::4]]
    print(table(rows, ["time (s)", "waiting", "engines", "workers on", "finished"]))
    scheduled = [(each.now_s, each.scheduled / 10) for each in live.moments]
    measured = [(each.now_s, each.measured / 10) for each in live.moments]
    cpu = {"scheduled": scheduled, "measured": measured}
    time_plot(cpu, "CPU (% of a worker)", "Live: scheduled and measured")

# %% role="show"
# (5) `./lab experiment pictures` (s, core-s): a micro-batch waits for its slowest task.
from streamlab import bar_plot
from streamlab.experiments.published import published
from streamlab.lab07_irm.charts import time_plot
from streamlab.lab07_irm.experiments.recorded import recorded_pictures

runs, rows = recorded_pictures(), []
for run in runs:
    all_s = run.start_s + run.warm_up_s + run.makespan_s
    cores = sum(run.allocated), sum(run.used)
    rows.append((run.system, run.right, run.makespan_s, all_s, *cores))
print(table(rows, ["system", "right", "makespan", "with start", "allocated", "used"]))
for what in "allocated", "used":
    lines = {run.system: list(enumerate(getattr(run, what))) for run in runs}
    time_plot(lines, "cores", f"Cores {what}")
# CellProfiler on Spark 2.4.4 with 40 cores:
paper = published("lab07_irm", "haste", "busy (s)", "CPU (%)", "part")
rows = [(name, *each) for name, each in paper.items()]
print(table(rows, ["the paper's Spark", "busy (s)", "CPU (%)", "part"]))
parts = {run.system: run.used_share for run in runs}
parts |= {f"paper, {name}": part for name, *_, part in rows}
bar_plot(
    parts, "used / allocated", "What is used of the cores",
    alt="; ".join(f"{name}: {part:.2f}" for name, part in parts.items()),
)

# %% role="show"
# (6) `./lab experiment peer-to-peer`: where is it ahead of Spark? Which bound decides?
from streamlab.experiments.grid import recorded_grid
from streamlab.experiments.grid_plot import draw_grid
from streamlab.lab07_irm.experiments.recorded import recorded_peer_to_peer

direct, into_spark, rows = recorded_peer_to_peer(), recorded_grid(), []
for cell in direct:
    work = cell.size_bytes, cell.cpu_s
    same = [each for each in into_spark if (each.size_bytes, each.cpu_s) == work]
    best = max(same, key=lambda each: each.rate_per_s)
    way, ratio = f"{best.integration}: {best.bound}", cell.rate_per_s / best.rate_per_s
    row = *work, cell.rate_per_s, cell.limit_per_s, cell.bound
    rows.append((*row, best.rate_per_s, best.limit_per_s, way, ratio))
headers = ["bytes", "work", "p2p (1/s)", "limit", "bound"]
print(table(rows, [*headers, "Spark (1/s)", "limit", "way: bound", "ratio"]))
draw_grid([*into_spark, *direct]).show()

# %% role="show"
# Find the flaw (optional) in three traces of Snapple49/HarmonicIO, commit b9bb8bd.
with one_line_errors():
    profiler, profile = Profiler(window=10, default=125, least=20), []
    for wants in 0, 500, 500, 10:
        profiler.observe("cells", [(1, wants)])
        profile.append(profiler.size("cells"))
    packing = FirstFit()
    workers = [packing.place(f"engine {number}", 125) for number in range(8)]
    lengths = [0, 0, 3, 8, 20, 21, 22, 20, 15, 12, *[11] * 4, *[30] * 11]
    predictor, times = Predictor(Rules()), []
    for now_s, length in enumerate(lengths, 1):
        if predictor.wanted("cells", now_s, length):
            times.append(now_s)
    rows = [
        ("an engine wants 0, 500, 500, 10", "20 260 340 257.5", profile),
        ("eight engines of 125", "0 0 0 0 0 0 0 1", workers),
        ("a queue: seconds with requests", "3 14 25", times),
    ]
    rows = [(what, theirs, " ".join(map(str, yours))) for what, theirs, yours in rows]
    print(table(rows, ["what happens", "the original", "yours"]))

# %% [markdown]
# **What the figures say.** In (1) and (2), **ideal** is the smallest number of workers that could do the work of each
# second, added up; **bound**, what a manager needs that knows all messages in advance and lets none wait. In (6), peer
# to peer is ahead at 1 MB; at 100 bytes, the master is asked too often.
#
# **The flaws.** The minimum is fed back into a cumulative mean; "fits" is `<`; pauses last one step too long.
#
# ## 7 · Break it
#
# In the next cell the manager measures what engines *got*, not what they *want* (invariant 10): they want 250, the
# default is 125, and a crowded worker divides its CPU. **Predict**: after how many ticks is the profile right?

# %% role="show"
from streamlab.lab07_irm.clock import Setup, simulate
from streamlab.lab07_irm.workloads import figures, pictures

class RecordingManager(Manager):
    size = 0  # of the newest engine

    def tick(self, seen: Seen) -> Plan:
        plan = super().tick(seen)
        self.size = plan.starts[-1].size if plan.starts else self.size
        return plan

with one_line_errors():
    jobs, rows = pictures(200, every_s=0.5, cpu=250), []
    for measures in "wanted", "used":
        manager = RecordingManager(Rules(few=2, many=8, pause_s=2))
        run = simulate(jobs, Master(10**6), manager, Setup(measures=measures))
        found = figures(run, jobs)
        columns = found.delay_p50_s, found.makespan_s, found.worker_s
        rows.append((measures, manager.size, *columns))
    headers = "measured", "last profile", "median delay (s)", "makespan (s)", "worker-s"
    print(table(rows, headers))

# %% [markdown] written="peer_to_peer_or_a_log"
# Never: eight engines share a worker that has room for four, so each of them gets 125.
#
# **How you would have noticed in production:** the profile agrees with every measurement. Alert on CPU pressure: the
# time that threads wait for a core.
#
# ## 8 · Questions, and the next lab
#
# In Lab 8, geofences watch a herd, and a job survives kill -9.
#
# **Peer to peer, a log, or both?** (3 points) Which way do you choose for each stream, and which bound decides
# (messages, bytes, or CPU)? What about order, replay and at-least-once? How often does a byte cross the network?
# - Clicks of 100 bytes, 200,000 per second.
# - Pictures of 5 MB, five per second, that need 10 s of CPU each.
# - Sensor readings that three teams use, and read again after a fix.

# %% [markdown] written="two_scaling_strategies"
# **Two scaling strategies** (3 points) Compare "Spark, dynamic" and "Spark, SparkScaler" in experiment (5). Dynamic
# allocation keeps executors for its idle time-out. `SparkScaler` starts two at a time, and ends them three seconds
# after their last task.
# 1. Explain the ramp-up of both: what do allocated and used cores show in the first ten seconds?
# 2. What do the barrier between micro-batches and the tail cost?
# 3. Change one setting of each strategy. What does it improve, and at what price?

# %% [markdown]
# ## 9 · ★ Bonus
#
# No later task needs these; their points are outside the {points} of this lab.
#
# ### ★ · `least_workers`
#
# **Why.** How good is a packing? No packing needs fewer workers than a **lower bound**, such as L2 of [Martello and
# Toth (1990)](https://doi.org/10.1016/0166-218X(90)90094-S).
#
# **Rule** (12). The bound is the maximum over the splits a = 0 and a = each size up to capacity / 2. For one split:
# 1. Each size above capacity / 2 is large, and takes a worker.
# 2. Add up the room next to those large sizes that are at most capacity - a.
# 3. Add up the sizes from a to capacity / 2, both included. They first fill that room. What is left takes further
#    workers, rounded up.
#
# Without sizes, the bound is 0.

# %% task="least_workers" todo="for each split, count the workers that large sizes take and that the rest then needs"
def least_workers(sizes: Sequence[int], capacity: int = 1000) -> int:
    """Return L2, a number of workers below which no packing of these sizes exists.

    Raises ValueError if a size is not above 0 or is above the capacity.
    Example: [600, 600, 600, 450, 450] -> 4, since 450 does not fit next to 600
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
# In which list is First-Fit worse than the bound, and why?
with one_line_errors():
    worst = 60 * [150] + 60 * [340] + 60 * [510]
    for sizes in [600, 600, 600, 450, 450], 20 * [300], worst:
        counts = []
        for order in sizes, sorted(sizes, reverse=True):
            workers = FirstFit()
            placed = [workers.place(f"e{at}", size) for at, size in enumerate(order)]
            counts.append(1 + max(placed))
        found = f"First-Fit {counts[0]}, largest first {counts[1]}"
        print(f"{len(sizes)} engines: {found}, L2 {least_workers(sizes)}")

check("least_workers")

# %% [markdown]
# ### ★ · `first_fit_vector`
#
# **Why.** An engine needs more than CPU, for example memory. It fits where **each** resource has room.
#
# **Rule** (6, 12). A demand has one number for each resource, as `capacity` has. Each demand goes to the first worker
# where every resource has room; nothing is removed. The ValueError names the position of the demand and that of the
# resource, both counted from 0.

# %% task="first_fit_vector" todo="take the first worker that has room for every resource"
def first_fit_vector(
    demands: Sequence[Sequence[int]], capacity: Sequence[int]
) -> list[int]:
    """Return the worker of each demand in turn, by First-Fit with several resources.

    Raises ValueError if a number is below 0 or above the capacity of its resource.
    Example: five times (100, 400), then (500, 100), capacity (1000, 1000)
      -> [0, 0, 1, 1, 2, 0]
    """
    ### BEGIN SOLUTION
    workers: list[list[int]] = []  # free space of each worker
    chosen = []
    for number, demand in enumerate(demands):
        for resource, (need, most) in enumerate(zip(demand, capacity, strict=True)):
            if not 0 <= need <= most:
                where = f"demand {number}, resource {resource}"
                raise ValueError(f"{where}: expected 0 to {most}, got {need}")
        fits = (
            worker
            for worker, free in enumerate(workers)
            if all(n <= f for n, f in zip(demand, free, strict=True))
        )
        worker = next(fits, len(workers))
        if worker == len(workers):
            workers.append(list(capacity))
        workers[worker] = [
            free - need for need, free in zip(demand, workers[worker], strict=True)
        ]
        chosen.append(worker)
    return chosen
    ### END SOLUTION

# %% check="first_fit_vector"
# By CPU alone, all six fit on one worker. How much memory would they need?
with one_line_errors():
    demands = 5 * [(100, 400)] + [(500, 100)]
    print("CPU and memory:", first_fit_vector(demands, (1000, 1000)))
    cpu = [demand[:1] for demand in demands]
    print("CPU alone:     ", first_fit_vector(cpu, (1000,)))
    print("memory on one worker:", sum(memory for _, memory in demands))

check("first_fit_vector")

# %% [markdown]
# ### ★ · `cell_counts`
#
# **Why.** The pictures of experiment (5) are a stream of Spark. If your function raises an error on one of them, Spark
# ends the whole query.
#
# **Tools.** The source [binaryFile][1] gives a row per file. A [udf][2] can return a struct.
# ```python
# pictures = spark.read.format("binaryFile").load(folder)
# measure(content)               # (cells, granularity); each cell has .area_px
# F.udf(lambda text: (len(text), None), "n int, note string")   # select its fields: "x.*"
# F.element_at(F.split("name", "/"), -1)                        # the last part of a name
# ```
# **Rule.** Each picture has one row: `image` is the name of its file, without folders, and `mean_area_px` the mean area
# of its cells, null without cells. If `measure` raises ValueError, `error` is its text, and `cells` and `mean_area_px`
# are null; otherwise `error` is null. The call starts no job.
#
# [1]: https://spark.apache.org/docs/latest/sql-data-sources-binaryFile.html
# [2]: https://spark.apache.org/docs/latest/api/python/reference/pyspark.sql/api/pyspark.sql.functions.udf.html

# %% task="cell_counts" todo="measure each picture in a function of Spark; an error becomes a row"
def cell_counts(pictures: DataFrame) -> DataFrame:
    """Describe the cells in each picture of a batch or of a stream.

    pictures: as binaryFile gives them: (path: string, modificationTime: timestamp,
      length: long, content: binary)
    Returns (image: string, cells: int, mean_area_px: double, error: string).
    Example: file:/in/a.png, cells of 100, 110, 150 px -> ("a.png", 3, 120.0, None)
    """
    ### BEGIN SOLUTION
    @F.udf("cells int, mean_area_px double, error string")
    def features(content: bytes) -> tuple[int | None, float | None, str | None]:
        try:
            cells, _ = measure(bytes(content))
        except ValueError as problem:
            return None, None, str(problem)
        areas = [cell.area_px for cell in cells]
        return len(areas), sum(areas) / len(areas) if areas else None, None

    image = F.element_at(F.split("path", "/"), -1).alias("image")
    found = pictures.select(image, features("content").alias("found"))
    return found.select("image", "found.*")
    ### END SOLUTION

# %% check="cell_counts"
# Three pictures and a text file. What is in the row of the text file?
import tempfile

from streamlab.spark.executors import Executors

Executors(spark.sparkContext).request(2)  # this session begins with none; a job waits
with one_line_errors(), tempfile.TemporaryDirectory() as folder:
    for cells in 0, 1, 20:
        content = cell_picture(seed=1, cells=cells, size=192)
        Path(folder, f"{cells}.png").write_bytes(content)
    Path(folder, "notes.txt").write_text("not a picture")
    pictures = spark.read.format("binaryFile").load(folder)
    cell_counts(pictures).orderBy("image").show(truncate=60)

check("cell_counts")
