"""Source of Lab 4: subqueries and balancers, with the reference solutions.

`./lab build` makes the student's notebook from it; autograder/stages/lab04_subqueries judges it.
"""

# %% [markdown]
# # Lab 4 · Subqueries and balancers
#
# {map}
#
# Your main parts are Split and Desk. Split gives each row to the owner of its key; Desk gives sums and joins of
# windows. Apache Flink moves state by such [key groups][0].
#
# [0]: https://nightlies.apache.org/flink/flink-docs-stable/docs/concepts/stateful-stream-processing/
# [map]: {map.svg}

# %% [markdown]
# ## 1 · What works after this lab
#
# | before | after |
# |---|---|
# | a query runs on one core | its subqueries run in several instances each |
# | parallel runs differ | each gives the rows of the centralized run, even after a kill |
# ```text
#  source ─▶ SQ1, instance 0 ─▶ balancer ─▶ Inbox ─▶ SQ2, instance 0 ─▶ … ─▶ results
#       └──▶ SQ1, instance 1 ─▶ balancer ─▶ Inbox ─▶ SQ2, instance 1
#            split (7)          task 8      task 9   Aggregate, Join (1 to 6); Spark: 10
# ```
# A **continuous query** runs on data that never ends. [UPM-CEP](https://doi.org/10.5220/0007905906720678) cuts it into
# **subqueries**, and **balancers** decide which instance gets a row. {minutes} minutes; no service needs to run.

# %% [markdown]
# ## 2 · The invariants
#
# {invariants}
#
# ## 3 · Predict
#
# 1. An ip visits a page at 1000, 29,999 and 30,000 ms. How many windows of 30 s have rows? What is LAST_VAL, the latest
#    value, of the times in the first one?
# 2. A query uses COUNT over windows of 10 rows for each word. Which numbers can come out?
# 3. Two instances send rows to a third one, which numbers them as they arrive. Does every run give the same numbers?
#
# ## 4 · Tasks

# %% role="given" name="setup"
import heapq
import math
import operator
import time
import zlib
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial, reduce
from itertools import count, cycle
from types import SimpleNamespace
from typing import Any

from pyspark import RDD
from pyspark.sql import DataFrame, functions as F
from streamlab import check, line_plot, one_line_errors, play_files, session
from streamlab import show_calls, stage, table
from streamlab.lab04_subqueries import hash64, query_plot, visits
from streamlab.lab04_subqueries.engine import END_MS, START_MS, AggregateFunction
from streamlab.lab04_subqueries.engine import Arrival, Filter, Instance, Map, Message
from streamlab.lab04_subqueries.engine import Numbered, Operator, Plan, Query, Row
from streamlab.lab04_subqueries.engine import SizeWindow, Subquery, TimeWindow
from streamlab.lab04_subqueries.engine import centralized, order_of
from streamlab.lab04_subqueries.engine.on_spark import Owners, owners_of

spark = session("lab04_subqueries")

# %% [markdown]
# ### Task 1 · `window_starts`
#
# **Why.** "How many hits per minute?" needs a window. A **tumbling** one starts where the last one ends. A **sliding**
# one starts every `advance`, so one row is in many windows.
#
# **Rule** (invariant 1). `TimeWindow(size, advance)` and `SizeWindow(size, advance)` have 1 <= advance <= size. A
# window is [start, start + size); starts are multiples of the advance. Positions are times in ms, or numbers of rows
# in their group, from 0 on. Windows of time may start before 0; windows of rows do not.

# %% task="window_starts" todo="find the first and the last multiple of the advance whose window holds the position"
def window_starts(window: TimeWindow | SizeWindow, at: int) -> list[int]:
    """Return the starts of all windows that hold position `at`, lowest first.

    Example: window_starts(TimeWindow(size=10, advance=4), 9) -> [0, 4, 8]
    """
    ### BEGIN SOLUTION
    size, advance = window
    first = (at - size) // advance + 1
    if isinstance(window, SizeWindow):
        first = max(first, 0)
    return [k * advance for k in range(first, at // advance + 1)]
    ### END SOLUTION

# %% check="window_starts"
# Why is 10 in another window of TimeWindow(10, 10) than 9?
with one_line_errors():
    calls = [(TimeWindow(10, 4), 9), (TimeWindow(10, 10), 9), (TimeWindow(10, 10), 10)]
    show_calls(window_starts, *calls, (TimeWindow(10, 4), 2), (SizeWindow(10, 4), 2))

check("window_starts")

# %% [markdown]
# ### Task 2 · `aggregate_function`
#
# **Why.** An aggregate can be computed in parts if it has three functions: **lift** a value to a partial result,
# **combine** two of these, **lower** one to the result.
#
# **Rule** (2). The names are `"COUNT"`, `"SUM"`, `"MIN"`, `"MAX"`, `"AVG"` (the mean), `"FIRST_VAL"` and `"LAST_VAL"`
# (the earliest and the latest value).
# - COUNT, FIRST_VAL and LAST_VAL get any values, also None; the others get numbers.
# - combine gets the earlier values first, and does not change its arguments.

# %% task="aggregate_function" todo="return the three functions of each name"
def aggregate_function(name: str) -> AggregateFunction:
    """Return AggregateFunction(lift, combine, lower), a tuple of functions.

    Example: f = aggregate_function("AVG")
      f.lower(f.combine(f.lift(1), f.lift(4))) -> 2.5
    """
    ### BEGIN SOLUTION
    return FUNCTIONS[name]


def identity(value: Any) -> Any:
    return value


def add_pairs(a: tuple[Any, int], b: tuple[Any, int]) -> tuple[Any, int]:
    return a[0] + b[0], a[1] + b[1]


FUNCTIONS = {
    "COUNT": AggregateFunction(lambda value: 1, operator.add, identity),
    "SUM": AggregateFunction(identity, operator.add, identity),
    "MIN": AggregateFunction(identity, min, identity),
    "MAX": AggregateFunction(identity, max, identity),
    "AVG": AggregateFunction(
        lambda value: (value, 1), add_pairs, lambda pair: pair[0] / pair[1]
    ),
    "FIRST_VAL": AggregateFunction(identity, lambda earlier, later: earlier, identity),
    "LAST_VAL": AggregateFunction(identity, lambda earlier, later: later, identity),
}
    ### END SOLUTION

# %% check="aggregate_function"
# Which of the seven are possible if values may leave a window?
with one_line_errors():
    for name in "COUNT", "SUM", "MIN", "MAX", "AVG", "FIRST_VAL", "LAST_VAL":
        lift, combine, lower = aggregate_function(name)
        print(f"{name:9}", lower(reduce(combine, map(lift, [5, -3, 8, 0]))))

check("aggregate_function")

# %% [markdown]
# ### Task 3 · `Panes`
#
# **Why.** With 60 windows per row, adding each row to each window is 60 times the work. So cut time into **panes** of
# length `math.gcd(size, advance)` ([Li et al., 2005](https://doi.org/10.1145/1058150.1058158)), and combine each row
# once.
# ```text
# TimeWindow(10, 4)    0   2   4   6   8   10  12  14   panes 0 to 6, of 2 ms each
# window [0, 10)       |___|___|___|___|___|            combines panes 0 to 4
# window [4, 14)               |___|___|___|___|___|    combines panes 2 to 6; no later
#                                                       window holds panes 0 and 1
# ```
# **Rule** (2). Pane p holds the positions [p * length, (p + 1) * length). `Panes` changes the dict that it gets, and
# keeps no values itself. Calls come in the order of positions. A window closes when all of its values, at least one,
# have come and no later ones.

# %% task="Panes" todo="combine values into the pane of their position; combine a window from its panes"
class Panes:
    """Combine values into panes, and panes into the results of windows.

    panes: those of one group: number -> list of partial results, one per function
    add(panes, at, values) -> bool: combine values[i] into the pane of position `at`,
      for functions[i]; return whether the pane is new.
    close(panes, start) -> list: return the results of the window from `start` on;
      delete the panes that no later window holds.
    Example: p = Panes(TimeWindow(10, 4), [aggregate_function("SUM")]); kept = {}
      p.add(kept, 1, [5]), p.add(kept, 9, [7]) -> (True, True); kept: {0: [5], 4: [7]}
      p.close(kept, 0) -> [12]; kept: {4: [7]}
    """

    def __init__(
        self, window: TimeWindow | SizeWindow, functions: Sequence[AggregateFunction]
    ) -> None:
        self.window, self.functions = window, list(functions)
        ### BEGIN SOLUTION
        self.length = math.gcd(*window)

    def add(self, panes: dict[int, list[Any]], at: int, values: Sequence[Any]) -> bool:
        pane = at // self.length
        lifted = [
            function.lift(value)
            for function, value in zip(self.functions, values, strict=True)
        ]
        is_new = pane not in panes
        panes[pane] = lifted if is_new else self._combined(panes[pane], lifted)
        return is_new

    def close(self, panes: dict[int, list[Any]], start: int) -> list[Any]:
        first, after = start // self.length, (start + self.window.size) // self.length
        kept = [panes[pane] for pane in range(first, after) if pane in panes]
        partials = reduce(self._combined, kept)
        for pane in range(first, first + self.window.advance // self.length):
            panes.pop(pane, None)
        return [
            function.lower(partial)
            for function, partial in zip(self.functions, partials, strict=True)
        ]

    def _combined(self, earlier: list[Any], later: list[Any]) -> list[Any]:
        return [
            function.combine(a, b)
            for function, a, b in zip(self.functions, earlier, later, strict=True)
        ]
        ### END SOLUTION

# %% check="Panes"
# The example above: which panes are left after each call?
with one_line_errors():
    panes, kept = Panes(TimeWindow(10, 4), [aggregate_function("SUM")]), {}
    for at, value in (1, 5), (9, 7):
        print(f"add at {at}: new {panes.add(kept, at, [value])}, panes {kept}")
    for start in 0, 4, 8:
        print(f"close {start}: {panes.close(kept, start)}, panes {kept}")

check("Panes")

# %% [markdown]
# ### Task 4 · `add_row`
#
# **Why.** Windows of rows have panes, too: the position of a row is its number in its group.
#
# **Rule** (1). A window is closed by its last row. If no pane is left then, `group` is {} again, and the next row is
# row 0.

# %% task="add_row" todo="add the row to the panes of its group; close the window of which it is the last row"
def add_row(
    panes: Panes, group: dict[str, Any], values: Sequence[Any]
) -> list[Any] | None:
    """Add the next row of a group; return the results of the window that it closes.

    Returns None if no window closes. panes.window is a SizeWindow.
    group: {"rows": how many so far, "panes": their panes}, at first {}; it is changed
    Example: SizeWindow(3, 2): rows 2, 4, 6 … close the windows from 0, 2, 4 …
    """
    ### BEGIN SOLUTION
    at, kept = group.get("rows", 0), group.setdefault("panes", {})
    panes.add(kept, at, values)
    group["rows"] = at + 1
    start = at + 1 - panes.window.size
    results = (
        panes.close(kept, start)
        if start >= 0 and start % panes.window.advance == 0
        else None
    )
    if not kept:
        group.clear()
    return results
    ### END SOLUTION

# %% check="add_row"
# Prediction 2: COUNT over windows of ten rows. Then sums of three rows.
with one_line_errors():
    for window, name in (SizeWindow(10, 10), "COUNT"), (SizeWindow(3, 2), "SUM"):
        panes, group = Panes(window, [aggregate_function(name)]), {}
        results = [add_row(panes, group, [value]) for value in range(1, 11)]
        print(window, name, results, "left:", group)

check("add_row")

# %% [markdown]
# ### Task 5 · `Aggregate`
#
# **Why.** An **operator** of a query gets one row after the other. If its process dies, another one continues from its
# `state`.
#
# | given | what it is |
# |---|---|
# | row | a dict; `t` is its **event time** in ms |
# | `Operator` | base class: `on_row(row, port)` and `on_time(now_ms)` return rows |
# | `state` | a dict that can be pickled, with all that an operator keeps |
# | `keys(port)` | fields that rows must share to meet; (): all rows meet; None: any row of the other input |
#
# The engine calls `on_time(t)` before a row of time t: no row with an earlier time comes any more.
#
# **Rule** (1, 2, 3, 5). Use tasks 1 to 4 for each group.
# - `on_time(now_ms)` emits a window of time as soon as now_ms >= its end, with t = end - 1.
# - `on_row` emits a window of rows with its last row, and with the t of that row.
# - `keys(0)` is `group_by`.
# - A group leaves nothing in `state` once every window with one of its rows is emitted.
# - The results of one call come in any order. A window without rows gives none.

# %% task="Aggregate" todo="give each row to the panes of its group; emit the windows that close"
class Aggregate(Operator):
    """Aggregate the rows of each window and group.

    group_by: fields other than t; rows with equal values form a group
    functions: result field -> (name of an aggregate function, field)
    Example: Aggregate(["ip"], TimeWindow(10, 10), {"hits": ("COUNT", "ip")}): after
      rows of ip a at 3 and 5, on_time(10) -> [{"ip": "a", "hits": 2, "t": 9}]
    """

    stateful = True

    def __init__(
        self,
        group_by: Sequence[str],
        window: TimeWindow | SizeWindow,
        functions: Mapping[str, tuple[str, str]],
    ) -> None:
        super().__init__()
        ### BEGIN SOLUTION
        self.group_by, self.window = tuple(group_by), window
        self.results = list(functions)
        self.fields = [field for _, field in functions.values()]
        self.panes = Panes(
            window, [aggregate_function(name) for name, _ in functions.values()]
        )
        # group -> what Panes or add_row keep; end of a window -> groups
        self.state = {"groups": {}, "due": {}}

    def keys(self, port: int) -> tuple[str, ...]:
        return self.group_by

    def on_row(self, row: Row, port: int = 0) -> list[Row]:
        group = tuple(row[field] for field in self.group_by)
        kept = self.state["groups"].setdefault(group, {})
        values = [row[field] for field in self.fields]
        if isinstance(self.window, TimeWindow):
            if self.panes.add(kept, row["t"], values):
                for start in window_starts(self.window, row["t"]):
                    due = self.state["due"].setdefault(start + self.window.size, {})
                    due[group] = None
            return []
        results = add_row(self.panes, kept, values)
        return [] if results is None else [self._row(group, results, row["t"])]

    def on_time(self, now_ms: int) -> list[Row]:
        due, rows = self.state["due"], []
        # Rows come in order, so ends were added in order.
        while due and (end := next(iter(due))) <= now_ms:
            for group in due.pop(end):
                results = self.panes.close(
                    self.state["groups"][group], end - self.window.size
                )
                rows.append(self._row(group, results, end - 1))
        return rows

    def _row(self, group: tuple[Any, ...], results: list[Any], time_ms: int) -> Row:
        if not self.state["groups"][group]:
            del self.state["groups"][group]
        names = (*self.group_by, *self.results, "t")
        return dict(zip(names, (*group, *results, time_ms), strict=True))
        ### END SOLUTION

# %% check="Aggregate"
# Prediction 1: `first` and `last` of ip a. Which calls return its two results?
with one_line_errors():
    functions = {
        "count": ("COUNT", "ip"),
        "first": ("FIRST_VAL", "t"),
        "last": ("LAST_VAL", "t"),
    }
    per_ip = Aggregate(["ip"], TimeWindow(30_000, 30_000), functions)
    for t, ip in (1000, "a"), (12_000, "b"), (29_999, "a"), (30_000, "a"):
        print(f"on_time({t}):", *per_ip.on_time(t))
        per_ip.on_row({"t": t, "ip": ip})
    print("on_time(60000):", *per_ip.on_time(60_000))

check("Aggregate")

# %% [markdown]
# ### Task 6 · `Join`
#
# **Why.** Which click came within ten minutes after which advertisement? Streams have no end, so a **window join**
# keeps a row only as long as a later one can join it.
#
# **Rule** (3, 4, 5). Two rows join if the later one falls into the window of the earlier one, all pairs of fields in
# `on` and all fields in `group_by` are equal (==), and the **predicate** holds.
# - Right rows join a left row less than `left_ms` later, left rows a right row less than `right_ms` later, and rows of
#   equal time each other.
# - `keys(port)` is the fields of that side in `on`, then `group_by`; None if there are no fields.
# - Call the predicate only for pairs whose fields are equal and whose times fit.
# - `on_time` deletes rows that cannot join any more.

# %% task="Join" todo="keep the rows of each side by their key; join each row with those on the other side; expire"
class Join(Operator):
    """Join rows of two inputs that are close in time and whose fields match.

    left_ms, right_ms: how long a row of port 0 (left) or 1 (right) waits
    on: pairs of fields (left, right); group_by: fields of both
    The result of a pair is {**emit(left, right), "t": time of the later row}.
    Example: Join(10, 5, lambda left, right: {}): a left row at 0 and a right row at 9
      -> [{"t": 9}]
    """

    stateful, inputs = True, 2

    def __init__(
        self,
        left_ms: int,
        right_ms: int,
        emit: Callable[[Row, Row], Row],
        on: Sequence[tuple[str, str]] = (),
        group_by: Sequence[str] = (),
        predicate: Callable[[Row, Row], bool] = lambda left, right: True,
    ) -> None:
        super().__init__()
        ### BEGIN SOLUTION
        self.windows_ms = (left_ms, right_ms)
        self.emit, self.predicate = emit, predicate
        self.fields = [(*(pair[side] for pair in on), *group_by) for side in (0, 1)]
        # key -> rows; (time, key), oldest first
        self.state = {"rows": ({}, {}), "ages": (deque(), deque())}

    def keys(self, port: int) -> tuple[str, ...] | None:
        return self.fields[port] or None

    def on_row(self, row: Row, port: int = 0) -> list[Row]:
        key, joined = tuple(row[field] for field in self.fields[port]), []
        for other in self.state["rows"][1 - port].get(key, ()):
            left, right = (other, row) if port else (row, other)
            if self.predicate(left, right):
                joined.append({**self.emit(left, right), "t": row["t"]})
        self.state["rows"][port].setdefault(key, deque()).append(row)
        self.state["ages"][port].append((row["t"], key))
        return joined

    def on_time(self, now_ms: int) -> list[Row]:
        for rows, ages, window_ms in zip(
            self.state["rows"], self.state["ages"], self.windows_ms, strict=True
        ):
            while ages and ages[0][0] + window_ms <= now_ms:
                _, key = ages.popleft()
                rows[key].popleft()
                if not rows[key]:
                    del rows[key]
        return []
        ### END SOLUTION

# %% check="Join"
# Which of the two visits is too late?
def both(left: Row, right: Row) -> Row:
    return {"ip": left["ip"], "page": right["page"]}

with one_line_errors():
    near = Join(10, 5, both, on=[("ip", "client")])
    rows = [(0, {"t": 0, "ip": "a"}), (1, {"t": 9, "client": "a", "page": "/x"})]
    rows += [(1, {"t": 10, "client": "a", "page": "/y"}), (0, {"t": 14, "ip": "a"})]
    for port, row in rows:
        near.on_time(row["t"])
        print("left " if port == 0 else "right", row, "->", near.on_row(row, port))

check("Join")

# %% [markdown]
# ### Task 7 · `split`
#
# **Why.** A stateless operator can run anywhere. For a stateful one, rows that must meet have to be in one instance, so
# they are redistributed before it. A **subquery** is the part between two redistributions: it runs in one process.
# ```text
#  a ─▶ m1 ─▶ f1 ─┐                                            m, f: Map, Filter
#                 ├─▶│ join ─▶ m3 ─▶│ agg ─▶ f2 ─▶│ agg2 ─▶ e  │: a cut; four subqueries
#  b ─▶ m2 ───────┘
# ```
# **Tools.** `query.nodes` has for each operator `name`, `operator` (`.stateful`), `inputs` and `outputs`; each comes
# after those that it reads.
#
# **Rule** (5)
# - A stateful operator starts a subquery.
# - So does an operator with several inputs that comes after a stateful one, at any distance.
# - All stateless operators with no stateful one upstream form one subquery, whatever their sources are.
# - Every other operator belongs to the subquery that makes its input.
# - A stream leaves a subquery if another subquery or nobody reads it. Name each entering and each leaving stream once.

# %% task="split" todo="walk through the operators; for each, decide whether it starts a subquery or joins one"
def split(query: Query) -> list[Subquery]:
    """Cut a query into subqueries, in the order of their first operators.

    Returns Subquery(operators, inputs, outputs): names, the streams in any order.
    Example: the query of the picture has four; the first has m1, f1 and m2; a and b
      enter it, a2 and b1 leave it
    """
    ### BEGIN SOLUTION
    subqueries: list[list[str]] = []
    stateless: list[str] = []  # the subquery before every stateful operator
    # stream -> the subquery that makes it
    home = dict.fromkeys(query.sources, stateless)
    for node in query.nodes:
        is_downstream = any(home[stream] is not stateless for stream in node.inputs)
        starts = node.operator.stateful or (is_downstream and len(node.inputs) > 1)
        names = [] if starts else home[node.inputs[0]]
        if not names:
            subqueries.append(names)
        names.append(node.name)
        home.update(dict.fromkeys(node.outputs, names))
    return [with_streams(query, tuple(names)) for names in subqueries]


def with_streams(query: Query, names: tuple[str, ...]) -> Subquery:
    nodes = [node for node in query.nodes if node.name in names]
    outputs = [stream for node in nodes for stream in node.outputs]
    entering = dict.fromkeys(
        stream for node in nodes for stream in node.inputs if stream not in outputs
    )
    outside = {
        stream
        for node in query.nodes
        if node.name not in names
        for stream in node.inputs
    }
    outside.update(query.results)
    leaving = tuple(stream for stream in outputs if stream in outside)
    return Subquery(names, tuple(entering), leaving)
    ### END SOLUTION

# %% check="split"
# The query of the picture. Which streams cross a cut?
with one_line_errors():
    paper = Query("a", "b").add("m1", Map(dict), ["a"], ["a1"])
    paper.add("f1", Filter(bool), ["a1"], ["a2"]).add("m2", Map(dict), ["b"], ["b1"])
    join = Join(10, 5, lambda left, right: left, group_by=["ip"])
    paper.add("join", join, ["a2", "b1"], ["c"]).add("m3", Map(dict), ["c"], ["c1"])
    hits = Aggregate(["ip"], TimeWindow(10, 10), {"hits": ("COUNT", "ip")})
    paper.add("agg", hits, ["c1"], ["d"]).add("f2", Filter(bool), ["d"], ["d1"])
    most = Aggregate([], TimeWindow(10, 10), {"most": ("MAX", "hits")})
    paper.add("agg2", most, ["d1"], ["e"])
    rows = [tuple(", ".join(part) for part in each) for each in split(paper)]
    print(table(rows, ["operators", "enter", "leave"]))

check("split")

# %% [markdown]
# ### Task 8 · `bucket_of`
#
# **Why.** If the instance is hash(key) mod n and n changes, most keys move, with their state. So keys are hashed into a
# fixed number of **buckets** (**key groups**), and a list says which instance owns which. The hash must be **stable**:
# Python's `hash` of a string differs between processes.
#
# **Given: `balancer`**, with the plans point to point, round robin (in turns), route key and broadcast. Stateless
# operators get rows in turns, stateful ones by their `keys(port)`.

# %% role="given" name="balancer"
def balancer(
    plan: Plan, instances: int, owners: Sequence[int] = ()
) -> Callable[[Row], Sequence[int]]:
    """Return one sender's function from a row to the instances that get it.

    Each function has its own turns.
    """
    all_instances = list(range(instances))
    match plan.kind:
        case "point to point" if instances == 1:
            return lambda row: all_instances
        case "round robin" if instances >= 1:
            turns = cycle(all_instances)
            return lambda row: [next(turns)]
        case "route key" if owners and set(owners) <= set(all_instances):
            return lambda row: [owners[bucket_of(row, plan.fields, len(owners))]]
        case "broadcast" if instances >= 1:
            return lambda row: all_instances
    raise ValueError(
        f"no balancer for {plan} with {instances} instances, owners {list(owners)}"
    )

# %% [markdown]
# **Tools.** `zlib.crc32(b"stream")` is 4041850396 in every process. `repr([1.0, "a"])` is "[1.0, 'a']"; 1 and 1.0 give
# different texts.
#
# **Rule** (5). The bucket is a stable hash of the values of `fields`, in this order, modulo `buckets`. It spreads keys
# evenly.
#
# **Edge cases**
# - Names of fields do not count, since both sides of a join must meet. Without fields all rows share one bucket.
# - Values are None, bool, int, float and str. Equal values (1, 1.0 and True) share a bucket.

# %% task="bucket_of" todo="bring equal values to one form, then hash it the same way in every process"
def bucket_of(row: Row, fields: Sequence[str], buckets: int) -> int:
    """Return the bucket of a row: a number from 0 to buckets - 1.

    Example: bucket_of({"n": 1, "t": 5}, ["n"], 8) == bucket_of({"k": 1.0}, ["k"], 8)
    """
    ### BEGIN SOLUTION
    values = [row[field] for field in fields]
    plain = [
        int(value)
        if not isinstance(value, str | None) and value == value // 1
        else value
        for value in values
    ]
    return zlib.crc32(repr(plain).encode()) % buckets
    ### END SOLUTION

# %% check="bucket_of"
# How many of 1,000 ips are in the emptiest and in the fullest of 8 buckets?
with one_line_errors():
    row, later = {"ip": "10.0.0.1", "t": 5}, {"ip": "10.0.0.1", "t": 6}
    show_calls(bucket_of, (row, ["ip"], 8), (later, ["ip"], 8))
    numbers = [({"n": n}, ["n"], 8) for n in (1, 1.0, "1")]
    show_calls(bucket_of, *numbers, ({}, [], 8))
    ips = [f"10.0.{n // 256}.{n % 256}" for n in range(1000)]
    sizes = Counter(bucket_of({"ip": ip}, ["ip"], 8) for ip in ips).values()
    print("rows of 1,000:", min(sizes), "to", max(sizes))

    by_ip = balancer(Plan("route key", ("ip",)), 3, owners=[0, 1, 2, 0, 1, 2, 0, 1])
    in_turns = balancer(Plan("round robin"), 3)
    for ip in "10.0.0.1", "10.0.0.2", "10.0.0.1", "10.0.0.3":
        print(ip, "by key:", by_ip({"ip": ip}), "in turns:", in_turns({"ip": ip}))

check("bucket_of")

# %% [markdown]
# ### Task 9 · `Inbox`
#
# **Why.** Whose message comes first differs from run to run. So each message ends with a **promise** (punctuation):
# from now on, this sender sends no row before `until_ms`. The rows before the promises of *all* senders are complete.
# A killed instance sends its messages again. If the receiver drops those that it has taken, results are
# **exactly-once**.
#
# **Tools.** `Message(sender, number, arrivals, until_ms)` and `Arrival(stream, row)` are tuples. `order_of(arrival)` is
# a key for sorting. [heapq](https://docs.python.org/3/library/heapq.html) gives the smallest first.
#
# **Rule** (6, 7, 8). `take` returns all kept arrivals before the new `until_ms`, in the order of `order_of`.
#
# **Edge cases**
# - The messages of a sender are numbered 0, 1, 2, … One that was taken before changes nothing and returns `[]`.
# - These raise ValueError: no senders, an unknown sender, a number above the sender's next one, a promise below the
#   sender's last one, an arrival before that one.

# %% task="Inbox" todo="keep the promises of all senders; release what is before the lowest of them, in order"
class Inbox:
    """Merge the messages of several senders into one sequence.

    Inbox(senders): their names
    take(message) -> list[Arrival]: take a message; return the arrivals that can leave.
    until_ms: the lowest promise of all senders; START_MS until each has sent a message
    Example: senders a and b; a sends a row at 3, until 6 -> []; b sends no row, until 5
      -> [the row at 3], and until_ms is 5
    """

    def __init__(self, senders: Sequence[str]) -> None:
        ### BEGIN SOLUTION
        if not senders:
            raise ValueError("expected at least one sender")
        self._next = dict.fromkeys(senders, 0)
        self._until_ms = dict.fromkeys(senders, START_MS)
        # A heap; the number keeps rows from being compared.
        self._kept: list[tuple[Any, int, Arrival]] = []
        self._ties = count()

    @property
    def until_ms(self) -> int:
        return min(self._until_ms.values())

    def take(self, message: Message) -> list[Arrival]:
        sender, number, arrivals, until_ms = message
        if sender not in self._next or number > self._next[sender]:
            expected = f"a sender and its next number from {self._next}"
            raise ValueError(f"expected {expected}, got {number} of {sender}")
        if number < self._next[sender]:
            return []
        promised_ms = self._until_ms[sender]
        if min([until_ms, *(arrival.row["t"] for arrival in arrivals)]) < promised_ms:
            raise ValueError(
                f"{sender} promised nothing before {promised_ms} ms, got {message}"
            )
        self._next[sender], self._until_ms[sender] = number + 1, until_ms
        for arrival in arrivals:
            heapq.heappush(self._kept, (order_of(arrival), next(self._ties), arrival))
        ready, now_ms = [], self.until_ms
        while self._kept and self._kept[0][-1].row["t"] < now_ms:
            ready.append(heapq.heappop(self._kept)[-1])
        return ready
        ### END SOLUTION

# %% check="Inbox"
# Prediction 3: the same rows in two orders. What can leave after each message?
def message(sender: str, number: int, until_ms: int, *rows: tuple[int, str]) -> Message:
    arrivals = [Arrival("words", {"t": t, "v": v}) for t, v in rows]
    return Message(sender, number, arrivals, until_ms)

a0, a1 = message("a", 0, 6, (5, "y"), (3, "x")), message("a", 1, END_MS, (6, "z"))
b0, b1 = message("b", 0, 5, (4, "q"), (5, "m")), message("b", 1, END_MS)
with one_line_errors():
    for order in (a0, a1, b0, b1), (b0, a0, b0, b1, a1):
        inbox = Inbox(["a", "b"])
        direct = [row["v"] for each in order for _, row in each.arrivals]
        released = [[row["v"] for _, row in inbox.take(each)] for each in order]
        print("without an inbox:", *direct, " with one:", *released)

check("Inbox")

# %% [markdown]
# ### Task 10 · `spark_step`
#
# **Why.** Spark runs **micro-batches** on a cluster. Your balancer becomes the **partitioner** of a **shuffle**: rows
# travel to the owner of their bucket, where the state already is.
#
# **Tools** ([PySpark](https://spark.apache.org/docs/4.0.0/api/python/reference/api/pyspark.RDD.partitionBy.html))
# ```python
# owners = owners_of([1, 1, 0], instances=2)             # partition 1 owns buckets 0 and 1
# pairs = pairs.partitionBy(owners.instances, owners)    # one shuffle; none if it is so
# pairs.mapValues(str.upper)                             # keeps the partitioner; map() does not
# pairs.mapPartitions(f, preservesPartitioning=True)     # f: iterator in, iterable out
# pairs.union(others)                                    # same partitioner: no shuffle
# instance.state = saved; output = instance.run(arrivals, until_ms)
# ```

# %% [markdown]
# **Rule** (5, 8, 9, 10). For each bucket with state or arrivals: a new instance takes over the state, if any, and runs
# the arrivals in the order of `order_of`. Time passes to `until_ms`, also without arrivals.
# - Each bucket has one result, in partition `owners(bucket)`. `owners` is the partition function of the result.
# - The arrivals are shuffled once; the state only if `owners` is not its partition function, and then once.
#
# **Edge cases**
# - An operator may replace its state with another dict, so read `instance.state` after the run.
# - Start no job. Spark repeats a task whose worker died: keep nothing outside of the RDD.

# %% task="spark_step" todo="bring state and arrivals to their owners, then run an instance for each bucket"
def spark_step(
    make: Callable[[], Instance],
    state: RDD[tuple[int, Any]],
    arrivals: RDD[Arrival],
    until_ms: int,
    bucket: Callable[[Arrival], int],
    owners: Owners,
) -> RDD[tuple[int, tuple[Any, list[Arrival]]]]:
    """Describe one micro-batch of a stateful subquery.

    make() returns a new instance without state.
    state: RDD of (bucket, `instance.state` after the last batch)
    Returns an RDD of (bucket, (its state, list of the arrivals that it returned)).
    Example: Numbered in bucket 2, state after one "to"; a batch with one more "to"
      -> (2, (its state after two, [the arrival "to" with count 2]))
    """
    ### BEGIN SOLUTION
    state_pairs = state.partitionBy(owners.instances, owners).mapValues(
        lambda each: (each, None)
    )
    tagged = arrivals.map(lambda arrival: (bucket(arrival), (None, arrival)))
    arrival_pairs = tagged.partitionBy(owners.instances, owners)

    def run(pairs: Iterable[Any]) -> Iterator[Any]:
        states, rows = {}, {}
        for number, (state_before, arrival) in pairs:
            if arrival is None:
                states[number] = state_before
            else:
                rows.setdefault(number, []).append(arrival)
        for number in states.keys() | rows.keys():
            instance = make()
            instance.state = states.get(number, {})
            output = instance.run(sorted(rows.get(number, ()), key=order_of), until_ms)
            yield number, (instance.state, output)

    return state_pairs.union(arrival_pairs).mapPartitions(
        run, preservesPartitioning=True
    )
    ### END SOLUTION

# %% check="spark_step"
# Bucket 2 moves from partition 1 to 0 between the batches. Does its count go on?
counting = Query("words").add("count", Numbered(["word"], "n"), ["words"], ["counts"])
make = partial(Instance, counting, Subquery(("count",), ("words",), ("counts",)))
with one_line_errors():
    sc = spark.sparkContext
    state, texts = sc.parallelize([]), ("to", "be", "not", "to")
    for until_ms, owned_by in (10, [0, 0, 1, 1]), (20, [0, 0, 0, 1]):
        rows = [{"word": word, "t": until_ms - 5} for word in texts]
        arrivals = sc.parallelize([Arrival("words", row) for row in rows])
        owners = owners_of(owned_by, instances=2)
        step = spark_step(
            make, state, arrivals, until_ms, lambda each: len(each.row["word"]), owners
        )
        for number, pairs in enumerate(step.glom().collect()):
            for bucket, (_, output) in sorted(pairs):
                counts = ", ".join(f"{row['word']} {row['n']}" for _, row in output)
                print(f"{until_ms} ms, partition {number}, bucket {bucket}: {counts}")
        state = step.mapValues(lambda result: result[0])

check("spark_step")

# %% [markdown]
# ## 5 · What the checks look at
#
# Additions and comparisons are counted, and pickled states are measured. For `Inbox`, four processes run over your log
# of Lab 3, and one is killed. `Aggregate` earns all points at {threshold of Aggregate} times the rate of a **baseline**
# in which each window keeps its rows.
#
# ## 6 · Checkpoint
#
# All tasks pass their checks. In (b), the speed-up is the number of all rows divided by the rows of the fullest
# instance; the **power of two choices** sends each row to the emptier one of two instances.

# %% role="show"
# (a) The baseline of the throughput check. From how many windows per row on are panes
# faster?
from inspect import getsource

from streamlab.lab04_subqueries.experiments.subqueries import KeepsRows, panes_and_rows

with one_line_errors():
    print(getsource(KeepsRows))
    numbers = [1, 3, 10, 30, 60]
    compared = panes_and_rows(Aggregate, window_starts, windows_a_row=numbers)
    names = ["rows kept (µs a row)", "panes (µs a row)", "times as fast"]
    print(table(compared, ["windows a row", *names]))
    lines = {"rows kept": [row[:2] for row in compared]}
    lines["panes"] = [row[:3:2] for row in compared]
    texts = [f"{n}: rows kept {a:.1f} µs, panes {b:.1f} µs" for n, a, b, _ in compared]
    y_label, title = "processor time (µs a row)", "Windows that keep rows, and panes"
    line_plot(lines, "windows that hold a row", y_label, title, "; ".join(texts))

# %% role="show"
# (b) The larger the exponent, the hotter the hottest ip. Which method exceeds the
# bound, and what does it pay for that?
from streamlab.lab04_subqueries.experiments.subqueries import speed_ups

with one_line_errors():
    results = {}
    for zipf in 0.5, 0.8, 1, 1.2, 1.5:
        rows = visits("skew", 20_000, 100, zipf, ips=1000)
        for instances in 4, 8, 16:
            each = speed_ups([row["ip"] for row in rows], instances, bucket_of)
            results[zipf, instances] = each
    rows = [(*case, *each.values()) for case, each in results.items()]
    print(table(rows, ["Zipf exponent", "instances", *each]))
    on_8 = [(zipf, each) for (zipf, n), each in results.items() if n == 8]
    lines = {name: [(zipf, each[name]) for zipf, each in on_8] for name in on_8[0][1]}
    ends = {name: (line[0][1], line[-1][1]) for name, line in lines.items()}
    alt_text = "; ".join(f"{name} {a:.1f} to {b:.1f}" for name, (a, b) in ends.items())
    y_label, title = "speed-up on 8 instances (times)", "Speed-up against skew"
    line_plot(lines, "skew (Zipf exponent)", y_label, title, alt_text)

# %% role="show"
# (c) One query, four ways: the hits of each ip in windows of 10 s, and the most hits.
from streamlab.lab04_subqueries.engine.on_spark import run_on_spark as on_spark
from streamlab.lab04_subqueries.engine.process_run import run_in_processes
from streamlab.lab04_subqueries.engine.simulation import Simulation

parts = SimpleNamespace(split=split, balancer=balancer, bucket_of=bucket_of)
parts.Inbox, parts.spark_step, log = Inbox, spark_step, stage("lab03_log").PartitionLog
query, inputs = Query("visits"), {"visits": visits("four ways", 2000, 33, ips=40)}
query.add("pick", Map(lambda row: {"ip": row["ip"]}), ["visits"], ["picked"])
hits = Aggregate(["ip"], TimeWindow(10_000, 5000), {"hits": ("COUNT", "ip")})
most = Aggregate([], TimeWindow(5000, 5000), {"most": ("MAX", "hits")})
query.add("hits", hits, ["picked"], ["per_ip"]).add("most", most, ["per_ip"], ["most"])
with one_line_errors():
    query_plot(parts, query, [2, 3, 1])
    simulation, rows = Simulation(parts, query, [2, 3, 1], seed=4), []
    ways = {"centralized": partial(centralized, query), "simulated": simulation.run}
    ways["processes, one killed"] = lambda inputs: run_in_processes(
        parts, query, inputs, [2, 3, 1], log, kill=(1, 0)).results
    ways["Spark, owners change"] = lambda inputs: on_spark(
        spark.sparkContext, parts, query, [2, 3, 1], inputs, move=True)
    for name, run in ways.items():
        start_s, equal = time.perf_counter(), run(inputs) == centralized(query, inputs)
        rows.append((name, str(equal), time.perf_counter() - start_s))
    print(table(rows, ["run", "equal to centralized", "seconds"]))

# %% [markdown]
# ## 7 · Break it
#
# Now each sender hashes with its own salt, as Python's `hash` does in each process. **Predict**: does the query give
# more rows or fewer, and do the counts still add up?

# %% role="show"
from streamlab.lab04_subqueries.engine.simulation import Simulation

def salted(plan: Plan, instances: int, owners: Sequence[int] = ()) -> Callable:
    """Return a balancer that hashes with its own salt."""
    if plan.kind != "route key":
        return balancer(plan, instances, owners)
    salt, fields = next(salts) * "salt", (*plan.fields, "salt")
    return lambda row: [owners[bucket_of({**row, "salt": salt}, fields, len(owners))]]

salts, query = count(), Query("visits")
query.add("pick", Map(lambda row: {"ip": row["ip"]}), ["visits"], ["picked"])
visits_per_ip = Aggregate(["ip"], TimeWindow(30_000, 30_000), {"n": ("COUNT", "ip")})
query.add("window", visits_per_ip, ["picked"], ["results"])
with one_line_errors():
    inputs = {"visits": visits("salt", 2000, rate_per_s=20, ips=40)}
    right = centralized(query, inputs)["results"]
    for name, chosen in {"one hash": balancer, "a salt per sender": salted}.items():
        parts = SimpleNamespace(split=split, balancer=chosen, Inbox=Inbox)
        got = Simulation(parts, query, [2, 2], seed=1).run(inputs)["results"]
        total = sum(row["n"] for row in got)
        wrong = sum(row not in right for row in got)
        print(f"{name}: {len(got)} rows, {wrong} wrong, counts add up to {total}")

# %% [markdown] written="which_balancer"
# ## 8 · Questions, and the next lab
#
# **How you would have noticed in production:** a sum does not show the error. Verify that (ip, window) is unique. Lab 5
# asks where instances should run.
#
# **Which balancer?** (3 points) Cut each query into subqueries. Which balancer delivers rows to each, and why?
# 1. The ten ips with the most visits in each minute. What bounds its speed-up?
# 2. Pairs of visits to the same url within one second whose durations differ by more than 10 %.
# 3. Pairs of cars that are less than 100 m apart, from two streams of positions. How many rows move with n instances,
#    and which stream should be input 1?

# %% [markdown] written="read_the_report"
# **Read the report** (3 points) HiBench, Intel's benchmark suite, counted visits in windows of 30 s on two engines,
# with 100 records/s. The latency of a record is the time of its result minus the time of the oldest record in it; below
# 0, if clocks disagree, it counts as 0.
#
# | engine | records | throughput (records/s) | mean latency (ms) | least latency (ms) |
# |---|--:|--:|--:|--:|
# | A | 60,000 | 99 | 15,420 | 0 |
# | B | 60,000 | 100 | 15,080 | 0 |
#
# Which of these claims follow? Give a reason for each, and say what you would measure in its place.
# 1. B can process more records per second than A.
# 2. A window's result comes 15 s after the end of the window.
# 3. At least one result came without any delay.
# 4. Both engines counted the same windows.

# %% [markdown]
# ## 9 · ★ Bonus
#
# Nothing later needs these tasks; their points are not in the lab's {points}.
#
# ### ★ · `balancer_for`
#
# **Why.** The engine sends all rows of a join without equal fields to one instance. Choose a plan with which each pair
# of rows meets exactly once and all instances have work.
#
# **Rule** (5). The first that fits:
# - One instance: point to point. A stateless operator: round robin.
# - A stateful operator whose `keys(port)` is not None: route key by all of these fields.
# - `keys(port)` is None: round robin on input 0, broadcast on any other.

# %% task="balancer_for" todo="ask the operator for its keys; choose one of the four plans"
def balancer_for(operator: Operator, port: int, instances: int) -> Plan:
    """Return the plan for rows that enter input `port` of an operator.

    instances: how many instances the operator has, 1 or more.
    Example: balancer_for(Numbered(["ip"], "n"), 0, 3) -> Plan("route key", ("ip",))
    """
    ### BEGIN SOLUTION
    if instances == 1:
        return Plan("point to point")
    if not operator.stateful:
        return Plan("round robin")
    fields = operator.keys(port)
    if fields is not None:
        return Plan("route key", tuple(fields))
    return Plan("broadcast") if port else Plan("round robin")
    ### END SOLUTION

# %% check="balancer_for"
# The query of `split`: solid arrows stay in a process, dashed ones cross a cut.
with one_line_errors():
    paper = Query("a", "b").add("m1", Map(dict), ["a"], ["a1"])
    paper.add("f1", Filter(bool), ["a1"], ["a2"]).add("m2", Map(dict), ["b"], ["b1"])
    join = Join(10, 5, lambda left, right: left, group_by=["ip"])
    paper.add("join", join, ["a2", "b1"], ["c"]).add("m3", Map(dict), ["c"], ["c1"])
    hits = Aggregate(["ip"], TimeWindow(10, 10), {"hits": ("COUNT", "ip")})
    paper.add("agg", hits, ["c1"], ["d"]).add("f2", Filter(bool), ["d"], ["d1"])
    most = Aggregate([], TimeWindow(10, 10), {"most": ("MAX", "hits")})
    paper.add("agg2", most, ["d1"], ["e"])
    parts = SimpleNamespace(split=split, choose_plan=balancer_for)
    query_plot(parts, paper, degrees=[2, 3, 2, 1])
    any_pair = Join(10, 5, lambda left, right: left)
    for port in 0, 1:
        plan = balancer_for(any_pair, port, instances=3)
        print(f"a join without equal fields, port {port}: {plan.kind}")

check("balancer_for")

# %% [markdown]
# ### ★ · `rebalance`
#
# **Why.** A **hot key** fills one instance while others are idle. New owners help, but each move moves state. A simple
# rule comes close to the best: again and again, move the bucket that makes the fullest and the emptiest instance most
# equal.
#
# **Rule** (10, 11). Owners of `instances` or more are gone; every bucket gets an owner below that. Let L be the largest
# load of an instance in the result. For each instance with load L and each of its buckets with a load b > 0, every
# other instance has a load of at least L - b.
#
# **Edge cases**
# - If this holds already and no owner is gone, nothing moves. If all loads are equal, the fewest possible buckets move.
#   Of 128 skewed loads dealt to 4 instances in turns, at most 16 move.
# - With 2, 12 or 16 instances, the speed-up at Zipf 1 is at least 0.9 of the bound below. The rule ensures it.
# - Change no argument.

# %% task="rebalance" todo="give new owners to buckets whose owner is gone; then move buckets off the fullest instance"
def rebalance(loads: Sequence[int], owners: Sequence[int], instances: int) -> list[int]:
    """Return new owners of the buckets that balance the loads and move few buckets.

    loads[b]: the load of bucket b. owners[b]: its owner now.
    Raises ValueError for instances below 1, lists of different lengths, and a load or
      an owner below 0.
    Example: rebalance([9, 5, 4, 3, 2, 1], [0, 0, 0, 1, 1, 1], 2)
      -> [0, 1, 0, 1, 1, 1]: loads 18 | 6 become 13 | 11
    """
    ### BEGIN SOLUTION
    if (
        instances < 1
        or len(loads) != len(owners)
        or any(each < 0 for each in [*loads, *owners])
    ):
        raise ValueError(
            "expected instances >= 1, equal lengths, none below 0, "
            f"got {instances}, {owners}, {loads}"
        )
    new, total = list(owners), [0] * instances
    gone = [bucket for bucket, owner in enumerate(owners) if owner >= instances]
    # Those that stay come first.
    for bucket in sorted(range(len(loads)), key=gone.__contains__):
        if bucket in gone:
            new[bucket] = total.index(min(total))
        total[new[bucket]] += loads[bucket]
    while True:
        largest, emptiest = max(total), total.index(min(total))
        gap = largest - total[emptiest]
        movable = [
            bucket
            for bucket, owner in enumerate(new)
            if total[owner] == largest and 0 < loads[bucket] < gap
        ]
        if not movable:
            return new
        bucket = min(movable, key=lambda bucket: abs(gap - 2 * loads[bucket]))
        total[new[bucket]] -= loads[bucket]
        total[emptiest] += loads[bucket]
        new[bucket] = emptiest
    ### END SOLUTION

# %% check="rebalance"
# Two instances have the loads 18 and 6. Then a third one joins, and later two of them
# leave. Below that, experiment (b) with your `rebalance`, on 8 instances.
from streamlab.lab04_subqueries.experiments.subqueries import speed_ups

with one_line_errors():
    loads, owners = [9, 5, 4, 3, 2, 1], [0, 0, 0, 1, 1, 1]
    for instances in 2, 3, 1:
        owners, total = rebalance(loads, owners, instances), [0] * instances
        for load, owner in zip(loads, owners, strict=True):
            total[owner] += load
        print(instances, "instances: owners", owners, "loads", total)

    results = []
    for zipf in 0.5, 0.8, 1, 1.2, 1.5:
        rows = visits("skew", 20_000, 100, zipf, ips=1000)
        each = speed_ups([row["ip"] for row in rows], 8, bucket_of, rebalance)
        results.append((zipf, *each.values()))
    print(table(results, ["Zipf exponent", *each]))

check("rebalance")

# %% [markdown]
# ### ★ · `distinct_count`
#
# **Why.** An exact count of distinct ips needs all ips, as a median needs all values: both are **blocking operators**,
# which answer at the end, and a stream has none. **Approximate query processing** keeps a **sketch**, which
# never grows. **HyperLogLog** ([Flajolet et al., 2007][2]) hashes each value: the more distinct values, the longer is
# the longest run of zeros at the start of a hash. The sketch has such a maximum in each of m = 2^p registers; its
# standard error is 1.04 / √m.
#
# **Rule** (12). A partial result is `bytes` of length m: one register per byte, at first 0.
# - `lift(value)`: the first p of the 64 bits of `hash64(value)` (given) are the number of the register that it sets, to
#   a rank: the number of zeros that the other 64 - p bits begin with, plus 1.
# - `combine`: each register of the result is the larger one of the two.
# - `lower`: E = 0.7213 / (1 + 1.079 / m) · m² / (sum of 2^-register). If E <= 2.5 · m and z > 0 registers are 0, the
#   estimate is m · ln(m / z), otherwise E.
#
# [2]: https://doi.org/10.46298/dmtcs.3545

# %% task="distinct_count" todo="give each hash a register and a rank; merge by the largest; estimate from all ranks"
def distinct_count(p: int) -> AggregateFunction:
    """Return a HyperLogLog sketch of 2**p registers that counts distinct values.

    Values are texts and whole numbers. Raises ValueError unless 7 <= p <= 16.

    Example: f = distinct_count(10)
      f.lower(reduce(f.combine, map(f.lift, "abba"))) -> 2.002, for a and b
    """
    ### BEGIN SOLUTION
    if not 7 <= p <= 16:
        raise ValueError(f"expected p from 7 to 16, got {p}")
    registers, rest_bits = 2**p, 64 - p

    def lift(value: str | int) -> bytes:
        number, rest = divmod(hash64(value), 2**rest_bits)
        partial = bytearray(registers)
        partial[number] = rest_bits - rest.bit_length() + 1
        return bytes(partial)

    def combine(a: bytes, b: bytes) -> bytes:
        return bytes(map(max, a, b))

    def lower(partial: bytes) -> float:
        estimate = 0.7213 / (1 + 1.079 / registers) * registers**2
        estimate /= sum(2.0**-rank for rank in partial)
        zeros = partial.count(0)
        if zeros and estimate <= 2.5 * registers:
            return registers * math.log(registers / zeros)
        return estimate

    return AggregateFunction(lift, combine, lower)
    ### END SOLUTION

# %% check="distinct_count"
# Distinct ips in sliding windows, from your panes: all ips in sets, and in sketches of
# 128 and of 1,024 bytes.
with one_line_errors():
    in_sets = AggregateFunction(lambda value: {value}, operator.or_, len)
    functions = [in_sets, distinct_count(7), distinct_count(10)]
    panes, kept = Panes(TimeWindow(20_000, 10_000), functions), {}
    for row in visits("distinct", 4000, rate_per_s=100, zipf=0.5, ips=3000):
        panes.add(kept, row["t"], [row["ip"]] * 3)
    starts = 0, 10_000, 20_000
    windows = [(start // 1000, *panes.close(kept, start)) for start in starts]
    print(table(windows, ["window from (s)", "exact", "128 bytes", "1,024 bytes"]))

check("distinct_count")

# %% [markdown]
# ### ★ · `hibench`, `hibench_on_spark`
#
# **Why.** UPM-CEP was measured with [HiBench](https://github.com/Intel-bigdata/HiBench), Intel's benchmark suite.
# HiBench never looks at answers: a wrong count gets the same report.
#
# **Tools.**
# ```python
# Query("readings").add("warm", Filter(is_warm), inputs=["readings"], outputs=["warm"])
# Map(lambda row: {"station": row["station"]})     # drops the other fields; t stays
# ```
# **Rule of `hibench`** (9, 11)
# - identity, repartition: each row as it came.
# - wordcount: (word, count, t). Use `Numbered`, which counts the rows of each group 1, 2, 3, …
# - fixwindow, for each ip and window [k * 30_000, (k + 1) * 30_000) ms with rows: (ip, count, first, last, t, emitted).
#   `first` and `last` are event times, `t` is that of the window's result. Use Aggregate, and after it a Map that calls
#   `now_ms` for each result and puts what it returns into `emitted`.

# %% task="hibench" todo="build the query of each workload from Map, Numbered and Aggregate"
def hibench(workload: str, now_ms: Callable[[], int]) -> Query:
    """Return the query of a HiBench workload, from the source `visits` to `results`.

    visits: rows (t, ip, url, word, duration_s). now_ms: a clock.
    Raises ValueError for an unknown workload.
    Example: "wordcount" over the words to, be, to -> (to, 1), (be, 1), (to, 2)
    """
    ### BEGIN SOLUTION
    query = Query("visits")
    match workload:
        case "identity" | "repartition":
            return query.add("copy", Map(dict), ["visits"], ["results"])
        case "wordcount":
            query.add(
                "pick", Map(lambda row: {"word": row["word"]}), ["visits"], ["words"]
            )
            return query.add(
                "count", Numbered(["word"], "count"), ["words"], ["results"]
            )
        case "fixwindow":
            functions = {
                "count": ("COUNT", "t"),
                "first": ("FIRST_VAL", "t"),
                "last": ("LAST_VAL", "t"),
            }
            query.add("pick", Map(lambda row: {"ip": row["ip"]}), ["visits"], ["ips"])
            query.add(
                "window",
                Aggregate(["ip"], TimeWindow(30_000, 30_000), functions),
                ["ips"],
                ["windows"],
            )
            return query.add(
                "stamp",
                Map(lambda row: {**row, "emitted": now_ms()}),
                ["windows"],
                ["results"],
            )
    raise ValueError(
        f"expected identity, repartition, wordcount or fixwindow, got {workload!r}"
    )
    ### END SOLUTION

# %% check="hibench"
# One ip at 1000, 29,999 and 30,000 ms, as in prediction 1. Which counts come out?
with one_line_errors():
    same = {"ip": "10.0.0.1", "url": "/", "word": "to", "duration_s": 1}
    rows = [{"t": t, **same} for t in (1000, 29_999, 30_000)]
    for workload in "wordcount", "fixwindow":
        query = hibench(workload, now_ms=lambda: 77)
        for row in centralized(query, {"visits": rows})["results"]:
            print(f"{workload:10}{row}")

check("hibench")

# %% [markdown]
# **Tools of `hibench_on_spark`.** With a **watermark**, Spark forgets windows that can no longer change; HiBench sets
# none. ([Structured Streaming](https://spark.apache.org/docs/4.0.0/streaming/apis-on-dataframes-and-datasets.html))
# ```python
# readings.repartition(4)               # deals the rows to four partitions in turns
# late = readings.withWatermark("at", "1 minute")
# late.groupBy(F.window("at", "5 minutes"), "station").agg(F.max("celsius"))
# ```
# **Rule.** Start nothing. The query is read in update mode: only the last row of each word, and of each ip and window,
# counts.
# - identity: the rows as they are. repartition: the same rows in equal shares in `instances` partitions.
# - wordcount: (word, count), one row for each word.
# - fixwindow: (ip, count, first, last, end), one row for each ip and each window of 30 s with rows: the earliest and
#   the latest `time`, and the end of the window, all timestamps. Set a watermark of 10 s.

# %% task="hibench_on_spark" todo="describe each workload with DataFrame operations; fixwindow needs a watermark"
def hibench_on_spark(workload: str, visits: DataFrame, instances: int) -> DataFrame:
    """Describe a HiBench workload in Structured Streaming.

    visits: (time: timestamp, ip: string, word: string).
    Raises ValueError for an unknown workload.
    Example: "wordcount" -> (word, count), one row for each word
    """
    ### BEGIN SOLUTION
    match workload:
        case "identity":
            return visits
        case "repartition":
            return visits.repartition(instances)
        case "wordcount":
            return visits.groupBy("word").count()
        case "fixwindow":
            windows = visits.withWatermark("time", "10 seconds").groupBy(
                F.window("time", "30 seconds"), "ip"
            )
            columns = [
                F.count("*").alias("count"),
                F.min("time").alias("first"),
                F.max("time").alias("last"),
            ]
            return windows.agg(*columns).select(
                "ip", "count", "first", "last", "window.end"
            )
    raise ValueError(
        f"expected identity, repartition, wordcount or fixwindow, got {workload!r}"
    )
    ### END SOLUTION

# %% check="hibench_on_spark"
# The same three visits, and one an hour later. What does Spark keep after each file?
from streamlab.lab04_subqueries.experiments.hibench import SCHEMA, as_spark_row

with one_line_errors():
    same = {"ip": "10.0.0.1", "word": "to"}
    rows = [as_spark_row({"t": t, **same}) for t in (1000, 29_999, 30_000, 3_600_000)]
    for workload in "wordcount", "fixwindow":
        query = partial(hibench_on_spark, workload, instances=2)
        for answer in play_files(spark, SCHEMA, [rows[:3], rows[3:]], query):
            changed, kept = len(answer.changed), answer.state_rows
            print(f"{workload}: {changed} rows changed, {kept} rows of state")

check("hibench_on_spark")

# %% role="show"
# Do the engines agree, and which one is fastest? Then HiBench's report of two word
# counts: for the wrong one it is the same, since nobody looks at a count.
from streamlab.lab04_subqueries.experiments.hibench import WORKLOADS, compare_engines
from streamlab.lab04_subqueries.experiments.hibench import hibench_report

with one_line_errors():
    parts = SimpleNamespace(split=split, balancer=balancer, bucket_of=bucket_of)
    parts.Inbox, parts.spark_step = Inbox, spark_step
    parts.hibench, parts.hibench_on_spark = hibench, hibench_on_spark
    rows = visits("HiBench", 10_000)
    compared = [compare_engines(spark, parts, name, rows) for name in WORKLOADS]
    cells = [(row[0], str(row[1]), *row[2:]) for row in compared]
    engines = ["yours (rows/s)", "on Spark (rows/s)", "Structured Streaming (rows/s)"]
    print(table(cells, ["workload", "equal", *engines]))

    wrong, one = Query("visits"), Map(lambda row: {"word": row["word"], "count": 1})
    wrong.add("one", one, ["visits"], ["results"])
    both = {"right": hibench("wordcount", now_ms=lambda: 0), "always 1": wrong}
    rows, reports = visits("report", 1000, rate_per_s=1000), []
    for name, query in both.items():
        results = centralized(query, {"visits": rows})["results"]
        highest = max(row["count"] for row in results)
        reports.append((name, *hibench_report(query, rows), highest))
    names = ["records", "throughput (1/s)", "mean latency (ms)", "highest count"]
    print(table(reports, ["word count", *names]))
