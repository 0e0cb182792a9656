"""Source of Lab 9: the complete system, with the reference solutions.

`./lab build` makes the student's notebook from it; autograder/stages/lab09_system judges it.
"""

# %% [markdown]
# # Lab 9 · The complete system
#
# {map}
#
# This lab joins all parts: the system writes each alert exactly once. Uber detects fraud this way ([Fu and Soman,
# 2021][0]).
#
# [0]: https://doi.org/10.1145/3448016.3457552
# [map]: {map.svg}

# %% [markdown]
# ## 1 · What works after this lab
#
# | before | after |
# |---|---|
# | eight parts, each right alone | one system, right while its parts die |
#
# There are two alerts. **AWAY**: an account pays in a shop, but its phone is elsewhere. **SPENT**: it spends more than
# its limit within 10 s. {minutes} minutes, in two sittings, without services.

# %% [markdown]
# ## 2 · The invariants
#
# {invariants}
#
# ## 3 · Predict
#
# Double-click here and write; tasks 2, 4 and 8 show the answers.
#
# 1. A till sends a payment again, after a restart of the job. How many alerts does the customer get? …
# 2. The store of the limits is killed. What do the next windows say? …
# 3. The load falls back after a burst. When does an instance stop? …
#
# ## 4 · Tasks
# `help(Payment)` shows the fields of a type.

# %% role="given" name="setup"
import math
import pickle
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

from pyspark.sql import DataFrame, functions as F
from pyspark.sql.streaming.state import GroupState, GroupStateTimeout
from streamlab import check, one_line_errors, running, session, stage, table
from streamlab.lab04_subqueries.engine import TimeWindow
from streamlab.lab06_enrichment.in_workers import per_worker
from streamlab.lab09_system import ADVANCE_MS, FRESH_MS, NO_ANSWER, REPEAT_MS, WINDOW_MS
from streamlab.lab09_system import Alert, CannotScale, Change, Dead, Fenced, Incident
from streamlab.lab09_system import LogError, Objective, Order, Packed, Payment, Position
from streamlab.lab09_system import Record, Report, RestartRules, Sample, ScaleRules
from streamlab.lab09_system import Size, Stage, StoreError, limit_of, order_of
from streamlab.lab09_system import read_payment
from streamlab.lab09_system.alert_rows import ALERTS, dead_row, frame_of
from streamlab.lab09_system.desk_state import keep_inside, new_state
from streamlab.lab09_system.topics import play_records

spark = session("lab09_system", kafka=True)

# %% role="show"
# From your own notebooks.
lab4, lab8 = stage("lab04_subqueries"), stage("lab08_geofencing")
Aggregate, bucket_of = lab4.Aggregate, lab4.bucket_of
read_record, Watch = lab8.read_record, lab8.Watch
SlidingMax, FirstFit = stage("lab02_windows").SlidingMax, stage("lab07_irm").FirstFit
LruCache, heal = stage("lab06_enrichment").LruCache, stage("lab05_placement").heal
deliver = stage("lab01_wordcount").deliver

# %% [markdown]
# ### Task 1 · `route`
#
# **Why.** A **poison pill**, a record that no code can read, stops a job after each restart. A clock that is a year
# ahead moves the watermark, and Spark drops the other rows. Such records become **dead letters**.
#
# **Tools.** `read_payment(key, value, time_ms, offset)` reads the topic "payments", Lab 8's `read_record` the others.
#
# **Rule** (invariants 1, 2). Decode key and value as UTF-8 (None stays None), and read them. The reasons of a dead
# letter:
# - "unreadable": it is not UTF-8, or the reader raises ValueError or RecursionError.
# - "defect": the reader raises another Exception.
# - "ahead": it can be read, but `time_ms` is more than `ahead_ms` after `received_ms`.
#
# **Edge cases**
# - A Change is never ahead, since shops may be planned. Late records are rows.
# - Empty bytes are an empty text. KeyboardInterrupt passes through.

# %% task="route" todo="decode, read by topic, and turn each error into a dead letter"
def route(record: Record, ahead_ms: int) -> Position | Change | Payment | Dead:
    """Return the row of a record, or `Dead(record, reason)` with the same record.

    Example: a payment with the value b"{" -> Dead(record, "unreadable")
    """
    ### BEGIN SOLUTION
    try:
        key = None if record.key is None else record.key.decode()
        value = None if record.value is None else record.value.decode()
        if record.topic == "payments":
            row = read_payment(key, value, record.time_ms, record.offset)
        else:
            row = read_record(record.topic, key, value, record.time_ms, record.offset)
    except (ValueError, RecursionError):
        return Dead(record, "unreadable")
    except Exception:
        return Dead(record, "defect")
    is_ahead = (
        not isinstance(row, Change) and record.time_ms > record.received_ms + ahead_ms
    )
    return Dead(record, "ahead") if is_ahead else row
    ### END SOLUTION

# %% check="route"
# Notice: the second one's clock is two minutes ahead.
paid = b'{"account": "a", "id": "p1", "cents": 500, "shop": "mill"}'
payment = Record("payments", 0, 7, b"a", paid, time_ms=200_000, received_ms=200_000)
with one_line_errors():
    for change in {}, {"received_ms": 80_000}, {"topic": "positions"}:
        print(route(payment._replace(**change), ahead_ms=60_000))

check("route")

# %% [markdown]
# ### Task 2 · `Desk`
#
# **Why.** A payment may arrive before an earlier position. So a desk keeps rows until the watermark has reached them.
#
# **Tools.** `order_of` is a sort key for rows. Begin with `new_state()`; print it. `keep_inside(inside, events)`
# updates `{account: shops around its phone}` with the events of `watch.change(row)` and `watch.move(row)`.
# `Watch(watch.state)` continues. Lab 4's Aggregate sums the windows:
# ```python
# sums = Aggregate(["account"], TimeWindow(10_000, 5_000), {"cents": ("SUM", "cents"), …})   # ("LAST_VAL", "limit")
# sums.on_time(7), sums.on_row({"t": 7, "account": "a", "cents": 500})   # time first
# sums.on_time(5_000)                            # [{"account": "a", "cents": 500, "t": 4999}]
# new.state = sums.state
# ```
# **Rule** (invariants 4, 7). Rows after the watermark wait. Process the others in the order of `order_of`; then close
# windows.
#
# - AWAY: the phone's newest position (of equal times, the lowest offset), at most `FRESH_MS` old, is not inside the
#   shop. Subject, time and cents are the payment's id, time and cents.
# - SPENT: a window's sum is above its last payment's limit. Subject, time and cents are the window's end as text,
#   end − 1 and the sum.
# - UNDECIDED, with the fields of SPENT: that limit is None, for any sum.
# - A payment with the account and id of one that counted at most `REPEAT_MS` before changes nothing.
# - Windows of `WINDOW_MS` start every `ADVANCE_MS`, and close when their end is at most the watermark + 1.
#
# **Edge cases**
# - Without a position, or if the shop does not exist then, there is no AWAY.
# - Closed windows, and payments too old to be sent again, leave the state. No payment or position comes late.

# %% task="Desk" todo="process the rows that the watermark has reached, in their order; then close windows"
class Desk:
    """Find the alerts of one shard. `Desk()` starts empty, `Desk(state)` continues.

    run(arrived, watermark_ms): take Positions, Changes and Payments; return a list of
      the new alerts, in any order.
    state: rows and Python's own types.

    Example: a payment "p" of 500 at 7, the phone outside the shop:
      run(rows, 7) -> [Alert("AWAY", "a", "p", 7, 500)]
    """

    def __init__(self, state: Any = None) -> None:
        ### BEGIN SOLUTION
        self.state = new_state() if state is None else state
        spending = {"cents": ("SUM", "cents"), "limit": ("LAST_VAL", "limit")}
        self._spent = Aggregate(
            ["account"], TimeWindow(WINDOW_MS, ADVANCE_MS), spending
        )
        if self.state["spent"] is not None:
            self._spent.state = self.state["spent"]
        self._watch = Watch(self.state["watch"])

    def run(self, arrived: list[Any], watermark_ms: int) -> list[Alert]:
        rows, alerts = [*self.state["waiting"], *arrived], []
        self.state["waiting"] = [row for row in rows if row.time_ms > watermark_ms]
        for row in sorted(
            (row for row in rows if row.time_ms <= watermark_ms), key=order_of
        ):
            if isinstance(row, Payment):
                alerts += self._pay(row)
            elif isinstance(row, Position):
                keep_inside(self.state["inside"], self._watch.move(row))
                self.state["seen_ms"][row.mover] = row.time_ms
            else:
                keep_inside(self.state["inside"], self._watch.change(row))
                shops = self.state["shops"]
                (shops.discard if row.polygons is None else shops.add)(row.fence)
        alerts += self._closed(watermark_ms + 1)
        counted = self.state["counted_ms"].items()
        self.state["counted_ms"] = {
            one: at_ms for one, at_ms in counted if watermark_ms - at_ms < REPEAT_MS
        }
        self.state["watch"], self.state["spent"] = self._watch.state, self._spent.state
        return alerts

    def _pay(self, row: Payment) -> list[Alert]:
        counted, one = self.state["counted_ms"], (row.account, row.id)
        if row.time_ms - counted.get(one, -math.inf) <= REPEAT_MS:
            return []
        counted[one] = row.time_ms
        alerts = self._closed(row.time_ms)
        self._spent.on_row(
            {
                "t": row.time_ms,
                "account": row.account,
                "cents": row.cents,
                "limit": row.limit_cents,
            }
        )
        is_fresh = (
            row.time_ms - self.state["seen_ms"].get(row.account, -math.inf) <= FRESH_MS
        )
        is_inside = row.shop in self.state["inside"].get(row.account, ())
        if is_fresh and row.shop in self.state["shops"] and not is_inside:
            alerts.append(Alert("AWAY", row.account, row.id, row.time_ms, row.cents))
        return alerts

    def _closed(self, now_ms: int) -> list[Alert]:
        alerts = []
        for window in self._spent.on_time(now_ms):
            limit, time_ms = window["limit"], window["t"]
            if limit is None or window["cents"] > limit:
                kind = "UNDECIDED" if limit is None else "SPENT"
                account, cents = window["account"], window["cents"]
                alerts.append(Alert(kind, account, str(time_ms + 1), time_ms, cents))
        return alerts
        ### END SOLUTION

# %% check="Desk"
# Prediction 1. A payment sent again changes nothing.
corners = (0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0), (0.0, 0.0)
arrived = [Change("mill", 0, ((corners,),), 0), Position("a", 5, 9.0, 2.0, 1)]
for at_ms, one in (7, "p"), (9, "q"), (10, "q"):
    arrived.append(Payment("a", at_ms, one, 500, "mill", at_ms, 600))
with one_line_errors():
    desk = Desk()
    for watermark_ms in 8, 20, 9_998, 9_999:
        print(f"{watermark_ms:5}", *desk.run(arrived, watermark_ms))
        arrived = []

check("Desk")

# %% [markdown]
# ### Task 3 · `alerts`
#
# **Why.** One desk uses one core. Spark runs a desk for each **shard**, and keeps its state in checkpoints.
#
# **Tools.**
# ```python
# records.mapInPandas(f, "shard int, row binary, time_ms long")   # f: iterator of frames -> iterator of frames
# pd.DataFrame(rows, columns=[…], dtype=object)                   # whole numbers stay whole
# F.timestamp_millis("time_ms"), pickle.dumps(row), str(uuid4())
# frame_of([*map(dead_row, dead), *desk.run(…)])                  # the columns ALERTS
# per_worker(name, open_store)                                    # one store for each process
# ```
# **Rule** (invariants 3, 4, 7).
# 1. `mapInPandas` routes each record: a change to all shards, a position or payment to
#    `bucket_of({"account": …}, ["account"], shards)`, a dead letter to any shard.
# 2. `withWatermark` uses a time that is null for changes and dead letters.
# 3. `applyInPandasWithState` runs a `Desk` for each shard, with Lab 8's time-outs: also without new rows.
# 4. Each call asks the store once, for the distinct accounts of its payments: `get_many(accounts)` returns
#    {account: row, None (unknown), or NO_ANSWER}. `limit_cents` becomes `limit_of(row)`; for NO_ANSWER, None.
#
# **Edge case.** Workers outlive a query: give `per_worker` a new name in each one.

# %% task="alerts" todo="route the records, then the watermark, then a Desk for each shard"
def alerts(
    records: DataFrame,
    shards: int,
    lateness_s: float,
    open_store: Callable[[], Any],
    ahead_ms: int = 60_000,
) -> DataFrame:
    """Return a streaming DataFrame of all alerts and dead letters; start no query.

    From the columns of `Record`, up to `lateness_s` late, to those of `ALERTS`, in
    append mode.
    Raises ValueError if `shards` is below 1, or `lateness_s` is negative or not finite.
    """
    ### BEGIN SOLUTION
    if shards < 1 or not 0 <= lateness_s < math.inf:
        raise ValueError(
            "expected shards >= 1 and a finite lateness_s >= 0, "
            f"got {shards} and {lateness_s}"
        )
    store_name = f"store {uuid4()}"

    def routed(frames: Iterator[Any]) -> Iterator[Any]:
        import pandas as pd

        for frame in frames:
            rows = []
            for values in frame.itertuples(index=False, name=None):
                row = route(Record(*values), ahead_ms)
                time_ms, own = None, [0]
                if isinstance(row, Change):
                    own = range(shards)
                elif not isinstance(row, Dead):
                    time_ms = row.time_ms
                    own = [bucket_of({"account": row[0]}, ["account"], shards)]
                rows += [(shard, pickle.dumps(row), time_ms) for shard in own]
            yield pd.DataFrame(rows, columns=["shard", "row", "time_ms"], dtype=object)

    def alerts_of_shard(
        key: tuple[int], frames: Iterator[Any], state: GroupState
    ) -> Iterator[Any]:
        desk = Desk(pickle.loads(state.get[0]) if state.exists else None)
        watermark_ms = state.getCurrentWatermarkMs()
        rows = [pickle.loads(row) for frame in frames for row in frame["row"]]
        accounts = {row.account for row in rows if isinstance(row, Payment)}
        answers = (
            per_worker(store_name, open_store).get_many(accounts) if accounts else {}
        )
        limits = {
            each: None if row is NO_ANSWER else limit_of(row)
            for each, row in answers.items()
        }
        dead, arrived = [], []
        for row in rows:
            if isinstance(row, Dead):
                dead.append(dead_row(row))
            else:
                is_payment = isinstance(row, Payment)
                arrived.append(
                    row._replace(limit_cents=limits[row.account]) if is_payment else row
                )
        found = desk.run(arrived, watermark_ms)
        state.update((pickle.dumps(desk.state),))
        state.setTimeoutTimestamp(watermark_ms + 1)
        yield frame_of([*dead, *found])

    rows = records.mapInPandas(routed, "shard int, row binary, time_ms long")
    rows = rows.withColumn("event_time", F.timestamp_millis("time_ms"))
    lateness = f"{round(1000 * lateness_s)} milliseconds"
    shards_of_rows = rows.withWatermark("event_time", lateness).groupBy("shard")
    timeout = GroupStateTimeout.EventTimeTimeout
    return shards_of_rows.applyInPandasWithState(
        alerts_of_shard, ALERTS, "kept binary", "append", timeout
    )
    ### END SOLUTION

# %% check="alerts"
from streamlab.lab09_system.experiments.clock_ahead import KnownLimits

# Notice: the clock a year ahead does not move the watermark.
paid = b'{"account": "a", "id": "p1", "cents": 500, "shop": "mill"}'
payment = Record("payments", 0, 7, b"a", paid, time_ms=200_000, received_ms=200_000)
area = b'{"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]]}'
place = b'{"mover": "a", "lon": 9, "lat": 2}'
shop = payment._replace(topic="fences", key=b"mill", value=area, time_ms=1, offset=1)
phone = payment._replace(topic="positions", value=place, time_ms=199_000, offset=2)
ahead = phone._replace(time_ms=31_536_000_000, offset=3)
last = phone._replace(time_ms=400_000, received_ms=400_000, offset=4)
files = [[shop, phone], [ahead], [payment]]
open_store = lambda: KnownLimits({"a": "300"})  # noqa: E731
with one_line_errors():
    describe = lambda records: alerts(records, 2, 1.0, open_store)  # noqa: E731
    for row in play_records(spark, files, describe, last).rows:
        print(row.kind, row.account, row.subject, row.time_ms, row.cents)

check("alerts")

# %% [markdown]
# ### Task 4 · `GuardedStore`
#
# **Why.** Each call to a store that is down waits for a time-out. A **circuit breaker** stops calling.
# ```text
#   closed ──(trips errors in a row)──▶ open ──(rest_s later)──▶ half-open
#   closed ◀───────(an answer)── half-open ──(an error)──▶ open
# ```
# **Rule** (invariants 7, 9). `get_many` calls `store.get_many(keys)` once, which returns the rows of the known keys, or
# raises StoreError. After an error, and while the breaker is open, each key gets NO_ANSWER.
#
# **Edge cases**
# - While it is open, or without keys, do not ask the store.
# - Exactly `rest_s` after the last error came, it is half-open.
# - Another exception passes through, and counts neither as an error nor as an answer.

# %% task="GuardedStore" todo="count the errors in a row, and ask nobody while the store rests"
class GuardedStore:
    """A store with a circuit breaker. `clock()` is the time in s.

    state: "closed", "open" or "half-open"
    get_many(keys): return {key: row, None (unknown), or NO_ANSWER} for all keys.

    Raises ValueError if trips < 1, or if rest_s is negative or not finite.
    Example: trips 2, rest_s 5, errors at 0 s and 1 s -> open; half-open from 6 s on
    """

    def __init__(
        self, store: Any, trips: int, rest_s: float, clock: Callable[[], float]
    ) -> None:
        ### BEGIN SOLUTION
        if trips < 1 or not 0 <= rest_s < math.inf:
            expected = "expected trips >= 1 and a finite rest_s >= 0"
            raise ValueError(f"{expected}, got {trips} and {rest_s}")
        self._store, self._clock = store, clock
        self._trips, self._rest_s = trips, rest_s
        self._errors, self._rests_until_s = 0, clock()

    @property
    def state(self) -> str:
        if self._errors < self._trips:
            return "closed"
        return "open" if self._clock() < self._rests_until_s else "half-open"

    def get_many(self, keys: Collection[str]) -> dict[str, Any]:
        if not keys:
            return {}
        if self.state == "open":
            return dict.fromkeys(keys, NO_ANSWER)
        try:
            rows = self._store.get_many(keys)
        except StoreError:
            self._errors += 1
            self._rests_until_s = self._clock() + self._rest_s
            return dict.fromkeys(keys, NO_ANSWER)
        self._errors = 0
        return {key: rows.get(key) for key in keys}
    ### END SOLUTION

# %% check="GuardedStore"
# Prediction 2. Notice how few calls the store gets.
class Fragile:
    """A store that is down from 4 s to 13 s."""

    calls = 0

    def get_many(self, keys: Collection[str]) -> dict[str, str]:
        """Answer if it is up."""
        self.calls += 1
        if 4 <= now_s < 13:
            raise StoreError("time-out")
        return {"ann": "300"}

now_s, rows = 0, []
with one_line_errors():
    store = Fragile()
    guard = GuardedStore(store, trips=3, rest_s=5, clock=lambda: now_s)
    for now_s in range(20):
        state, answer = guard.state, guard.get_many(["ann"])["ann"]
        answer = getattr(answer, "name", answer)
        if not rows or (state, answer) != rows[-1][2:]:
            rows.append((now_s, store.calls, state, answer))
    print(table(rows, ["from second", "calls so far", "state before", "answer"]))

check("GuardedStore")

# %% [markdown]
# ### Task 5 · `repair`
#
# **Why.** A crash would lose a list of undecided windows in memory, so `repair` is a **pure function of the log**.
#
# **Rule** (invariants 7, 8). A window (an account and a subject) is open if the log has UNDECIDED for it, once or
# more, and nowhere SPENT or CLEARED. Take the `most` open windows whose first UNDECIDED is earliest in the log, and
# ask the store at most once for their accounts. A decision is that first row, with the kind "SPENT" if its cents are
# above `limit_of(row of the store)`, otherwise "CLEARED".
#
# **Edge case.** A window without an answer stays open, and takes one of the `most` places.

# %% task="repair" todo="find the oldest open windows, ask once for their accounts, decide those with an answer"
def repair(rows: Sequence[Alert], store: Any, most: int) -> list[Alert]:
    """Return the decisions on the `most` oldest open windows, oldest first.

    `store` has the `get_many` of a GuardedStore. Raises ValueError if most < 1.
    Example: Alert("UNDECIDED", "ann", "10000", 9999, 500), limit "300" ->
      [Alert("SPENT", "ann", "10000", 9999, 500)]
    """
    ### BEGIN SOLUTION
    if most < 1:
        raise ValueError(f"expected most >= 1, got {most}")
    windows: dict[tuple[str, str], Alert] = {}  # the first UNDECIDED row of each
    for row in rows:
        if row.kind == "UNDECIDED":
            windows.setdefault((row.account, row.subject), row)
    for row in rows:
        if row.kind in ("SPENT", "CLEARED"):
            windows.pop((row.account, row.subject), None)
    oldest = list(windows.values())[:most]
    limits = store.get_many({row.account for row in oldest})
    decisions = []
    for row in oldest:
        limit = limits[row.account]
        if limit is not NO_ANSWER:
            kind = "SPENT" if row.cents > limit_of(limit) else "CLEARED"
            decisions.append(row._replace(kind=kind))
    return decisions
    ### END SOLUTION

# %% check="repair"
# Notice: bob has no answer at first.
class Limits(dict):
    """A store of limits."""

    def get_many(self, keys: Collection[str]) -> dict[str, Any]:
        """Return all values."""
        return {key: self.get(key) for key in keys}

accounts = [("ann", 500), ("bob", 200), ("eve", 1)]
log = [Alert("UNDECIDED", name, "10000", 9_999, cents) for name, cents in accounts]
limits, rows = Limits(ann="300", bob=NO_ANSWER), []
with one_line_errors():
    for run in range(1, 5):
        decisions = repair(log, limits, most=2)
        log += decisions
        rows += [(run, each.account, each.kind, each.cents) for each in decisions]
        if run == 2:
            limits["bob"] = "300"
    print(table(rows, ["run", "account", "decision", "cents"]))

check("repair")

# %% [markdown]
# ### Task 6 · `AlertWriter`
#
# **Why.** Spark's `foreachBatch` is **at least once**: after a crash, a batch may come again, with the same number. For
# **exactly once**, the log holds the number in one [**transaction**](https://kafka.apache.org/documentation/#semantics)
# with the rows.
#
# **Tools.** The log raises `LogError` if it does not answer, `Fenced` if a writer with a higher **epoch** has begun.
# ```python
# log.begin(epoch)    # drops the open transaction, fences earlier writers, returns the last complete batch, or -1
# log.append(row)     # adds a row to the open transaction
# log.commit(number)  # makes all of it and the number visible, or nothing
# ```
# **Rule** (invariants 5, 6, 9). When made, the writer calls `begin` until it answers. `write` puts all rows, even none,
# and the number into one transaction, unless the log has this number or a higher one. After a LogError, the
# operation's effect is unknown: begin again, also in a later `write`, and try again.
#
# **Edge cases**
# - Without an error, do not begin again.
# - After `tries` attempts at a batch, or `tries` calls of `begin`, raise the LogError.
# - `Fenced` passes through at once.

# %% task="AlertWriter" todo="begin; append all rows and commit; after a LogError begin again and look what is there"
class AlertWriter:
    """Write each batch to a log exactly once.

    last: the number of the last complete batch
    write(number, rows): return True if this call wrote the batch, even if an answer was
      lost, and False if the log had it before.

    Example: write(0, ["an alert"]) -> True; the same again -> False
    """

    def __init__(self, log: Any, epoch: int, tries: int = 3) -> None:
        ### BEGIN SOLUTION
        self._log, self._epoch, self._tries = log, epoch, tries
        self._begin()

    def write(self, number: int, rows: Sequence[Any]) -> bool:
        for attempt in range(self._tries):
            if self._in_doubt:
                self._begin()
            if number <= self.last:
                return attempt > 0
            try:
                for row in rows:
                    self._log.append(row)
                self._log.commit(number)
                self.last = number
                return True
            except LogError:
                self._in_doubt = True
                if attempt == self._tries - 1:
                    raise
        raise AssertionError("there is at least one attempt")

    def _begin(self) -> None:
        for attempt in range(self._tries):
            try:
                self.last, self._in_doubt = self._log.begin(self._epoch), False
                return
            except LogError:
                if attempt == self._tries - 1:
                    raise
        ### END SOLUTION

# %% check="AlertWriter"
from streamlab.lab09_system.alert_log import AlertLog, make_log, read_committed

# Notice what readers see of the open transaction. (10 s)
with one_line_errors(), running("kafka") as kafka:
    make_log(kafka.address, "alerts")
    log = AlertLog(kafka.address)
    old = AlertWriter(log, epoch=1)
    print("old writes batch 0:", old.write(0, ["a", "b"]))
    print("old writes batch 0 again:", old.write(0, ["a", "b"]))
    log.append("half of batch 1")
    new = AlertWriter(AlertLog(kafka.address), epoch=2)
    print("new begins after batch", new.last, "· writes batch 1:", new.write(1, ["c"]))
    try:
        old.write(1, ["c"])
    except Fenced as problem:
        print("old writes batch 1:", type(problem).__name__)
    seen = read_committed(kafka.address, "alerts")
    print("readers see", [each.value.decode() for each in seen])

# The check kills writers at every operation. (5 s)
check("AlertWriter")

# %% [markdown]
# ### Task 7 · `Supervisor`
#
# **Why.** A supervisor restarts programs that crash, ever more slowly in a **crash loop** (**exponential back-off**). A
# **lease** finds those that hang. One that wakes up later, with an old **epoch**, is a **zombie**.
#
# {states}
#
# **Rule** (invariant 6). For each program, in order, `tick` may return several orders:
# 1. kill, if `lease_ms` have passed since its start or last beat;
# 2. give_up, once, after `tries` failures in a row;
# 3. start, if it waits, and never ran or its wait is over.
#
# Each end and each kill is a failure. After the n-th in a row, the program waits `first_ms`·2ⁿ⁻¹, at most `most_ms`. A
# failure of a run of `stable_ms` or longer is the first again.
#
# **Edge cases**
# - A beat before the tick still counts, and a kill has the tick's time.
# - A program's epochs are 1, 2, 3, …; kill and give_up have that of the last start.
# - Ignore beats and ends of another epoch, of an unknown program, or of one that does not run.
#
# [states]: {states.svg}

# %% task="Supervisor" todo="keep each program's epoch, failures in a row, and the end of its lease or wait"
class Supervisor:
    """Start programs, also after they end or hang. Times are ms.

    tick(now_ms): return a list of Order.
    beat(program, epoch, now_ms): renew the lease; return True, or False if it is
      ignored.
    ended(program, epoch, now_ms): the program has ended.

    Example: RestartRules(lease_ms=3000, first_ms=1000, …): tick(0) -> start job 1;
      tick(3000) -> kill job 1; tick(4000) -> start job 2
    """

    def __init__(self, programs: Sequence[str], rules: RestartRules) -> None:
        ### BEGIN SOLUTION
        self._rules = rules
        self._lives = {name: self._life() for name in programs}

    def beat(self, program: str, epoch: int, now_ms: int) -> bool:
        if not self._is_running(program, epoch):
            return False
        self._lives[program].due_ms = now_ms + self._rules.lease_ms
        return True

    def ended(self, program: str, epoch: int, now_ms: int) -> None:
        if self._is_running(program, epoch):
            self._fail(self._lives[program], now_ms)

    def tick(self, now_ms: int) -> list[Order]:
        orders, tries = [], self._rules.tries
        for name, life in self._lives.items():
            if life.runs and now_ms >= life.due_ms:
                orders.append(Order("kill", name, life.epoch))
                self._fail(life, now_ms)
            if not life.runs and not life.given_up and life.failures >= tries:
                orders.append(Order("give_up", name, life.epoch))
                life.given_up = True
            if not life.runs and not life.given_up and now_ms >= life.due_ms:
                life.epoch, life.runs = life.epoch + 1, True
                life.begun_ms, life.due_ms = now_ms, now_ms + self._rules.lease_ms
                orders.append(Order("start", name, life.epoch))
        return orders

    def _life(self) -> SimpleNamespace:
        # due_ms: when its lease ends while it runs, and otherwise its next start
        life = SimpleNamespace(epoch=0, failures=0, runs=False, given_up=False)
        life.begun_ms, life.due_ms = None, -math.inf
        return life

    def _is_running(self, program: str, epoch: int) -> bool:
        life = self._lives.get(program)
        return life is not None and life.runs and life.epoch == epoch

    def _fail(self, life: SimpleNamespace, now_ms: int) -> None:
        _, first_ms, most_ms, stable_ms, _ = self._rules
        was_stable = now_ms - life.begun_ms >= stable_ms
        life.runs, life.failures = False, 1 if was_stable else life.failures + 1
        wait_ms = min(most_ms, first_ms * 2 ** (life.failures - 1))
        life.due_ms = now_ms + wait_ms
    ### END SOLUTION

# %% check="Supervisor"
# Notice: after a run of 20 s, waits are short.
rules = RestartRules(
    lease_ms=3_000, first_ms=500, most_ms=4_000, stable_ms=10_000, tries=6
)
rows, ends_ms = [], math.inf
with one_line_errors():
    supervisor, epoch = Supervisor(["job"], rules), 0
    for now_ms in range(0, 60_000, 100):
        if now_ms >= ends_ms:
            supervisor.ended("job", epoch, now_ms)
            ends_ms = math.inf
        supervisor.beat("job", epoch, now_ms)
        for order in supervisor.tick(now_ms):
            rows.append((now_ms / 1000, order.what, order.epoch))
            epoch = order.epoch
            if order.what == "start":
                ends_ms = now_ms + (20_000 if epoch == 3 else 300)
    print(table(rows, ["second", "order", "epoch"]))

check("Supervisor")

# %% [markdown]
# ### Task 8 · `Autoscaler`
#
# **Why.** An **autoscaler** that follows every dip of the load stops instances that it soon needs again.
#
# **Tools.** Lab 2's `SlidingMax` (`add`, `expire`, `result`) and Lab 7's `FirstFit` (`place`, `remove`, `used`).
#
# **Rule** (invariant 12). In each tick:
# 1. The instances in `gone` lose their places.
# 2. The **need** is the smallest n for which n instances are at most `busy_percent` busy with `offered_per_s`, *and*
#    can process `offered_per_s` + `lag` / `drain_s`; limit it to `least` … `most`.
# 3. The number of instances becomes the largest need of the last `quiet_ticks` ticks, with this one.
# 4. While there are too many, stop the newest instance on the highest worker. While there are too few, First-Fit
#    places a new one (desk-1, desk-2, …) of `size` on workers of 1000.
#
# **Edge cases**
# - Decide without floats: 100 * 0.29 < 29.
# - Never use a name twice. Ignore a name in `gone` that does not run.

# %% task="Autoscaler" todo="drop what is gone, compute the need, remember the peak, then stop or start one by one"
class Autoscaler:
    """Decide once per second how many instances run, and on which workers.

    tick(offered_per_s, per_instance_per_s, lag, gone=()): return Packed({instance:
      worker}, the highest worker plus one).

    Example: ScaleRules(busy_percent=70, drain_s=60, quiet_ticks=3, least=1, most=8,
      size=250): tick(1000, 500, 0) ->
      Packed({"desk-1": 0, "desk-2": 0, "desk-3": 0}, 1)
    """

    def __init__(self, rules: ScaleRules) -> None:
        ### BEGIN SOLUTION
        self._rules, self._peak, self._ticks, self._newest = rules, SlidingMax(), 0, 0
        self._fit, self._where = FirstFit(1000), dict[str, int]()

    def tick(
        self,
        offered_per_s: int,
        per_instance_per_s: int,
        lag: int,
        gone: Sequence[str] = (),
    ) -> Packed:
        for name in self._where.keys() & set(gone):
            self._stop(name)
        wanted = self._wanted(offered_per_s, per_instance_per_s, lag)
        while len(self._where) > wanted:
            last = max(self._where, key=lambda name: (self._where[name], int(name[5:])))
            self._stop(last)
        while len(self._where) < wanted:
            self._newest += 1
            name = f"desk-{self._newest}"
            self._where[name] = self._fit.place(name, self._rules.size)
        return Packed(dict(self._where), self._fit.used)

    def _wanted(self, offered_per_s: int, per_instance_per_s: int, lag: int) -> int:
        rules = self._rules
        steady = -(-100 * offered_per_s // (rules.busy_percent * per_instance_per_s))
        to_drain = offered_per_s * rules.drain_s + lag
        drain = -(-to_drain // (rules.drain_s * per_instance_per_s))
        self._peak.add(max(rules.least, min(rules.most, max(steady, drain))))
        self._ticks += 1
        if self._ticks > rules.quiet_ticks:
            self._peak.expire()
        return self._peak.result()

    def _stop(self, name: str) -> None:
        self._fit.remove(name)
        del self._where[name]
        ### END SOLUTION

# %% check="Autoscaler"
# Prediction 3. Notice when the fourth instance starts and stops.
with one_line_errors():
    scaler = Autoscaler(ScaleRules(70, 60, 3, 1, 8, 250))
    for lag in (0, 60_000, 0, 0, 0):
        print(f"lag {lag:6,}:", scaler.tick(1000, 500, lag))

check("Autoscaler")

# %% [markdown]
# ### Task 9 · `service_levels`
#
# **Why.** A dashboard that measures only the alerts that came says "p99 0.3 s" while nothing comes. A **service-level
# objective** (SLO) counts all alerts that should come. The share of them that may fail is the **error budget**.
#
# **Rule** (invariant 13). Of an alert's copies, the earliest counts. **Latency** runs from the event to it; for a lost
# alert, to `now_ms`.
# - `twice` counts the surplus copies of expected alerts, `unknown` the different alerts that nobody expected.
# - Percentiles are **nearest ranks**: p99 of 101 latencies is the 100th by size (0.99 · 101, rounded up).
# - An alert is **due** `limit_ms` after its event. It is *bad* if it came later, or is lost and due by now.
# - `budget_left` is 1 - bad / (error budget · expected), even below 0.
# - The **burn rate** of w seconds is the share of bad alerts among those due in (now - w, now], divided by the error
#   budget; 0 if none is due.
# - A **page** (long_s, short_s, factor) is True if both windows burn at *more* than the
#   [factor](https://sre.google/workbook/alerting-on-slos/).

# %% task="service_levels" todo="find the first copy of each alert, then latencies, bad ones, and burn rates"
def service_levels(
    expected: dict[Any, int],
    seen: list[tuple[Any, int]],
    now_ms: int,
    objective: Objective,
) -> Report:
    """Return the service levels at `now_ms`; no other time is after it.

    expected: {alert: ms of its event}; seen: (alert, ms) of each copy, in any order.

    Raises ValueError if nothing is expected, or unless 0 < `objective.percent` < 100.
    Example: Objective(75.0, 1000, ((60, 5, 3.0),)), at 5000 {"a": 0, "b": 4500} and
      [("a", 1001)] -> Report(lost=1, twice=0, unknown=0, p50_ms=500, p99_ms=1001,
      bad=1, budget_left=-1.0, pages=(True,))
    """
    ### BEGIN SOLUTION
    if not expected or not 0 < objective.percent < 100:
        raise ValueError(
            "expected alerts and 0 < percent < 100, "
            f"got {len(expected)} and {objective.percent}"
        )
    first_ms: dict[Any, int] = {}
    for alert, at_ms in seen:
        first_ms[alert] = min(at_ms, first_ms.get(alert, at_ms))
    copies = Counter(alert for alert, _ in seen)
    latencies = sorted(
        first_ms.get(alert, now_ms) - event_ms for alert, event_ms in expected.items()
    )
    due_ms = {
        alert: event_ms + objective.limit_ms for alert, event_ms in expected.items()
    }
    bad = {
        alert for alert in expected if first_ms.get(alert, now_ms + 1) > due_ms[alert]
    }
    may_fail = 1 - objective.percent / 100

    def percentile_ms(percent: int) -> int:
        return latencies[math.ceil(percent * len(latencies) / 100) - 1]

    def burn_rate(window_s: int) -> float:
        window = [
            alert in bad
            for alert in expected
            if now_ms - 1000 * window_s < due_ms[alert] <= now_ms
        ]
        return sum(window) / max(1, len(window)) / may_fail

    lost, unknown = expected.keys() - copies.keys(), copies.keys() - expected.keys()
    twice = sum(copies[alert] - 1 for alert in expected.keys() & copies.keys())
    budget_left = 1 - len(bad) / (may_fail * len(expected))
    pages = [
        min(burn_rate(long_s), burn_rate(short_s)) > factor
        for long_s, short_s, factor in objective.windows
    ]
    counts = len(lost), twice, len(unknown)
    percentiles_ms = percentile_ms(50), percentile_ms(99)
    return Report(*counts, *percentiles_ms, len(bad), budget_left, tuple(pages))
    ### END SOLUTION

# %% check="service_levels"
# b is lost, but not due yet, so not bad.
with one_line_errors():
    objective = Objective(75.0, 1000, ((60, 5, 3.0),))
    print(service_levels({"a": 0, "b": 4500}, [("a", 1001)], 5000, objective))

# From 60 s to 75 s nobody leads. Which p99 rises then?
from streamlab.lab09_system.experiments import the_p99_that_lied

with one_line_errors():
    the_p99_that_lied(service_levels)

check("service_levels")

# %% [markdown]
# Only the p99 of all alerts, from their events on, rises. A source that waits does not measure (**coordinated
# omission**).
#
# ### Task 10 · `start_job`
#
# **Why.** Spark's **checkpoint** has Kafka's offsets and the desks' state. Spark notes a batch there only after
# `foreachBatch` returns.
#
# **Tools.**
# ```python
# query = rows.writeStream.outputMode("append").option("checkpointLocation", folder).foreachBatch(f).start()
# def f(batch, number): ...       # batch.collect() -> a list of its rows
# ```
# **Rule** (invariants 4, 5). Give the number and the list of rows of each batch, even without rows, to `writer.write`.
#
# **Edge cases.** An error of the writer ends the query. `start_job` neither waits nor tries again.

# %% task="start_job" todo="start a query whose foreachBatch gives all rows of a batch to the writer"
def start_job(rows: DataFrame, writer: Any, checkpoint: str) -> Any:
    """Start the query that writes the rows of `alerts`; return it, a StreamingQuery.

    A later start continues from the folder `checkpoint`.
    """
    ### BEGIN SOLUTION
    def write(batch: DataFrame, number: int) -> None:
        writer.write(number, batch.collect())

    output = rows.writeStream.outputMode("append")
    output = output.option("checkpointLocation", checkpoint)
    return output.foreachBatch(write).start()
    ### END SOLUTION

# %% check="start_job"
# The check plays a day with nine faults. (60 s)
check("start_job")

# %% [markdown]
# ## 5 · What the checks look at
#
# {checks}
#
# **The throughput check** of `Desk`: {threshold of Desk} times the rate of a **baseline** that searches all rows for
# each payment and window earns all points:
# ```python
# same = [each for each in self.state["rows"] if isinstance(each, Payment) and each.account == row.account]
# ```
#
# ## 6 · Checkpoint
#
# The next cell plays twenty minutes in virtual time. `./lab system up` shows your system live.

# %% role="show"
# Ten faults, then the same day without one policy. (15 s)
from streamlab.lab09_system.experiments import policy_less, ten_faults

POLICIES = SimpleNamespace(
    Supervisor=Supervisor, Autoscaler=Autoscaler, GuardedStore=GuardedStore,
    repair=repair, service_levels=service_levels, LruCache=LruCache, heal=heal,
    deliver=deliver,
)
with one_line_errors():
    ten_faults(POLICIES)
    policy_less(POLICIES)

# %% [markdown]
# The lag does not tell which fault happened. Each day without a policy misses a bound.
#
# ## 7 · Break it
#
# The next cell breaks invariant 3: `route` accepts every date, and one clock is a year ahead.

# %% role="show"
# Notice: few alerts. (20 s)
from streamlab.lab09_system.experiments.clock_ahead import ANY_DATE_MS, USUAL_MS
from streamlab.lab09_system.experiments.clock_ahead import alerts_of_a_city

with one_line_errors():
    right = alerts_of_a_city(spark, alerts, USUAL_MS)
    every = alerts_of_a_city(spark, alerts, ANY_DATE_MS)
    missing = len(right.alerts - every.alerts)
    rows = [("dates up to a minute ahead", len(right.alerts), 0, right.dropped)]
    rows += [("every date", len(every.alerts), missing, every.dropped)]
    titles = ["route accepts", "alerts", "missing", "numRowsDroppedByWatermark"]
    print(table(rows, titles))

# %% [markdown]
# ```output
# every date                      34      133                        244
# ```
# **How you would have noticed in production:** there is no error and no lag. Alert on `numRowsDroppedByWatermark`.
#
# ## 8 · Questions, and the next lab
#
# This is the last lab.

# %% [markdown] written="how_many_of_each"
# **How many of each?** ({points} points) At the peak, 2,000 payments/s and 50,000 positions/s come in. One shop has
# 40 % of the payments. A record costs 20 µs in `route`, 140 µs in a `Desk`. Four instances fit on a worker.
#
# 1. How many partitions, instances and workers do you order, for instances 70 % busy? How long does a backlog of half
#    an hour drain?
# 2. Is the shop a hot key? From which share of all records on is an account one?
# 3. There is money for a third of the instances. What can wait or be left out, and at what cost?

# %% [markdown] written="a_week_of_pages"
# **A week of pages** ({points} points) An alert is due every minute; 99 % must come within 60 s. Page 1 is (1 h, 5 min,
# 14.4), page 2 (6 h, 30 min, 6).
#
# - Week A: on Tuesday at 06:00, the store dies for 20 minutes. Page 1 at 06:09.
# - Week B: from Wednesday on, 4 % of the alerts are late, from Saturday on, 8 %. Page 2 on Saturday at 03:01,
#   `budget_left` -1.51.
# - Week C: the machine of the job and its measurements loses power. No page.
#
# 1. Which page is right, and which too late? What does each window of a pair contribute?
# 2. Which share of late alerts never pages? Add a page that finds B while there is budget left.
# 3. Which faults show no symptom? Who watches the watcher?

# %% [markdown]
# ## 9 · ★ Bonus
#
# No later task needs these tasks, and their points are outside the {points} of this lab.
#
# ### ★ · `size`
#
# **Why.** A system that is just large enough for the peak never works off the **backlog** of an outage. And machines do
# not help a **hot key**: one instance processes all of its records.
#
# **Rule** (invariant 11). A record costs a stage `cost_us` µs of one core; an instance is one core. A stage gets the
# fewest instances, at least one, for which both hold at the peak:
# - *Steady*: they are busy for at most `busy_percent` of the time.
# - *Draining*: they work off the backlog of `outage_s` within `drain_s`, while new records come. Here they may be busy
#   all the time.
#
# Both must also hold for one instance with the most frequent key, `hottest_percent` of the records. The log gets twice
# as many **partitions** as the largest stage with `hottest_percent` above 0 has instances; without such a stage, 2.
# `drain_ms` is that of the slowest stage, rounded up. Floats are not exact: 2.1 / 0.7 is above 3.

# %% task="size" todo="write one function for the instances that some work needs, and call it twice"
def size(
    stages: list[Stage], peak_per_s: int, busy_percent: int, outage_s: int, drain_s: int
) -> Size:
    """Return Size(instances by name, partitions, drain_ms) for a peak in records/s.

    Raises CannotScale if the most frequent key of a stage needs more than one instance.
    Raises ValueError if there are no stages, `peak_per_s` or `drain_s` is below 1,
    `busy_percent` is outside 1 to 100, or `outage_s` is negative.

    Example: size([Stage("parse", 20), Stage("desk", 150, 5)], 20_000, 70, 30, 60)
      -> Size(instances={"parse": 1, "desk": 5}, partitions=10, drain_ms=45000)
    """
    ### BEGIN SOLUTION
    if (
        not stages
        or peak_per_s < 1
        or not 1 <= busy_percent <= 100
        or outage_s < 0
        or drain_s < 1
    ):
        raise ValueError(
            "expected stages, peak_per_s and drain_s >= 1, "
            "1 <= busy_percent <= 100, and outage_s >= 0"
        )

    def needed(busy: Fraction) -> int:
        """Return the instances for work that keeps so many cores busy at the peak."""
        steady = 100 * busy / busy_percent
        draining = busy * (outage_s + drain_s) / drain_s
        return max(1, math.ceil(max(steady, draining)))

    instances, drain_ms, keyed = {}, 0, [1]
    for each in stages:
        busy = Fraction(peak_per_s * each.cost_us, 1_000_000)
        if needed(busy * each.hottest_percent / 100) > 1:
            raise CannotScale(
                f"{each.name}: the most frequent key alone needs more than one instance"
            )
        count = instances[each.name] = needed(busy)
        if each.hottest_percent:
            keyed.append(count)
        if outage_s:
            drain_ms = max(drain_ms, math.ceil(1000 * busy * outage_s / (count - busy)))
    return Size(instances, 2 * max(keyed), drain_ms)
    ### END SOLUTION

# %% check="size"
# One key has 5 % of the records, then 30 %, which fits as long as nothing stops.
with one_line_errors():
    print(size([Stage("parse", 20), Stage("desk", 150, 5)], 20_000, 70, 30, 60))
    print(size([Stage("desk", 100, 30)], 20_000, 70, 0, 20))
with one_line_errors(CannotScale):
    print(size([Stage("desk", 100, 30)], 20_000, 70, 30, 20))

check("size")

# %% [markdown]
# ### ★ · `admit`
#
# **Why.** In a burst, more records wait in queues than may enter the log. If the room is divided in proportion, one
# flood takes the room of all others.
#
# **Rule** (invariant 10). `room` records may enter. Rank 0 is the most important.
# 1. In the order of ranks, each rank gets `least` records for all its queues together, or all it has if that is less.
# 2. In the same order, each rank gets what it still has, until the room ends.
# 3. Within a rank, the division is **max-min fair**: each record goes to the queue that was granted the fewest so far,
#    of those that still have records; if they are equal, to the first by name.

# %% task="admit" todo="find the total of each rank first, then divide it among the queues of the rank"
def admit(
    waiting: dict[str, int], ranks: dict[str, int], room: int, least: int
) -> dict[str, int]:
    """Return {queue: how many of its records enter the log} for all queues.

    waiting: {queue: records}, 0 or more; ranks: {queue: rank} of the same queues.

    Raises ValueError if `room` or `least` is negative.
    Example: admit({"a": 10, "b": 2, "c": 50}, {"a": 0, "b": 0, "c": 1}, 12, 2)
      -> {"a": 8, "b": 2, "c": 2}
    """
    ### BEGIN SOLUTION
    if room < 0 or least < 0:
        raise ValueError(f"expected room >= 0 and least >= 0, got {room} and {least}")
    queues = {
        rank: sorted(name for name in waiting if ranks[name] == rank)
        for rank in sorted(set(ranks.values()))
    }
    totals = dict.fromkeys(queues, 0)
    for limit in (least, room):
        for rank, names in queues.items():
            waits = sum(waiting[name] for name in names)
            more = min(room, min(limit, waits) - totals[rank])
            totals[rank] += more
            room -= more
    granted = {}
    for rank, names in queues.items():
        hungry = sorted(names, key=lambda name: waiting[name])
        # the first one needs at most an equal share
        while hungry and waiting[hungry[0]] <= totals[rank] // len(hungry):
            granted[hungry[0]] = waiting[hungry[0]]
            totals[rank] -= waiting[hungry.pop(0)]
        for place, name in enumerate(sorted(hungry)):
            granted[name] = (totals[rank] + len(hungry) - 1 - place) // len(hungry)
    return {name: granted[name] for name in waiting}
    ### END SOLUTION

# %% check="admit"
# The last queue is the least important one, and has most of the records.
with one_line_errors():
    print(admit({"a": 10, "b": 2, "c": 50}, {"a": 0, "b": 0, "c": 1}, room=12, least=2))
    print(admit({"a": 9, "b": 9, "c": 9}, {"a": 0, "b": 1, "c": 2}, room=3, least=2))

# For 20 s one key has a third of all records, and its partition shares an instance with
# another one. Who waits, with max-min shares, and with shares in proportion to what
# waits, as Spark divides `maxOffsetsPerTrigger`?
from streamlab.lab09_system.experiments import hot_key

with one_line_errors():
    hot_key(SimpleNamespace(
        Supervisor=Supervisor, Autoscaler=Autoscaler, GuardedStore=GuardedStore,
        repair=repair, service_levels=service_levels, LruCache=LruCache, heal=heal,
        deliver=deliver, admit=admit,
    ))

check("admit")

# %% [markdown]
# ### ★ · `post_mortem`
#
# **Why.** After a bad night there are thousands of samples. The **lag** rises after every fault; other symptoms tell
# the causes apart.
#
# **Rule.** `samples` has one `Sample` per second. *Usual* is the lower quartile of the timeline: of n sorted values,
# the one at position (n - 1) // 4, from 0. Offered records and lag are sums over the partitions.
#
# | fault | symptom in this second |
# |---|---|
# | burst | offered records are at least 3 × usual, without skew |
# | skew | some records are offered, and one partition gets at least twice the mean |
# | log | `log_errors` |
# | store | `store_errors` |
# | slow store | no `store_errors`, and `store_ms` is at least 10 × usual |
# | job | the epoch is higher than a second ago, and the term is not |
# | leader | the term is higher than a second ago |
# | worker | `retries` |
# | poison | `unreadable` |
# | clock | `ahead` |
#
# - Seconds of one kind are one **incident**, `[from_s, to_s)`, if no pause between them is longer than `pause_s` s.
# - `back_s` is the first second from `to_s` on in which the lag is at most 2 × usual; None if there is none.
# - Sort incidents by `from_s`, then as in the table. Nothing rises in the first second.

# %% task="post_mortem" todo="find the seconds of each fault, join them, then find when the lag is back"
def post_mortem(samples: list[Sample], pause_s: int = 6) -> list[Incident]:
    """Return the incidents of a timeline, sorted.

    Example: errors of the store at 10, 11 and 15 s, and a high lag from 10 to 19 s
      -> [Incident("store", from_s=10, to_s=16, back_s=20)]
    """

    ### BEGIN SOLUTION
    def usual(values: list[int]) -> int:
        return sorted(values)[(len(values) - 1) // 4]

    if not samples:
        return []
    usual_offered = usual([sum(sample.offered) for sample in samples])
    usual_store_ms = usual([sample.store_ms for sample in samples])
    usual_lag = usual([sum(sample.lag) for sample in samples])

    def is_skewed(now: Sample) -> bool:
        return any(now.offered) and (
            max(now.offered) * len(now.offered) >= 2 * sum(now.offered)
        )

    symptoms: dict[str, Callable[[Sample, Sample], object]] = {
        "burst": lambda now, before: (
            sum(now.offered) >= 3 * usual_offered and not is_skewed(now)
        ),
        "skew": lambda now, before: is_skewed(now),
        "log": lambda now, before: now.log_errors,
        "store": lambda now, before: now.store_errors,
        "slow store": lambda now, before: (
            not now.store_errors and now.store_ms >= 10 * usual_store_ms
        ),
        "job": lambda now, before: now.epoch > before.epoch and now.term <= before.term,
        "leader": lambda now, before: now.term > before.term,
        "worker": lambda now, before: now.retries,
        "poison": lambda now, before: now.unreadable,
        "clock": lambda now, before: now.ahead,
    }
    calm = [sample.at_s for sample in samples if sum(sample.lag) <= 2 * usual_lag]
    incidents = []
    for kind, shows in symptoms.items():
        spans: list[list[int]] = []
        for before, now in pairwise([samples[0], *samples]):
            if shows(now, before) and spans and now.at_s - spans[-1][1] <= pause_s:
                spans[-1][1] = now.at_s + 1
            elif shows(now, before):
                spans.append([now.at_s, now.at_s + 1])
        for from_s, to_s in spans:
            back_s = next((at_s for at_s in calm if at_s >= to_s), None)
            incidents.append(Incident(kind, from_s, to_s, back_s))
    return sorted(incidents, key=lambda incident: incident.from_s)
    ### END SOLUTION

# %% check="post_mortem"
# The store fails twice within 6 s, and the lag stays high for a while.
calm = Sample(0, (100, 100), (1, 1), 0, 0, 2, 1, 1, 0, 0, 0)
timeline = [calm._replace(at_s=at_s) for at_s in range(60)]
for at_s in (10, 11, 15):
    timeline[at_s] = timeline[at_s]._replace(store_errors=3)
for at_s in range(10, 20):
    timeline[at_s] = timeline[at_s]._replace(lag=(5, 900))
with one_line_errors():
    print(post_mortem(timeline))

check("post_mortem")
