"""Source of Lab 6: enriching a stream, with the reference solutions.

`./lab build` makes the student's notebook from it; autograder/stages/lab06_enrichment judges it.
"""

# %% [markdown]
# # Lab 6 · Enriching a stream
#
# ## 1 · What works after this lab
#
# | before | after |
# |---|---|
# | an event holds all that a query needs | an event holds keys, and the rest is in a database |
# | a blocking client stands at workers / (3 × delay) | the client does not wait, asks in batches, remembers, or needs no database |
#
# ```text
#  payments ──▶ enrich_sync ──▶ enrich_async ──▶ enrich_batched       each with its rows and flags ──▶ fraud_windows
#               task 1          task 2           task 3                                                task 9
#  remember:    LruCache, CachedStore (4, 5)     SharedCache (6, Valkey)     enrich_partitioned (7, Spark)
#  no database: enrich_from_state (8, Spark)     models: classify_logs (10, ONNX)     load: waiting_ms (11)
# ```
#
# A payment names a recipient, a device and a location. Has this account used them before? A database knows. To look up
# what an event refers to is called **enrichment**. All methods of this lab give one answer. They differ in the number
# of calls, in the age of an answer, and in what happens when the database, the cache or a worker dies.
#
# {minutes} minutes, in two sittings with a pause after task 6. The notebook starts Valkey (Redis's protocol) and
# PostgreSQL; Cassandra is optional.

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
# 1. A lookup takes 5 ms, a payment needs three, and eight workers block while they wait. How many payments per second
#    do all of them enrich at most?
# 2. A cache holds the answer "this device is unknown" for an hour. The customer registers the device. What does the
#    next payment say, and who could have prevented it?
# 3. Valkey is stopped, not killed: its port is open, and nobody answers. How long does a payment take that asks it
#    first?
#
# Tasks 1, 4 and 6 show the answers.
#
# ## 4 · Tasks

# %% role="given" name="setup"
import asyncio
import json
import math
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncGenerator, Callable, Collection, Iterable, Iterator
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd
import redis
from pyspark import RDD
from pyspark.sql import DataFrame, functions as F
from streamlab import bar_plot, check, line_plot, one_line_errors, running, session, show_calls, stage, table
from streamlab.enrichment import (
    NO_ANSWER, AccountState, Change, Enriched, Key, StoreError, Transaction, Version, enriched,
)
from streamlab.enrichment.payments import bank
from streamlab.enrichment.shared_client import shared_client
from streamlab.enrichment.stores import AsyncDistant, AsyncStore, Distant, Store
from streamlab.enrichment.stores_in_memory import AsyncMemoryStore, MemoryStore
from streamlab.enrichment.virtual_time import run_virtually

spark = session("lab06_enrichment")

# %% [markdown]
# ### Tasks 1, 2 and 3 · `enrich_sync`, `enrich_async`, `enrich_batched`
#
# **Why.** A client that blocks waits three times for each payment. With 1 ms per call it enriches 333 payments per
# second, however fast the machine is: workers / (3 × delay). Nearly all of that is waiting, and one process can wait for
# many answers at once. By **Little's law**, calls in flight = throughput × delay, so 50 payments in flight give 50 times
# the rate. Apache Flink calls this **async I/O**, and its questions are those of task 2: how many may be in flight, in
# which order do results come, and what happens without an answer? Waiting for many at once still costs a call for each
# key. A **batch** asks for many keys in one call, and its payments wait until the batch is full.
#
# Known, unknown and no answer are three results (invariant 2). A bank that treats "the database did not answer" as
# "this device is unknown" blocks cards whenever its database is slow.
#
# | given | what it is |
# |---|---|
# | `transaction.keys` | its three `Key(kind, account, item)`: recipient, device, location |
# | a store | `get(key)` returns the row, or None if unknown; `get_many(keys)` returns a dict of the known ones |
# | `enriched(transaction, answers)` | three answers, each a row, None or `NO_ANSWER` → rows and flags |
# | `run_virtually(work)` | runs a coroutine in **virtual time**, where sleeping takes no time: (result, virtual seconds) |
# ```python
# lookup = asyncio.create_task(store.get(key))           # starts it; `await lookup` waits; `lookup.cancel()` ends it
# await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)     # returns (done, pending)
# async with asyncio.timeout(0.003): ...                 # raises TimeoutError in the block after 3 ms
# ```
# ([asyncio](https://docs.python.org/3/library/asyncio-task.html))

# %% task="enrich_sync" todo="for each transaction, ask for its three keys in their order and yield the result"
def enrich_sync(transactions: Iterable[Transaction], store: Store) -> Iterator[Enriched]:
    """Yield each transaction with its rows, in order.

    For each, calls `store.get` for its three keys, in the order of `.keys`. Is lazy: takes a transaction only when its
    result is asked for, and looks up each key again each time.

    Example: 300 transactions at 1 ms per call -> 900 calls, 0.9 s
    """
    ### BEGIN SOLUTION
    for transaction in transactions:
        yield enriched(transaction, [store.get(key) for key in transaction.keys])
    ### END SOLUTION

# %% check="enrich_sync"
# Three payments of ann and bob. What does an empty row mean, and what an unknown key?
KNOWN = {Key("recipient", "ann", "shop"): "Shop 7", Key("device", "ann", "phone"): "", Key("location", "ann", "Berlin"): "DE"}
payments = [
    Transaction("t1", "ann", "shop", "phone", "Berlin", 1999, 0),
    Transaction("t2", "ann", "shop", "laptop", "Berlin", 250, 10),
    Transaction("t3", "bob", "shop", "phone", "Berlin", 70, 20),
]
with one_line_errors():
    slow = MemoryStore(KNOWN, distance_s=0.005)
    for each in enrich_sync(payments, slow):
        print(each.transaction.id, each.rows, each.flags)
    print(f"{len(slow.calls)} calls of 5 ms: {slow.now_s:.3f} s, so 8 workers enrich {8 / 0.015:.0f} payments/s at most")

check("enrich_sync")

# %% task="enrich_async" todo="keep `capacity` transactions in flight; time-outs per lookup; cancel what is left at the end"
async def enrich_async(
    transactions: Iterable[Transaction], store: AsyncStore, capacity: int, timeout_s: float, ordered: bool = True
) -> AsyncGenerator[Enriched, None]:
    """Yield each transaction with its rows, while up to `capacity` transactions are in flight.

    - At most `capacity` transactions are taken from `transactions` and not yet yielded. A free place is used at once,
      when the next result is asked for. The three lookups (`store.get`) of a transaction run at the same time.
    - A lookup without an answer within `timeout_s` seconds, or with a StoreError, has `NO_ANSWER`; the other lookups
      keep their answers. Any other exception is raised here.
    - ordered: in the order of the input. Otherwise as they are done; of those done at the same time, any first.
    - Closing the generator (`aclose()`) or an exception cancels all lookups that still run.
    - ValueError, at the first item: capacity < 1 or timeout_s <= 0.

    Example: six transactions, 1 ms per call, 5 ms for the device of the second, capacity 2: they come after
    1, 5, 5, 6, 6, 7 ms in order; otherwise t1 t3 t4 t5 after 1, 2, 3, 4 ms, t2 and t6 after 5 ms
    """
    ### BEGIN SOLUTION
    if capacity < 1 or not timeout_s > 0:
        raise ValueError(f"expected capacity >= 1 and timeout_s > 0, got {capacity} and {timeout_s}")
    source, in_flight = iter(transactions), list[asyncio.Task[Enriched]]()
    try:
        while True:
            new = islice(source, capacity - len(in_flight))
            in_flight += [asyncio.create_task(enrich_one(each, store, timeout_s)) for each in new]
            if not in_flight:
                return
            await asyncio.wait(in_flight[:1] if ordered else in_flight, return_when=asyncio.FIRST_COMPLETED)
            done = next(task for task in in_flight if task.done())
            in_flight.remove(done)
            yield done.result()
    finally:
        for task in in_flight:
            task.cancel()
        await asyncio.gather(*in_flight, return_exceptions=True)


async def enrich_one(transaction: Transaction, store: AsyncStore, timeout_s: float) -> Enriched:
    lookups = [asyncio.create_task(answer_of(key, store, timeout_s)) for key in transaction.keys]
    try:
        return enriched(transaction, await asyncio.gather(*lookups))
    finally:
        for lookup in lookups:  # one has failed, or nobody waits any more
            lookup.cancel()


async def answer_of(key: Key, store: AsyncStore, timeout_s: float) -> Any:
    try:
        async with asyncio.timeout(timeout_s):
            return await store.get(key)
    except (StoreError, TimeoutError):
        return NO_ANSWER
    ### END SOLUTION

# %% check="enrich_async"
# Six payments with two places; the device of the second takes 5 ms. Who waits for whom?
def slow_device(key: Key) -> float:
    return 0.005 if key.item == "d2" else 0.001

async def arrivals(ordered: bool, timeout_s: float) -> list[str]:
    six = [Transaction(f"t{n}", "ann", "shop", f"d{n}", "Berlin", 100, n) for n in range(1, 7)]
    results = enrich_async(six, AsyncMemoryStore(KNOWN, slow_device), 2, timeout_s, ordered)
    clock, shown = asyncio.get_running_loop().time, []
    async for each in results:
        shown.append(f"{each.transaction.id} at {1000 * clock():.0f} ms {each.flags[0][:9] if each.transaction.id == 't2' else ''}")
    return shown

with one_line_errors():
    for ordered, timeout_s in (True, 1.0), (False, 1.0), (True, 0.003):
        found, _ = run_virtually(arrivals(ordered, timeout_s))
        print("in order:" if ordered else "as done: ", "; ".join(found))

check("enrich_async")

# %% task="enrich_batched" todo="take a batch, ask once for all of its keys, yield its transactions"
def enrich_batched(transactions: Iterable[Transaction], store: Store, batch: int) -> Iterator[Enriched]:
    """Yield each transaction with its rows, in order, with one `store.get_many` for `batch` transactions.

    - A call asks for each key of the batch once, even if several transactions have it. The last batch may be short.
    - Is lazy: takes a batch only when its first result is asked for, and never more than a batch ahead.
    - ValueError, at the first item at the latest: batch < 1.

    Example: 300 transactions in batches of 50 -> 6 calls, not 900
    """
    ### BEGIN SOLUTION
    if batch < 1:
        raise ValueError(f"expected a batch of at least 1 transaction, got {batch}")
    source = iter(transactions)
    while taken := list(islice(source, batch)):
        rows = store.get_many(list(dict.fromkeys(key for each in taken for key in each.keys)))
        for each in taken:
            yield enriched(each, [rows.get(key) for key in each.keys])
    ### END SOLUTION

# %% check="enrich_batched"
# The same 300 payments, one key per call and in batches. What does a payment wait for in a large batch?
with one_line_errors():
    some = bank("show", accounts=20)
    for batch in 1, 50, 300:
        store = MemoryStore(some.rows, distance_s=0.001)
        flagged = sum(bool(each.flags) for each in enrich_batched(some.payments(300), store, batch))
        print(f"batch {batch:3}: {len(store.calls):3} calls, {store.now_s:.3f} s, {flagged} payments with a flag")

check("enrich_batched")

# %% [markdown]
# ### Tasks 4, 5 and 6 · `LruCache`, `CachedStore`, `SharedCache`
#
# **Why.** The same accounts pay again and again. A **cache** remembers answers, and raises three questions. What
# leaves when it is full? The key that is needed last would be best (Belady), but nobody knows the future; **LRU** drops
# the *least recently used* one. How old may an answer be? A **time to live** (TTL) bounds it: prediction 2. And who asks
# when a hundred tasks miss the same key at the same moment? One of them, while the others wait for its call; Go calls
# this **single flight**. Without it, an expired hot key hits the database a hundred times: a **cache stampede**.
#
# **Why shared.** A local cache dies with its process, and every process fills its own. A cache in an **in-memory
# database** such as Redis outlives them, and costs a round trip. It must never be the reason for a failure: if it dies,
# the store answers. If it *hangs*, each call would wait for a time-out first (prediction 3). So a client stops asking for
# a while after a failure; this is a **circuit breaker**.
#
# Two bugs of a published implementation are tested here: a hit in Redis flagged the payment as unknown (invariant 7),
# and keys were joined without a separator, so that "1" + "23" and "12" + "3" shared a row (invariant 6).
# ```python
# client.mget(names)                                     # one round trip: a text or None for each name
# pipe = client.pipeline(transaction=False); pipe.set(name, text, px=1500); pipe.execute()    # one round trip, 1500 ms
# client.delete(*names)                                  # every error of the client is a redis.RedisError
# json.dumps(None), json.dumps("")                       # ('null', '""')
# OrderedDict: move_to_end(key), popitem(last=False)     # both take the same time at any size
# await asyncio.shield(task)                             # who waits may be cancelled; the task goes on
# ```
# ([redis-py](https://redis.readthedocs.io/en/stable/commands.html),
# [OrderedDict](https://docs.python.org/3/library/collections.html#collections.OrderedDict),
# [shield](https://docs.python.org/3/library/asyncio-task.html#asyncio.shield))

# %% task="LruCache" todo="keep entries in the order of their use, each with the time at which it ends"
class LruCache:
    """At most `entries` values by key; the least recently used one leaves first.

    entries: at least 1. ttl_s: seconds that an entry lives, above 0. clock: returns the time in seconds.
    `hits` and `misses` count what `get` found and did not find; `len(cache)` is the number of entries.
    ValueError: entries < 1 or ttl_s <= 0.

    Example: entries 2, ttl_s 10: put a at 0, put b at 1, get a, get b, put c at 2: a has left. get b at 11 is a miss
    """

    def __init__(self, entries: int, ttl_s: float = math.inf, clock: Callable[[], float] = time.monotonic) -> None:
        ### BEGIN SOLUTION
        if entries < 1 or not ttl_s > 0:
            raise ValueError(f"expected entries >= 1 and ttl_s > 0, got {entries} and {ttl_s}")
        self.entries, self.ttl_s, self.clock = entries, ttl_s, clock
        self.hits = self.misses = 0
        self.kept: OrderedDict[Any, tuple[Any, float]] = OrderedDict()  # key -> (value, its end); the oldest use first
        ### END SOLUTION

    def get(self, key: Any, default: Any = None) -> Any:
        """Return the value of a key, else `default`. None is a value like any other.

        An entry that was put at t is a hit before t + ttl_s. From then on it is a miss, and `get` removes it; until
        then it counts as an entry. A hit makes the entry the most recently used one, and does not prolong its life.
        """
        ### BEGIN SOLUTION
        value, ends = self.kept.get(key, (default, -math.inf))
        if self.clock() < ends:
            self.kept.move_to_end(key)
            self.hits += 1
            return value
        self.kept.pop(key, None)
        self.misses += 1
        return default
        ### END SOLUTION

    def put(self, key: Any, value: Any) -> None:
        """Keep a value, as the most recently used entry, for ttl_s from now; replace the one that the key has.

        Like `get`, compares a few keys at most, however many entries there are.
        """
        ### BEGIN SOLUTION
        self.kept[key] = value, self.clock() + self.ttl_s
        self.kept.move_to_end(key)
        if len(self.kept) > self.entries:
            self.kept.popitem(last=False)

    def __len__(self) -> int:
        return len(self.kept)
        ### END SOLUTION

# %% check="LruCache"
# The example of the docstring. A time to live says how old an answer may be (prediction 2).
with one_line_errors():
    now_s = 0.0
    cache = LruCache(2, ttl_s=10, clock=lambda: now_s)
    for now_s, key in (0.0, "a"), (1.0, "b"), (2.0, "c"):
        cache.put(key, None if key == "b" else key.upper())
        print(f"{now_s:4} put {key}: a is {cache.get('a', 'not here')}, b is {cache.get('b', 'not here')}")
    for now_s, key in (11.0, "b"), (11.9, "c"), (12.0, "c"):
        print(f"{now_s:4} get {key}: {cache.get(key, 'not here')}; {cache.hits} hits, {cache.misses} misses, {len(cache)} left")

check("LruCache")

# %% task="CachedStore" todo="return what the cache has; else share the call that is open for this key, or start one"
class CachedStore:
    """A store that does not block, with a cache in front of it.

    cache: has `get(key, default)` and `put(key, row)`, like LruCache.

    Example: CachedStore(store, LruCache(3000, ttl_s=60)); two tasks that get one key at once make one call
    """

    def __init__(self, store: AsyncStore, cache: Any) -> None:
        ### BEGIN SOLUTION
        self.store, self.cache = store, cache
        self.calls: dict[Key, asyncio.Task[str | None]] = {}
        ### END SOLUTION

    async def get(self, key: Key) -> str | None:
        """Return the row of a key, None if it is unknown; raise what the call to the store raises.

        - Ask the store only for what the cache does not have; keep the answer, also if the key is unknown.
        - All who wait for one key at the same time share one call. Calls for other keys run beside it.
        - A failure reaches all who wait, and is not kept: the next `get` asks again.
        - Who gives up (is cancelled) leaves the call to the others.
        """
        ### BEGIN SOLUTION
        row = self.cache.get(key, NO_ANSWER)
        if row is not NO_ANSWER:
            return row
        if key not in self.calls:
            self.calls[key] = asyncio.create_task(self.ask(key))
            self.calls[key].add_done_callback(lambda call: call.cancelled() or call.exception())  # if nobody waits
        return await asyncio.shield(self.calls[key])

    async def ask(self, key: Key) -> str | None:
        try:
            row = await self.store.get(key)
            self.cache.put(key, row)
            return row
        finally:
            del self.calls[key]
        ### END SOLUTION

# %% check="CachedStore"
# Ten tasks want one key, and the first one gives up after 1 ms of 5. How many calls, and who gets the row?
async def ten_at_once() -> str:
    store = AsyncMemoryStore(KNOWN, lambda key: 0.005)
    cached = CachedStore(store, LruCache(100))
    waiting = [asyncio.create_task(cached.get(Key("recipient", "ann", "shop"))) for _ in range(10)]
    await asyncio.sleep(0.001)
    waiting[0].cancel()
    rows = await asyncio.gather(*waiting, return_exceptions=True)
    return f"{len(store.calls)} call; {rows.count('Shop 7')} rows, and {type(rows[0]).__name__} for the first"

with one_line_errors():
    print(*run_virtually(ten_at_once()))

check("CachedStore")

# %% task="SharedCache" todo="mget what is kept, ask the store for the rest, keep its answers with a time to live"
class SharedCache:
    """A blocking store with a cache in Redis in front of it, which all workers share.

    client: a redis.Redis whose answers are texts, as `shared_client` makes it: it tries once and gives up after 0.1 s.
    ttl_s: seconds that an entry lives in Redis. rest_s: seconds without Redis after it failed. clock: time in seconds.

    Example: SharedCache(shared_client(address), store, ttl_s=60).get_many(keys)
    """

    def __init__(
        self, client: Any, store: Store, ttl_s: float, rest_s: float = 1.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        ### BEGIN SOLUTION
        self.client, self.store, self.ttl_s, self.rest_s, self.clock = client, store, ttl_s, rest_s, clock
        self.rests_until = -math.inf
        ### END SOLUTION

    def get(self, key: Key) -> str | None:
        """Return the row of one key, None if it is unknown."""
        ### BEGIN SOLUTION
        return self.get_many([key]).get(key)
        ### END SOLUTION

    def get_many(self, keys: Collection[Key]) -> dict[Key, str]:
        """Return the rows of those keys that are known.

        - One round trip to Redis for what is kept; one `store.get_many` for the rest, if there is any; one more round
          trip to keep its answers, unknown keys included, each with its time to live.
        - Different keys never share an entry, whatever characters they hold.
        - If Redis fails or hangs (redis.RedisError), the store answers. For `rest_s` from then on, Redis is not tried,
          neither for reads nor for writes. What the store raises is raised.
        """
        ### BEGIN SOLUTION
        asked = list(dict.fromkeys(keys))
        texts = (asked and self.tried(lambda: self.client.mget([name(key) for key in asked]))) or [None] * len(asked)
        rows = {key: json.loads(text) for key, text in zip(asked, texts, strict=True) if text is not None}
        if missing := [key for key in asked if key not in rows]:
            fresh = self.store.get_many(missing)
            rows |= {key: fresh.get(key) for key in missing}
            self.tried(lambda: self.keep({key: rows[key] for key in missing}))
        return {key: rows[key] for key in asked if rows[key] is not None}

    def keep(self, rows: dict[Key, str | None]) -> None:
        pipe = self.client.pipeline(transaction=False)
        for key, row in rows.items():
            pipe.set(name(key), json.dumps(row), px=max(1, round(1000 * self.ttl_s)))
        pipe.execute()

    def tried(self, call: Callable[[], Any]) -> Any:
        if self.clock() < self.rests_until:
            return None
        try:
            return call()
        except redis.RedisError:
            self.rests_until = self.clock() + self.rest_s
            return None
        ### END SOLUTION

    def forget(self, keys: Collection[Key]) -> bool:
        """Remove keys from Redis, for those who change their rows; return whether Redis has done it.

        Tries even during a rest. After False, an old answer may come until its time to live ends.
        """
        ### BEGIN SOLUTION
        try:
            if keys:
                self.client.delete(*map(name, keys))
            return True
        except redis.RedisError:
            return False


def name(key: Key) -> str:
    return json.dumps(key)
    ### END SOLUTION

# %% check="SharedCache"
# Two workers share a cache. It is killed, and then another one hangs (prediction 3). What does each call cost?
with one_line_errors(), running("redis") as valkey:
    store = MemoryStore(some.rows, distance_s=0.0)
    first, second = (SharedCache(shared_client(valkey.address), store, ttl_s=60) for _ in range(2))
    keys = [key for each in some.payments(20) for key in each.keys]
    for what, worker in ("first worker", first), ("second worker", second), ("paused", second), ("resting", second):
        if what == "paused":
            valkey.pause()
        before, began = len(store.calls), time.perf_counter()
        rows = worker.get_many(keys)
        print(f"{what:13} {len(rows)} rows, {len(store.calls) - before} calls to the store, {1000 * (time.perf_counter() - began):.0f} ms")
    print("forget while it is paused:", second.forget(keys[:1]))
    valkey.resume()

check("SharedCache")

# %% [markdown]
# ### Tasks 7 and 8 · `enrich_partitioned`, `enrich_from_state`
#
# **Why.** (helper B)

# %% task="enrich_partitioned" todo="partition by account; in each task open one store, use the worker's cache, close the store"
def enrich_partitioned(
    transactions: "RDD[Transaction]",
    partitions: int,
    partition_of: Callable[[bytes, int], int],
    open_store: Callable[[], Any],
    open_cache: Callable[[], Any],
) -> "RDD[Enriched]":
    """Enrich transactions where the cache of their account is."""
    ### BEGIN SOLUTION
    raise NotImplementedError
    ### END SOLUTION

# %% check="enrich_partitioned"
check("enrich_partitioned")

# %% task="enrich_from_state" todo="add what arrived; answer what the watermark has reached; drop what nobody can ask for"
def enrich_from_state(
    state: AccountState, arrived: Iterable[Transaction | Change], watermark_ms: int
) -> tuple[AccountState, list[Enriched]]:
    """Answer the transactions of one account from versions of its rows."""
    ### BEGIN SOLUTION
    raise NotImplementedError
    ### END SOLUTION

# %% check="enrich_from_state"
check("enrich_from_state")

# %% [markdown]
# ### Tasks 9, 10 and 11 · `fraud_windows`, `classify_logs`, `waiting_ms`
#
# **Why.** (helper B)

# %% task="fraud_windows" todo="drop duplicates and late rows; sum, count and collect flags per window and account"
def fraud_windows(enriched: DataFrame, watermark_s: int) -> DataFrame:
    """Describe the windows of each account."""
    ### BEGIN SOLUTION
    raise NotImplementedError
    ### END SOLUTION

# %% check="fraud_windows"
check("fraud_windows")

# %% task="classify_logs" todo="one run for each service and batch; keep sessions in the cache only"
def classify_logs(
    batches: Iterable[pd.DataFrame], open_session: Callable[[str], Any], sessions: Any
) -> Iterator[pd.DataFrame]:
    """Yield the rows of each batch with a label and its score."""
    ### BEGIN SOLUTION
    raise NotImplementedError
    ### END SOLUTION

# %% check="classify_logs"
check("classify_logs")

# %% task="waiting_ms" todo="a queue for each broker; send when it is full, when its oldest has waited, and at the end"
def waiting_ms(
    bursts: Iterable[tuple[int, int]], partitions: int, brokers: int, enough: int, linger_ms: int
) -> list[int]:
    """Return how long each message waits in the queue of its broker."""
    ### BEGIN SOLUTION
    raise NotImplementedError
    ### END SOLUTION

# %% check="waiting_ms"
check("waiting_ms")

# %% [markdown]
# ## 5 · What the checks look at
#
# A check runs your functions on many kinds of input, and every solution that keeps the rules passes. `enrich_async` and
# `CachedStore` run in virtual time, so times are exact and a deadlock is found at once. Valkey is killed with kill -9
# and stopped with SIGSTOP; workers of Spark are killed. In a notebook a check is advice.
#
# **The throughput check** of `enrich_async` compares with a **baseline** that has one call in flight (next cell): 200
# transactions, 1 ms per call, capacity 50. {threshold of enrich_async} times the baseline's rate earns all points.
#
# ## 6 · Checkpoint
#
# All tasks pass their checks. Six experiments show what you have built, and where it ends.

# %% role="show"
# The baseline of the throughput check: one call in flight.
async def one_call_in_flight(transactions: Iterable[Transaction], store: AsyncStore) -> AsyncGenerator[Enriched, None]:
    for transaction in transactions:
        yield enriched(transaction, [await store.get(key) for key in transaction.keys])

# %% [markdown] written="choose_a_method"
# ## 8 · Questions, and the next lab
#
# **Choose a method.** (3 points)

# %% [markdown] written="what_a_plateau_hides"
# **What does a plateau hide?** (3 points)
