"""Experiment of Lab 6: the age of answers, while one row changes every second and four payments a second look it up.

Time is simulated: the clock is an argument. A row contains the time at which it was written. The age of an answer is
the time since its row was replaced, and 0 for the current row.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from streamlab.lab06_enrichment.events import Key, Transaction
from streamlab.lab06_enrichment.histories import EMPTY, Change, Version
from streamlab.lab06_enrichment.shared_client import shared_client

KEY = Key("device", "ann", "phone")
CHANGE_EVERY_MS, ASK_EVERY_MS, FIRST_ASK_MS, UNTIL_MS = 1000, 250, 50, 12_000
TTL_S, READ_AGAIN_EVERY_MS, WATERMARK_MS = 3.0, 4000, 2000
UNREACHABLE = "127.0.0.1:1"  # a writer that cannot reach Redis
KEPT_S = 60.0  # longer than the experiment takes
Ages = list[tuple[float, float]]  # (s at which a payment happened, age of its answer in s)


def payments() -> list[Transaction]:
    """Return one payment every 250 ms, all with the same device."""
    times = range(FIRST_ASK_MS, UNTIL_MS, ASK_EVERY_MS)
    return [Transaction(f"t{at:05d}", "ann", "shop", "phone", "Berlin", 100, at) for at in times]


def row_at(at_ms: int) -> str:
    """Return the current row, which is the time of its change in ms."""
    return str(at_ms // CHANGE_EVERY_MS * CHANGE_EVERY_MS)


def age_s(row: str, at_ms: int) -> float:
    """Return how long before `at_ms` a row was replaced, and 0 for the current row.

    Example: age_s("1000", 2500) -> 0.5
    """
    return max(0, at_ms - (int(row) + CHANGE_EVERY_MS)) / 1000


class Rows:
    """A store with the row as of `now_ms`."""

    now_ms = 0

    def get_many(self, keys: Collection[Key]) -> dict[Key, str]:
        """Return the current row for each key."""
        return {key: row_at(self.now_ms) for key in keys}


def with_forget(shared_cache: Any, clients: list[Any]) -> Callable[[int], str]:
    """Return a worker's lookup by time in ms; the clients take turns to forget the row in Redis at each change."""
    rows, change = Rows(), 0
    worker, *writers = (shared_cache(each, rows, KEPT_S) for each in (clients[0], *clients))

    def row(at_ms: int) -> str:
        nonlocal change
        if at_ms == FIRST_ASK_MS:
            worker.forget([KEY])  # an earlier run may have left it
        while change < at_ms // CHANGE_EVERY_MS:
            writers[change % len(writers)].forget([KEY])
            change += 1
        rows.now_ms = at_ms
        return str(worker.get_many([KEY])[KEY])

    return row


def ages(lru_cache: Any, enrich_from_state: Any) -> Mapping[str, Ages]:
    """Return the ages of answers from the store, a cache with a TTL, a broadcast, and state."""
    cache_s = [0.0]
    ttl_cache = lru_cache(10, TTL_S, lambda: cache_s[0])

    def with_ttl(at_ms: int) -> str:
        cache_s[0] = at_ms / 1000
        if (row := ttl_cache.get(KEY)) is None:
            ttl_cache.put(KEY, row := row_at(at_ms))
        return str(row)

    again_s = READ_AGAIN_EVERY_MS // 1000
    methods: dict[str, Callable[[int], str]] = {
        "sync": row_at,
        f"TTL {TTL_S:g} s": with_ttl,
        "broadcast once": lambda at_ms: row_at(0),
        f"broadcast again every {again_s} s": lambda at_ms: row_at(at_ms - at_ms % READ_AGAIN_EVERY_MS),
    }
    return _of_each(methods) | {"state": [(at_s, age) for at_s, age, _ in from_state(enrich_from_state)]}


def ages_with_forget(shared_cache: Any, redis_address: str) -> Mapping[str, Ages]:
    """Return the ages of answers from Redis with `forget`, if all writers reach it, and if each third call fails."""
    reachable, unreachable = shared_client(redis_address), shared_client(UNREACHABLE)
    runs = {"forget": [reachable], "forget, each third fails": [reachable, reachable, unreachable]}
    return _of_each({name: with_forget(shared_cache, clients) for name, clients in runs.items()})


def _of_each(methods: Mapping[str, Callable[[int], str]]) -> dict[str, Ages]:
    return {
        name: [(each.at_ms / 1000, age_s(row(each.at_ms), each.at_ms)) for each in payments()]
        for name, row in methods.items()
    }


def from_state(enrich_from_state: Any) -> Iterator[tuple[float, float, float]]:
    """Yield (s of a payment, age of its answer in s, s after which the answer came), with a watermark of 2 s."""
    changes = [Change(KEY, Version(at, seq, row_at(at))) for seq, at in enumerate(range(0, UNTIL_MS, CHANGE_EVERY_MS))]
    state, batch_ms = EMPTY, CHANGE_EVERY_MS
    for end_ms in range(batch_ms, UNTIL_MS + WATERMARK_MS + batch_ms, batch_ms):
        arrived: list[Any] = [each for each in changes if end_ms - batch_ms <= each.version.at_ms < end_ms]
        arrived += [each for each in payments() if end_ms - batch_ms <= each.at_ms < end_ms]
        state, answers = enrich_from_state(state, arrived, end_ms - WATERMARK_MS)
        for each in answers:
            at_ms = each.transaction.at_ms
            yield at_ms / 1000, age_s(each.rows[1], at_ms), (end_ms - at_ms) / 1000
