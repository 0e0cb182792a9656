"""A cache as a list, youngest entry last, and a store behind a cache, computed caller by caller."""

from typing import Any

from autograder.checks import Case

DEFAULT = "<the default>"  # the default that the drive passes to each get


def gets(case: Case) -> list[Any]:
    """Return the result of each get."""
    return _played(case)[0]


def counts(case: Case) -> list[int]:
    """Return hits, misses and entries at the end."""
    return _played(case)[1]


def is_valid(case: Case) -> bool:
    """Return whether the size and the time to live are valid."""
    return case["entries"] >= 1 and float(case.get("ttl_s", 1)) > 0


def _played(case: Case) -> tuple[list[Any], list[int]]:
    entries: list[list[Any]] = []  # [key, value, s of its put], the most recently used one last
    found, hits = list[Any](), 0
    for now_s, name, key, *value in case["script"]:
        own = [each for each in entries if each[0] == key]
        entries = [each for each in entries if each[0] != key]
        if name == "put":
            entries = [*entries, [key, value[0], now_s]][-case["entries"] :]
        elif own and now_s - own[0][2] < case.get("ttl_s", float("inf")):
            entries, hits = [*entries, own[0]], hits + 1
            found.append(own[0][1])
        else:
            found.append(DEFAULT if name == "get" else None)
    return found, [hits, len(found) - hits, len(entries)]


def answers(case: Case) -> list[list[Any]]:
    """Return [row or the name of an error, µs] of each caller."""
    return _asked(case)[0]


def calls(case: Case) -> list[list[str]]:
    """Return the key of each call to the store, sorted."""
    return sorted(_asked(case)[1])


def _asked(case: Case) -> tuple[list[list[Any]], list[list[str]]]:
    """Play the callers, ordered by time. A call is open from its first caller until its delay has passed."""
    rows = {tuple(key): row for *key, row in case["rows"]}
    delays = {tuple(key): ms for *key, ms in case.get("delays_ms", [])}
    fails = {tuple(key): until for *key, until in case.get("fails", [])}
    kept = {tuple(key): (row, 0) for *key, row in case.get("kept", [])}  # row, ms since which the cache holds it
    open_until: dict[tuple[str, ...], int] = {}
    found, asked = [list[Any]() for _ in case["callers"]], []
    waiting = [(each[0], number, *each[1:]) for number, each in enumerate(case["callers"])]
    while waiting:
        waiting.sort(key=lambda each: each[:2])
        at_ms, number, key, patience = waiting.pop(0)
        name = tuple(key)
        if name in kept and kept[name][1] <= at_ms:
            found[number] = [kept[name][0], 1000 * at_ms]
            continue
        if open_until.get(name, at_ms) <= at_ms:
            open_until[name] = at_ms + delays.get(name, 5)
            asked.append(list(key))
            if open_until[name] > fails.get(name, -1):
                kept[name] = (rows.get(name), open_until[name])
        end_ms = open_until[name]
        answer = "<StoreError>" if end_ms <= fails.get(name, -1) else rows.get(name)
        gives_up = patience is not None and at_ms + patience < end_ms
        if case.get("again") and answer == "<StoreError>":
            waiting.append((end_ms, number, key, patience))
        found[number] = ["<TimeoutError>", 1000 * (at_ms + patience)] if gives_up else [answer, 1000 * end_ms]
    return found, asked
