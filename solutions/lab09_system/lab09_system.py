"""Source of Lab 9: the complete system, with the reference solutions.

`./lab build` makes the student's notebook from it; autograder/stages/lab09_system judges it.
"""

# %% [markdown]
# # Lab 9 · The complete system
#
# {map}
#
# This lab joins all parts: the system reads the records of phones and tills, and writes alerts, each exactly once. Uber
# detects fraud within seconds on Kafka, Flink and stores ([Fu and Soman, 2021][0]).
#
# [0]: https://doi.org/10.1145/3448016.3457552
# [map]: {map.svg}

# %% [markdown]
# ## 1 · What works after this lab
#
# | before | after |
# |---|---|
# | eight parts, each right alone | one system, right while its parts die |
# | "it is robust" | no alert lost, none twice, the lag back at zero |
# | one phone with next year's date ends the stream | it costs one record, and the metrics show it |
#
# ```text
#  phones ─┐              ┌─ Spark job: alerts ────────────────────────────┐
#  tills ──┼─▶ Kafka ─▶   │ route ─▶ bucket_of (4) ─▶ Desk on each shard   │ ─▶ AlertWriter ─▶ Kafka:
#  shops ──┘  log (3)     │   └▶ dead letters          Watch (8) Aggregate (4) │    one transaction   alerts
#                         └───────────── GuardedStore ◀─ limits (6) ◀─ Valkey ┘    a batch
#  Supervisor restarts the job · repair decides what was left open · Autoscaler: SlidingMax (2), FirstFit (7)
# ```
#
# One query reads **payments** (account, shop, cents) and **positions** of the accounts' phones, and gives two alerts.
# **AWAY**: the newest position, at most 60 s old, is outside the shop. **SPENT**: an account spends more than its limit
# within 10 s. Your parts of Labs 1 to 8 are used where they pass, otherwise the reference.
#
# {minutes} minutes, in two sittings: tasks 1 to 5, and tasks 6 to 10. Nothing needs to be started first.

# %% [markdown]
# ## 2 · The invariants
#
# {invariants}
#
# ## 3 · Predict
#
# Write down your answers before you run anything. Tasks 2, 4 and 8 show the right ones.
#
# 1. A till misses the answer and sends a payment again. Between the two, the job dies and restarts. How many alerts
#    does the customer get?
# 2. The store of the limits is killed, and comes back empty. What does the next window say about an account?
# 3. The log has twelve partitions, and one account has 30 % of all records. How many instances help?
#
# ## 4 · Tasks
#
# `help(Payment)` shows the fields of a type; all types are in `streamlab/lab09_system/words.py`.

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
# From your own notebooks; the reference where yours do not pass.
lab4, lab8 = stage("lab04_subqueries"), stage("lab08_geofencing")
Aggregate, bucket_of = lab4.Aggregate, lab4.bucket_of
read_record, Watch = lab8.read_record, lab8.Watch
SlidingMax, FirstFit = stage("lab02_windows").SlidingMax, stage("lab07_irm").FirstFit
LruCache, heal = stage("lab06_enrichment").LruCache, stage("lab05_placement").heal
deliver = stage("lab01_wordcount").deliver

# %% [markdown]
# ### Task 1 · `route`
#
# **Why.** A **poison pill**, a record that no code can read, stops a job again after each restart. A phone with next
# year's date is worse: it moves the watermark, and all other rows are dropped without an error. So each record becomes
# a row or a **dead letter**, kept for a person to look at (invariant 1).
#
# **Tools.** `read_payment(key, value, time_ms, offset)` reads the topic "payments"; Lab 8's
# `read_record(topic, key, value, time_ms, offset)` reads every other topic, and raises ValueError for an unknown one.
# Both take texts, or None where the record has None.
#
# **Rule.** Decode key and value as UTF-8, and read them. A dead letter has one of three reasons:
#
# - "unreadable": it is not UTF-8, or the reader raises ValueError or RecursionError.
# - "defect": the reader raises another Exception. After a fix, it can read the record.
# - "ahead": the record can be read, and its time is more than `ahead_ms` after `received_ms`. A replay decides the same
#   (invariant 2).
#
# **Edge cases**
#
# - A Change is never ahead: fences may be planned. Late records are rows.
# - Empty bytes are an empty text, not None.
# - KeyboardInterrupt is not an Exception, and passes through.

# %% task="route" todo="decode, read by topic, and turn each error into a dead letter"
def route(record: Record, ahead_ms: int) -> Position | Change | Payment | Dead:
    """Return the row of a record, or `Dead(record, reason)` with the unchanged record.

    record: `time_ms` is by the clock of its source, `received_ms` by the connector's.

    Example: route(Record("payments", 0, 7, b"a", b"{", 5, 5), 60_000)
      -> Dead(Record("payments", 0, 7, b"a", b"{", 5, 5), "unreadable")
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
# A payment, then from a clock that is two minutes ahead, then in the topic of phones.
paid = b'{"account": "a", "id": "p1", "cents": 500, "shop": "mill"}'
payment = Record("payments", 0, 7, b"a", paid, time_ms=200_000, received_ms=200_000)
with one_line_errors():
    for change in {}, {"received_ms": 80_000}, {"topic": "positions"}:
        print(route(payment._replace(**change), ahead_ms=60_000))

check("route")

# %% [markdown]
# ### Task 2 · `Desk`
#
# **Why.** A payment may arrive before the position that was sent before it. A desk keeps rows until the watermark has
# reached them, so every order of arrival gives the same alerts (invariant 4).
#
# **Tools.** `order_of` is a sort key for rows. `watch.change(row)` and `watch.move(row)` return events, from which
# `keep_inside` keeps who is inside; `Watch(watch.state)` continues. A shop's name is its fence, a phone's mover its
# account. `new_state()` is one form of the state. Lab 4's Aggregate sums the windows:
# ```python
# sums = Aggregate(["account"], TimeWindow(10_000, 5_000), {"cents": ("SUM", "cents")})    # and LAST_VAL
# sums.on_time(7), sums.on_row({"t": 7, "account": "a", "cents": 500})    # ([], []): time first, then its row
# sums.on_time(5_000)                                                     # [{"account": "a", "cents": 500, "t": 4999}]
# sums.state                                                              # take it out, and assign it to a new one
# ```
#
# **Rule.** Rows after the watermark wait. Process the others in the order of `order_of`; then close windows.
#
# | kind | when | subject, time, cents |
# |---|---|---|
# | AWAY | the phone's newest position, at most `FRESH_MS` old, is not inside the shop | the payment's id, time, cents |
# | SPENT | a window's sum is above its last payment's limit | the window's end as text, end − 1, the sum |
# | UNDECIDED | that limit is None (no answer, invariant 7), whatever the sum | as SPENT |
#
# - A payment with the account and id of one that counted at most `REPEAT_MS` before was sent again: it changes nothing.
# - Windows of `WINDOW_MS` start every `ADVANCE_MS`, and close as soon as their end is at most the watermark + 1.
# - Without a position, or for a shop that does not exist, there is no AWAY.
# - Payments too old to be sent again, and closed windows, leave the state.
# - No payment or position arrives after the watermark has passed it; a Change may.
#
# Write AWAY first, then payments sent again, then the windows.

# %% task="Desk" todo="process the rows that the watermark has reached, in their order; then close windows"
class Desk:
    """Find the alerts of one shard. `Desk()` starts empty, `Desk(state)` resumes.

    run(arrived, watermark_ms): take the rows that arrived (Position, Change, Payment),
      and return the list of alerts that the watermark has made certain, in any order.
    state: dicts, lists, sets, tuples, numbers, texts, and rows, up to date after each
      run. A Desk may change the state that it was made from.

    Example: a shop around (0, 0)–(4, 4), the phone at (9, 2) at 5, a payment of 500
      at 7 with the id "p": run(rows, 7) -> [Alert("AWAY", "a", "p", 7, 500)]
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
# A phone outside the mill; its account pays there twice, above its limit of 600, and
# sends the second payment again.
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
# **Why.** One desk is one core. Spark runs a desk for each **shard**, keeps its state in checkpoints, and resumes it
# after a crash. A mistake with the watermark, the fences or the store shows no error.
#
# **Tools.**
# ```python
# records.mapInPandas(f, "shard int, row binary, time_ms long")       # f: iterator of frames -> iterator of frames
# pd.DataFrame(rows, columns=[…], dtype=object)                       # keeps whole numbers next to None
# F.timestamp_millis("time_ms"), pickle.dumps(row), str(uuid4())
# frame_of([*map(dead_row, dead), *desk.run(…)])                      # a frame with the columns ALERTS
# per_worker(name, open_store)                                        # opens the store once in each worker process
# ```
#
# **Rule.**
#
# 1. `mapInPandas` routes each record. A change goes to all shards, a position or payment to
#    `bucket_of({"account": …}, ["account"], shards)`, a dead letter to any one shard.
# 2. Then comes `withWatermark`, on a time that is null for changes and dead letters: no clock that is ahead moves the
#    watermark (invariant 3).
# 3. `applyInPandasWithState` runs a `Desk` for each shard, also when no row comes (Lab 8's time-outs).
# 4. Each call asks the store once, for the distinct accounts of its payments, if it has any. `get_many` returns a dict
#    with every account: its row, None (unknown), or NO_ANSWER. A payment's `limit_cents` becomes `limit_of(row)`, or
#    None for NO_ANSWER (invariant 7).
#
# Workers outlive a query, so give `per_worker` a name that no other query has.

# %% task="alerts" todo="route the records, then the watermark, then a Desk for each shard"
def alerts(
    records: DataFrame,
    shards: int,
    lateness_s: float,
    open_store: Callable[[], Any],
    ahead_ms: int = 60_000,
) -> DataFrame:
    """Return a streaming DataFrame of all alerts and dead letters; start no query.

    records: the columns of `Record`, in this order. Returns the columns of `ALERTS`,
    for append mode. If rows are less than `lateness_s` late, the alerts are the same
    for every order of arrival and every number of shards.

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

# A payment through Spark, after a shop and a phone; then a clock that is a year ahead,
# and a last position.
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
# **Why.** Every call to a store that is down waits for a time-out. A **circuit breaker** notices that, and stops
# calling. Lab 6's `LruCache`, in front of it, still answers what it remembers.
#
# ```text
#            trips errors in a row           rest_s later
#   closed ────────────────────────▶ open ─────────────────▶ half-open
#     ▲                               ▲                         │ │
#     │                               └── an error: rest again ─┘ │
#     └──────────────────────── an answer ────────────────────────┘
# ```
#
# **Rule.** An error is a StoreError. The breaker is open from the `trips`-th error in a row until `rest_s` after the
# last one, and half-open from exactly then on. `get_many` calls `store.get_many(keys)` once, which returns the rows of
# the known keys. After an error, and while the breaker is open, each key gets NO_ANSWER.
#
# **Edge cases**
#
# - While the breaker is open, and without keys, the store is not asked.
# - Only an answer ends a row of errors; then the breaker counts from zero.
# - The rest begins when the error *comes*: a time-out may be longer than the rest.
# - Another exception is a bug. It passes through, and counts neither as an error nor as an answer.

# %% task="GuardedStore" todo="count the errors in a row, and ask nobody while the store rests"
class GuardedStore:
    """A store with a circuit breaker. `clock()` is the time in s; it never goes back.

    state: "closed", "open" or "half-open"
    get_many(keys): return a dict with each of the keys (a list, tuple or set): its row,
      None if it is unknown, or NO_ANSWER.

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
# 20 seconds of a store that is down from 4 s to 13 s, with a call in each second.
class Fragile:
    """A store that raises StoreError from 4 s to 13 s."""

    calls = 0

    def get_many(self, keys: Collection[str]) -> dict[str, str]:
        """Count the call, and answer it if the store is up."""
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
# **Why.** What is UNDECIDED must be decided later. A crash would lose a list in memory, so `repair` is a **pure
# function of the log**, which any process may run.
#
# **Rule.** A window is an account and a subject. It is open if the log has UNDECIDED for it, and nowhere SPENT or
# CLEARED; the oldest one is that whose first UNDECIDED comes first. A decision is this row with another kind: "SPENT"
# if its cents are above `limit_of(row of the store)`, otherwise "CLEARED". The store is asked at most once, for the
# accounts of the `most` oldest open windows.
#
# **Edge cases**
#
# - A window that is UNDECIDED several times, with equal cents, is decided once (invariant 8).
# - AWAY rows do not matter, whatever their subject.
# - A window without an answer stays open, and still takes one of the `most` places.

# %% task="repair" todo="find the oldest open windows, ask once for their accounts, decide those with an answer"
def repair(rows: Sequence[Alert], store: Any, most: int) -> list[Alert]:
    """Return the decisions on the `most` oldest open windows, oldest first.

    rows: the alerts of the log, in its order.
    store: `store.get_many(accounts)` returns a dict with each account: its row, None or
      NO_ANSWER, as GuardedStore does.

    Raises ValueError if most < 1.
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
# A log with three open windows. Each run decides two at most and appends its decisions;
# bob has no answer at first.
class Limits(dict):
    """A store of limits: `get_many` returns what the dict has."""

    def get_many(self, keys: Collection[str]) -> dict[str, Any]:
        """Return the value of each key."""
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
# **Why.** Spark's `foreachBatch` is **at least once**: a job that dies after it wrote a batch, and before Spark noted
# that, writes it again. So the log must hold the batch's number, in one **transaction** with its rows
# ([Kafka's design](https://kafka.apache.org/documentation/#semantics)). Then the system is **exactly once**.
#
# **Tools.** Each operation of the given `AlertLog` raises `LogError` if the log does not answer, and `Fenced` if a
# writer with a higher **epoch** has begun. Each start of the job gets a higher one.
# ```python
# log.begin(epoch)    # ends the open transaction, fences earlier writers, returns the last complete batch, or -1
# log.append(row)     # adds a row to the open transaction
# log.commit(number)  # makes the open rows and this number visible, both or neither
# ```
#
# **Rule.** Begin once, when the writer is made. `write` puts all rows of a batch and its number into one transaction,
# unless the log has a batch with this number or a higher one (invariant 5). After a LogError, the operation may have
# had its effect or not: only `begin` tells, and it drops rows that were not committed. So begin again before the next
# attempt. To begin is to call `begin` until it answers, up to `tries` times.
#
# **Edge cases**
#
# - Batches without rows are written, too.
# - After `tries` attempts, or `tries` calls of `begin` without an answer, raise the LogError (invariant 9). Nobody uses
#   the writer after that.
# - `Fenced` passes through at once: another writer has taken over, and a new epoch would fence it (invariant 6).

# %% task="AlertWriter" todo="begin; append all rows and commit; after a LogError begin again and look what is there"
class AlertWriter:
    """Writes each batch to a log exactly once.

    tries: attempts at a batch, and calls of `begin` each time the writer begins
    last: the number of the last complete batch, -1 if there is none
    write(number, rows): return True if this call wrote the batch, even if an answer was
      lost, and False if the log had it before. rows: a list.

    Raises LogError if the log does not answer, and Fenced, also when it is made.
    Example: AlertWriter(log, epoch=1).write(0, ["an alert"]) -> True; again -> False
    """

    def __init__(self, log: Any, epoch: int, tries: int = 3) -> None:
        ### BEGIN SOLUTION
        self._log, self._epoch, self._tries = log, epoch, tries
        self.last = self._begin()

    def write(self, number: int, rows: Sequence[Any]) -> bool:
        for attempt in range(self._tries):
            if number <= self.last:
                return attempt > 0
            try:
                for row in rows:
                    self._log.append(row)
                self._log.commit(number)
                self.last = number
                return True
            except LogError:
                if attempt == self._tries - 1:
                    raise
                self.last = self._begin()
        raise AssertionError("there is at least one attempt")

    def _begin(self) -> int:
        for attempt in range(self._tries):
            try:
                return self._log.begin(self._epoch)
            except LogError:
                if attempt == self._tries - 1:
                    raise
        raise AssertionError("there is at least one attempt")
        ### END SOLUTION

# %% check="AlertWriter"
from streamlab.lab09_system.alert_log import AlertLog, make_log, read_committed

# Two writers on a real broker. Notice who is fenced, and what a reader sees of the open
# transaction. (10 s)
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

# The check kills and delays writers at every operation of a log in memory, and once on
# a real broker. (5 s)
check("AlertWriter")

# %% [markdown]
# ### Task 7 · `Supervisor`
#
# **Why.** A leader restarts programs that crash, ever more slowly in a **crash loop** (**exponential back-off**). A
# **lease** finds a program that hangs. If that program goes on later, it is a **zombie**: the **epoch** distinguishes
# it from its successor (invariant 6).
#
# ```text
#            start: the next epoch, a lease begins
#   waiting ───────────────────────────────────────▶ running ◀─▶ beat: a new lease
#    │   ▲                                              │
#    │   └──── ended, or kill when the lease ends ──────┘
#    └──▶ given up: after the tries-th failure in a row
# ```
#
# **Rule.** `tick` looks at each program, in the order of `programs`, and orders:
#
# 1. kill, if its lease has ended: `lease_ms` after the start or the last beat;
# 2. give_up, once, after `tries` failures in a row;
# 3. start, if it waits, and never ran or its wait is over. The epochs of its starts are 1, 2, 3, …
#
# Each end and each kill is a failure. After the n-th in a row, the next start waits `first_ms`·2ⁿ⁻¹, but at most
# `most_ms`. The failure of a run of `stable_ms` or longer is the first again.
#
# **Edge cases**
#
# - Only `tick` looks at a lease: a beat that comes before that tick counts, and the failure has the tick's time.
# - One tick may give several orders. Kill and give_up have the last start's epoch.
# - Beats and ends of another epoch, or of a program that does not run or is unknown, change nothing.

# %% task="Supervisor" todo="keep each program's epoch, failures in a row, and the end of its lease or wait"
class Supervisor:
    """Start programs, also after they end or hang. Times are ms and never go back.

    tick(now_ms): return the orders, program by program.
    beat(program, epoch, now_ms): renew the lease; return False for "stop yourself".
    ended(program, epoch, now_ms): note that the program has ended.

    Example: RestartRules(lease_ms=3000, first_ms=1000, …): tick(0) -> start job 1;
      beat("job", 1, 1000) -> True; tick(4000) -> kill job 1; tick(5000) -> start job 2
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
# A job that crashes 300 ms after each start, and once ran for 20 s. A tick each 100 ms.
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
# **Why.** An **autoscaler** that follows every dip of the load stops instances that it needs again a moment later; one
# that ignores the lag never works off a backlog.
#
# **Tools.** Lab 2's `SlidingMax` (`add`, `expire`, `result`) and Lab 7's `FirstFit` (`place`, `remove`, `used`).
#
# **Rule** (invariant 12). In this order:
#
# 1. The instances in `gone` lose their places.
# 2. The **need** is the smallest n for which n instances are at most `busy_percent` busy with `offered_per_s`, *and*
#    can process `offered_per_s` + `lag` / `drain_s`. Then limit it to `least` … `most`.
# 3. The number of instances becomes the largest need of the last `quiet_ticks` ticks, this one included.
# 4. While there are too many, the newest instance on the highest worker stops. While there are too few, a new one
#    starts: desk-1, desk-2, …, where First-Fit places `size` on workers of 1000.
#
# **Edge cases**
#
# - Decide without floats: 100 * 0.29 is less than 29. `per_instance_per_s` is at least 1.
# - No name is used twice. A name in `gone` that does not run is ignored.
# - A lost instance leaves a hole, which First-Fit fills. An empty worker below the highest one counts as on.

# %% task="Autoscaler" todo="drop what is gone, compute the need, remember the peak, then stop or start one by one"
class Autoscaler:
    """Decide once per second how many instances run, and on which workers.

    tick(offered_per_s, per_instance_per_s, lag, gone=()) -> Packed: records per second
      that arrive, and that one instance can process; records that wait; lost instances.
      Packed: {instance: worker}, and the number of the highest such worker plus one.

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
# A backlog needs a fourth instance at once; it stops when three ticks did not need it.
with one_line_errors():
    scaler = Autoscaler(ScaleRules(70, 60, 3, 1, 8, 250))
    for lag in (0, 60_000, 0, 0, 0):
        print(f"lag {lag:6,}:", scaler.tick(1000, 500, lag))

check("Autoscaler")

# %% [markdown]
# ### Task 9 · `service_levels`
#
# **Why.** A dashboard that measures only the alerts that came says "p99 0.3 s" while nothing comes. A **service-level
# objective** (SLO) counts all alerts that should have come. The share that may fail is the **error budget**; how fast
# it is spent decides whether somebody is woken up.
#
# **Rule.** The first copy of an alert, by time, counts. Its **latency** runs from the event to that copy; of a lost
# alert, it is the age at `now_ms` (invariant 13).
#
# - `twice` counts the surplus copies of expected alerts, `unknown` the different alerts that nobody expected.
# - Percentiles are **nearest ranks**: p99 of 101 latencies is the 100th by size, since 0.99 · 101 rounds up to 100.
# - An alert is **due** `limit_ms` after its event. It is *bad* if it came later than that, or is lost and due by now.
# - `budget_left` is 1 - bad / (the share that may fail · all expected), even if that is negative.
# - The **burn rate** of a window of w seconds is the share of bad alerts among those due in (now - w, now], divided by
#   the share that may fail; 0 if none is due.
# - A **page** (long_s, short_s, factor) is True if both windows burn at *more* than the factor
#   ([SRE workbook](https://sre.google/workbook/alerting-on-slos/)).

# %% task="service_levels" todo="find the first copy of each alert, then latencies, bad ones, and burn rates"
def service_levels(
    expected: dict[Any, int],
    seen: list[tuple[Any, int]],
    now_ms: int,
    objective: Objective,
) -> Report:
    """Return the service levels at `now_ms`; no other time is after it.

    expected: {alert: time of its event in ms}; seen: (alert, time in ms) of each copy,
    in any order; `pages` has a bool for each of `objective.windows`.

    Raises ValueError if nothing is expected, or unless 0 < `objective.percent` < 100.
    Example: with Objective(75.0, 1000, ((60, 5, 3.0),)) at 5000, {"a": 0, "b": 4500}
    and [("a", 1001)] give Report(lost=1, twice=0, unknown=0, p50_ms=500, p99_ms=1001,
    bad=1, budget_left=-1.0, pages=(True,)).
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
# b is 500 ms old and has not come: the median knows it, and the budget does not yet.
with one_line_errors():
    objective = Objective(75.0, 1000, ((60, 5, 3.0),))
    print(service_levels({"a": 0, "b": 4500}, [("a", 1001)], 5000, objective))

# Every 0.1 s a payment causes an alert, which takes 0.3 s. From 60 s to 75 s nobody
# leads, and the connector waits.
from streamlab.lab09_system.experiments import the_p99_that_lied

with one_line_errors():
    the_p99_that_lied(service_levels)

check("service_levels")

# %% [markdown]
# Only the p99 of all alerts, from their events on, rises while nobody leads. The first one sees nothing until alerts
# come again. The second one never does: a source that waits does not measure (**coordinated omission**).
#
# ### Task 10 · `start_job`
#
# **Why.** The query must continue after any crash. Three places remember its progress: Kafka's offsets and the desks'
# state in Spark's **checkpoint**, and the last complete batch in the log. Spark notes the end of a batch only after the
# **sink** got its rows; after a death in between, the same batch comes again, with the same number.
#
# **Tools.**
# ```python
# query = rows.writeStream.outputMode("append").option("checkpointLocation", folder).foreachBatch(f).start()
# def f(batch, number): ...       # runs in the driver; batch: a DataFrame, batch.collect() -> a list of its rows
# ```
#
# **Rule.** Start `rows` as a query in append mode with the given checkpoint. Give the rows and the number of *each*
# batch to the writer, also those of batches without rows (invariant 5). An error of the writer ends the query; if `f`
# swallows it, Spark notes that the batch is written. The Supervisor starts the job again, so `start_job` neither waits
# nor tries again.
#
# `./lab system up` runs all of it live: your tasks, real servers, and a page with ten buttons that inject faults.

# %% task="start_job" todo="start a query whose foreachBatch gives all rows of a batch to the writer"
def start_job(rows: DataFrame, writer: Any, checkpoint: str) -> Any:
    """Start the query that writes the rows, and return the StreamingQuery at once.

    rows: the streaming DataFrame of `alerts`
    writer: an AlertWriter; `write(number, rows)` gets each micro-batch once per
      attempt, its rows as a list
    checkpoint: the folder from which a later start goes on
    """
    ### BEGIN SOLUTION
    def write(batch: DataFrame, number: int) -> None:
        writer.write(number, batch.collect())

    output = rows.writeStream.outputMode("append")
    output = output.option("checkpointLocation", checkpoint)
    return output.foreachBatch(write).start()
    ### END SOLUTION

# %% check="start_job"
# The check plays four files to your job, and then a whole day of the system with nine
# faults. (60 s)
check("start_job")

# %% [markdown]
# ## 5 · What the checks look at
#
# {checks}
#
# The throughput check of `Desk` plays 3,000 records of 50 accounts in micro-batches of 200, and pickles the state
# after each. {threshold of Desk} times the rate of the **baseline** earns all points. The baseline searches one list of
# all rows for each payment and each window:
# ```python
# same = [each for each in self.state["rows"] if isinstance(each, Payment) and each.account == row.account]
# return not any(each.id == row.id and row.time_ms - each.time_ms <= REPEAT_MS for each in same)
# ```
#
# ## 6 · Checkpoint
#
# The next cell plays twenty minutes of the system in virtual seconds, with your tasks: 1,000 records a second to twelve
# partitions, and ten faults. `./lab system up --virtual` shows the same in a page with ten buttons.

# %% role="show"
# Ten faults in one day, then the same day without one policy. (15 s)
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
# Notice: the lag rises after the burst, the hot key, the broker, the job and the leader, and its curve does not say
# which it was. Each day without a policy misses a bound that the other days keep.
#
# ## 7 · Break it
#
# The next cell breaks invariant 3: with a huge `ahead_ms`, `route` accepts every date. In the fourth second of twelve,
# one clock is a year ahead.

# %% role="show"
# Twelve seconds of a small city, with and without dead letters for clocks that are
# ahead. (20 s)
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
# route accepts               alerts  missing  numRowsDroppedByWatermark
# ──────────────────────────  ──────  ───────  ─────────────────────────
# dates up to a minute ahead     157        0                          0
# every date                      34      133                        244
# ```
# One record costs four of five alerts.
#
# **How you would have noticed in production:** no error, no lag. Alert on `numRowsDroppedByWatermark`, and on the rate
# of dead letters.
#
# ## 8 · Questions, and the next lab
#
# Two questions are graded by hand.

# %% [markdown] written="how_many_of_each"
# **How many of each?** ({points} points) At Saturday's peak, 2,000 payments/s and 50,000 positions/s come in. One shop
# has 40 % of the payments, and the busiest account has 1 % of all records. A record costs 20 µs in `route` and 140 µs
# in a `Desk`, and four instances fit on a worker.
#
# 1. How many partitions, instances and workers do you order, for 70 % busy instances? How long does it take to drain
#    the backlog of an outage of half an hour? (`size` computes it, too.)
# 2. Is the shop a hot key? Whose records would be, and from which share on?
# 3. There is money for a third of the instances. Which records can wait or be left out, and what does that cost?

# %% [markdown] written="a_week_of_pages"
# **A week of pages** ({points} points) An alert is due every minute, and 99 % of them must come within 60 s. These are
# three weeks, with what `service_levels` reported for the two pages that `Objective` has by default:
#
# | week | what happens | page 1 h, 5 min, 14.4 | page 6 h, 30 min, 6 | `budget_left` at the page |
# |---|---|---|---|---|
# | A | Tuesday 06:00: the store is dead for 20 minutes | 06:09 | none | 0.50 |
# | B | from Wednesday 00:00 on 4 % of the alerts are late, from Saturday 00:00 on 8 % | none | Saturday 03:01 | -1.51 |
# | C | Sunday 08:00: the machine of the job, and of its measurements, loses power | none | none | |
#
# 1. Which page is right, and which one comes too late? What does each window of a pair contribute?
# 2. Which share of late alerts never pages? Add a page that finds B while there is budget left.
# 3. Which faults show no symptom in any sample? Who watches the watcher, and how?

# %% [markdown]
# ## 9 · ★ Bonus
#
# Nothing later needs these tasks; their points are not in the lab's {points}.
#
# ### ★ · `size`
#
# **Why.** A system that is just large enough for the peak never works off the **backlog** of an outage. And no number
# of machines helps a **hot key**, since one instance processes all of its records in order.
#
# **Tools.** As floats, 2.1 / 0.7 is 3.0000000000000004, which buys a fourth machine. `Fraction(21, 7)` is exactly 3.
#
# **Rule.** A stage needs `cost_us` µs of one core per record; an instance is one core. A stage gets the fewest
# instances, at least one, for which both hold at the peak:
#
# - *Steady*: they are busy for at most `busy_percent` of the time.
# - *Draining*: after `outage_s` without any work, the backlog is gone within `drain_s`, while new records keep coming
#   at the peak. Only then may they be busy all the time.
#
# Both must also hold for one instance with the most frequent key alone, `hottest_percent` of the records; otherwise no
# number is enough (invariant 11).
#
# - The log gets twice as many **partitions** as the largest stage with a `hottest_percent` above 0 has instances, and 2
#   without such a stage. Adding more later would break the order of keys.
# - `drain_ms` is how long the slowest stage drains, rounded up; 0 without an outage.

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
# **Why.** In a burst more records wait in the connector's queues than may enter the log. If the room is divided in
# proportion to what waits, one flood takes the room of all others.
#
# **Rule.** `room` records may enter now; `ranks` says how important a queue is, 0 first.
#
# 1. In the order of ranks, each rank gets `least` records for all its queues together, or all it has if that is less.
# 2. In the same order, each rank gets what it still has, until the room ends.
# 3. Within a rank the division is **max-min fair**: each record goes to the queue that has been granted the fewest in
#    both rounds, among those that still have records; if several have the fewest, to the first by name.
#
# All of min(room, what waits) is granted (invariant 10).

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
# **Why.** After a bad night there are thousands of samples and one question: what happened, and when? The **lag** rises
# after every fault; other symptoms tell the causes apart.
#
# **Rule.** `samples` has one `Sample` per second, in order. *Usual* is the lower quartile of the whole timeline: of
# n sorted values, the one at position (n - 1) // 4, from 0. Offered records and lag are those of all partitions.
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
# - Seconds of one kind are one **incident**, `[from_s, to_s)`, if no pause between them is longer than `pause_s`
#   seconds: a breaker sees an error of a dead store every few seconds only.
# - `back_s` is the first second from `to_s` on in which the lag is at most 2 × usual; None if there is none yet.
# - Incidents are sorted by `from_s`, then as in the table.
# - The usual offered records and `store_ms` are positive. Nothing rises in the first second.

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
