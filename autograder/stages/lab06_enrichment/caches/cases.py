"""Seeded cases of `LruCache` and `CachedStore`, smallest first.

A script of LruCache has steps [s, "put", key, value], [s, "get", key] with a default, and [s, "peek", key] without one.
A caller of CachedStore is [ms at which it asks, key, ms after which it gives up or None]. "beside" is a case of another
CachedStore, with its own store and cache, at the same time. `entries` limits the cache, which has no limit otherwise.
"""

from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for

EXAMPLE: Case = {
    "entries": 2,
    "ttl_s": 10,
    "script": [
        *([0, "put", 1, "A"], [1, "put", 2, None], [1, "get", 1], [1, "get", 2], [2, "put", 3, "C"], [2, "get", 1]),
        *([2, "get", 2], [2, "get", 3], [11, "get", 2], [11.9, "get", 3]),
    ],
}


def _drawn(seed: str, name: str, entries: int, steps: int, ttl_s: float | None = None) -> Case:
    """Return gets and puts of up to twice as many keys as entries; times are quarters of a second."""
    rng, script, now_s = random_for(seed, name), list[Any](), 0.0
    for step in range(steps):
        now_s += rng.choice((0, 0, 0.25, 0.75, 1))
        key = min(rng.randrange(2 * entries), rng.randrange(2 * entries))
        value = None if rng.random() < 0.2 else f"v{step}"
        script.append([now_s, "put", key, value] if rng.random() < 0.5 else [now_s, "get", key])
    return {"entries": entries, "script": script} | ({"ttl_s": ttl_s} if ttl_s else {})


def used(seed: str) -> list[Case]:
    """Return gets and puts of more keys than entries, including puts of a key that is present."""
    small = [[0, "put", 1, "A"], [0, "put", 2, "B"], [0, "get", 1], [0, "put", 3, "C"], [0, "get", 1], [0, "get", 2]]
    again = [
        [0, "put", 1, "A"],
        [0, "put", 2, "B"],
        [0, "put", 1, "new"],
        [0, "put", 3, "C"],
        [0, "get", 1],
        [0, "get", 2],
    ]
    cases = [{"entries": 2, "script": small}, {"entries": 2, "script": again}]
    one = {"entries": 1, "script": [[0, "put", 1, "A"], [0, "put", 2, "B"], [0, "get", 1], [0, "get", 2]]}
    return [*cases, one, _drawn(seed, "used", 5, 120), _drawn(seed, "many used", 40, 300)]


def nones(seed: str) -> list[Case]:
    """Return None as a value, read with a default and without one."""
    number = random_for(seed, "nones").randint(1, 99)
    script = [[0, "put", number, None], [0, "get", number], [0, "peek", number], [0, "get", 0], [0, "peek", 0]]
    peeked = [[0, "put", number, None], [0, "peek", number], [0, "get", number]]
    return [{"entries": 3, "script": peeked}, {"entries": 3, "script": script}]


def aged(seed: str) -> list[Case]:
    """Return times around the moment at which an entry expires."""
    renewed = [
        [0, "put", 1, "A"],
        [6, "get", 1],
        [9, "put", 2, "B"],
        [9.75, "get", 1],
        [10, "get", 1],
        [18.5, "get", 2],
    ]
    put_again = [[0, "put", 1, "A"], [8, "put", 1, "new"], [10, "get", 1], [17.75, "get", 1], [18, "get", 1]]
    between = [[0.75, "put", 1, "A"], [10.5, "get", 1], [10.75, "get", 1]]
    small = [{"entries": 5, "ttl_s": 10, "script": each} for each in (renewed, put_again, between)]
    return [*small, EXAMPLE, _drawn(seed, "aged", 6, 150, ttl_s=7)]


def counted(seed: str) -> list[Case]:
    """Return scripts whose hits, misses and entries are counted.

    They have None without a default, expired keys, and a clock that starts below 0.
    """
    early = [[-5, "get", 1], [-5, "put", 1, "A"], [-4, "get", 1], [5, "get", 1]]
    return [
        {"entries": 2, "script": [[0, "put", 1, None], [1, "peek", 1]]},
        EXAMPLE,
        {"entries": 2, "ttl_s": 10, "script": early},
        _drawn(seed, "counted", 8, 100, ttl_s=5),
        _drawn(seed, "never expired", 8, 100),
    ]


def large(seed: str) -> list[Case]:
    """Return a small cache, and a full one of 1,000 entries."""
    rng = random_for(seed, "large")
    puts = [[0, "put", number, f"v{number}"] for number in range(1100)]
    uses = [[1, "get", rng.randrange(1100)] for _ in range(150)]
    more = [[2, "put", rng.randrange(2000), "new"] for _ in range(150)]
    return [
        {"entries": 2, "script": [[0, "put", 1, "A"], [0, "get", 1]]},
        {"entries": 1000, "script": puts + uses + more},
    ]


def invalid(seed: str) -> list[Case]:
    """Return sizes and times at the edge of what is valid, and beyond it."""
    below = random_for(seed, "invalid").randint(1, 9)
    script = [[0, "put", 1, "A"], [0.25, "get", 1], [9, "get", 1]]
    pairs = [(1, 0.5), (0, 1), (-below, 1), (1, 0), (1, -below), (1, "nan")]
    return [{"entries": entries, "ttl_s": ttl_s, "script": script} for entries, ttl_s in pairs]


# CachedStore

SHOP, PHONE, NEW = ["recipient", "ann", "shop"], ["device", "ann", "phone"], ["device", "ann", "new"]
ROWS = [[*SHOP, "Shop 7"], [*PHONE, ""]]
ALIKE = [["recipient", "ann", "x"], ["device", "ann", "x"], ["device", "bob", "x"], ["device", "ann", "y"]]
ALIKE += [["device", *parts] for mark in ("", ":", "/", "|", ",") for parts in ((f"a{mark}b", "c"), ("a", f"b{mark}c"))]


def _callers(*callers: tuple[int, list[str], int | None], **more: Any) -> Case:
    return {"rows": ROWS, "callers": [list(each) for each in callers], **more}


def kept(seed: str) -> list[Case]:
    """Return callers of the same keys one after another, and a cache that already holds known and unknown keys."""
    rng = random_for(seed, "kept")
    later = [(20 * at, rng.choice([SHOP, PHONE, NEW]), None) for at in range(12)]
    full = _callers((0, SHOP, None), (0, NEW, None), kept=[[*SHOP, "kept shop"], [*NEW, None]])
    return [_callers((0, NEW, None), (10, NEW, None), (20, PHONE, None), (30, PHONE, None)), full, _callers(*later)]


def together(seed: str) -> list[Case]:
    """Return callers of one key at the same time as callers of others, alike or not.

    One key is slow, one case has two stores, and one a cache of a single entry.
    """
    rng = random_for(seed, "together")
    many = [(rng.randrange(8), rng.choice([SHOP, PHONE, NEW]), None) for _ in range(15)]
    slow = _callers((0, SHOP, None), (1, PHONE, None), (2, SHOP, None), delays_ms=[[*SHOP, 50]])
    two_stores = _callers((0, SHOP, None), beside=_callers((0, SHOP, None), rows=[[*SHOP, "Shop 8"]]))
    small = _callers((0, SHOP, None), (0, SHOP, None), (2, SHOP, None))
    crowded = _callers((0, SHOP, None), (0, PHONE, None), entries=1)
    return [small, crowded, slow, two_stores, _alike(ALIKE[:2]), _alike(ALIKE), _callers(*many)]


def _alike(keys: list[list[str]]) -> Case:
    """Return callers of all keys at once, each of which has its own row."""
    return _callers(*((0, key, None) for key in keys), rows=[[*key, f"row {at}"] for at, key in enumerate(keys)])


def failing(seed: str) -> list[Case]:
    """Return a store that fails until some moment and answers afterwards.

    With `again`, a caller asks again as soon as a call has failed. Another caller gives up before a call fails.
    """
    until = random_for(seed, "failing").randint(6, 19)
    small = _callers((0, SHOP, None), (0, SHOP, None), (20, SHOP, None), fails=[[*SHOP, until]])
    others = _callers((0, NEW, None), (1, NEW, None), (2, PHONE, None), (30, NEW, None), fails=[[*NEW, until]])
    at_once = _callers((0, SHOP, None), fails=[[*SHOP, 5]], again=True)
    nobody_left = _callers((0, NEW, 2), (30, NEW, None), fails=[[*NEW, 10]])
    return [small, at_once, nobody_left, others]


def giving_up(seed: str) -> list[Case]:
    """Return callers of whom the first, another one, or all give up before the answer comes."""
    patience = random_for(seed, "giving up").randint(1, 4)
    first = _callers((0, SHOP, patience), (0, SHOP, None), (2, SHOP, None), (20, SHOP, None))
    second = _callers((0, NEW, None), (1, NEW, 2), (2, NEW, None), (0, PHONE, patience), (1, PHONE, None))
    nobody_left = _callers((0, NEW, 2), (1, NEW, 3), (20, NEW, None), (20, SHOP, None))
    return [first, second, nobody_left]
