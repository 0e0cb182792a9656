"""Seeded cases of `SharedCache`, smallest first. `drive.py` explains the steps of a script."""

from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for

SHOP, PHONE, NEW = ["recipient", "ann", "shop"], ["device", "ann", "phone"], ["device", "ann", "new"]
WATCH = ["device", "zoe", "watch"]
ROWS = [[*SHOP, "Shop 7"], [*PHONE, ""]]
ODD_TEXTS = ("", "null", "None", "0", '"x"', "Straße 7, 10115 Berlin", "a\nb", "{}", "[1]", "\\")


def _case(script: list[Any], rows: list[Any], **more: Any) -> Case:
    return {"rows": rows, "workers": 2, "ttl_s": 3600, "rest_s": 1, "script": script, **more}


def _some(seed: str, name: str, count: int) -> tuple[list[list[str]], list[list[str]]]:
    """Return different keys, and the rows of two in three of them."""
    rng = random_for(seed, name)
    keys = [
        [rng.choice(("recipient", "device", "location")), f"acc{at}", f"item{rng.randrange(99)}"] for at in range(count)
    ]
    return keys, [[*key, f"row {rng.randrange(99)}"] for key in keys if rng.random() < 0.67]


def answered(seed: str) -> list[Case]:
    """Return known rows, odd ones and unknown keys, read once from the store and then from Redis."""
    every = [SHOP, PHONE, NEW]
    small = [["get_many", 0, every], ["get_many", 1, every], ["get", 1, PHONE], ["get", 0, NEW], ["get", 1, SHOP]]
    odd = [["location", "ann", f"place {at}"] for at in range(len(ODD_TEXTS))]
    rows = [[*key, text] for key, text in zip(odd, ODD_TEXTS, strict=True)]
    keys, known = _some(seed, "answered", 30)
    mixed = [["get_many", 0, keys[:20]], ["get_many", 1, keys[10:]], ["get_many", 0, keys]]
    return [
        _case(small, ROWS),
        _case([["get_many", 0, odd], ["get_many", 1, odd], ["get", 0, odd[1]]], rows),
        _case(mixed, known),
    ]


def alike(seed: str) -> list[Case]:
    """Return keys whose parts give the same text when they are joined, with any separator."""
    number = str(random_for(seed, "alike").randint(10, 99))
    pairs = [
        (["device", "1", "23"], ["device", "12", "3"]),
        (["device", number, "7"], ["device", number[0], number[1] + "7"]),
    ]
    for mark in (":", "|", ",", "/", " ", "\x00", '"', "', '", '", "', "-", "_", "\n", "."):
        pairs.append((["device", f"a{mark}b", "c"], ["device", "a", f"b{mark}c"]))
    pairs.append((["device", "", "x"], ["device", "x", ""]))
    pairs.append((["device", "x", "y"], ["location", "x", "y"]))
    script = [["get", at % 2, key] for pair in pairs for at, key in enumerate(pair)]
    rows = [[*key, f"row {at}"] for pair in pairs for at, key in enumerate(pair)]
    every = [key for pair in pairs for key in pair]
    return [_case(script[:2], rows[:2]), _case([*script, ["get_many", 0, every], ["get_many", 1, every]], rows)]


def shared(seed: str) -> list[Case]:
    """Return keys, also unknown ones, that one worker has requested and others then read, until Redis is emptied."""
    keys, known = _some(seed, "shared", 12)
    small = [["get_many", 0, [SHOP, NEW]], ["get_many", 1, [SHOP, NEW]], ["get", 1, PHONE], ["get", 0, PHONE]]
    more = [["get_many", at % 3, keys[at : at + 5]] for at in range(8)]
    emptied = [["get_many", 0, keys], ["flush"], ["get_many", 1, keys[:6]], ["get_many", 2, keys]]
    return [_case(small, ROWS), _case([*more, *emptied], known, workers=3)]


def trips(seed: str) -> list[Case]:
    """Return many keys of which none, some or all are cached, before and after Redis is emptied, and no keys."""
    keys, known = _some(seed, "trips", 40)
    small = [["get_many", 0, [SHOP, PHONE, NEW]], ["get_many", 1, [SHOP, PHONE, NEW]]]
    return [
        _case([*small, ["get_many", 0, []]], ROWS),
        _case([["get_many", 0, keys[:15]], ["get_many", 1, keys], ["flush"], *[["get_many", 0, keys]] * 2], known),
    ]


def aging(seed: str) -> list[Case]:
    """Return entries of known and unknown keys whose time to live Redis reports, and invalid times."""
    keys, known = _some(seed, "aging", 10)
    asked, small = [["get_many", 0, keys], ["ages"]], [["get_many", 0, [SHOP, NEW]], ["ages"]]
    limits = [(0, 1), (-3, 1), ("inf", 1), (60, -1), (60, 0)]
    edges = [_case(small, ROWS, ttl_s=ttl_s, rest_s=rest_s) for ttl_s, rest_s in limits]
    return [_case(small, ROWS), _case(asked, known, ttl_s=90.5), *edges]


def faults(seed: str) -> list[Case]:
    """Return a server that hangs and resumes, and one that is killed.

    A rest is over at its end, and forget starts none.
    """
    every, rest_s = [SHOP, PHONE, NEW], random_for(seed, "faults").choice((2, 3.5, 5))
    hangs = [
        *(["get_many", 0, every], ["pause"], ["get_many", 1, every], ["get_many", 1, every], ["get", 1, SHOP]),
        *(["forget", 1, [WATCH]], ["resume"], ["forget", 1, [WATCH]], ["advance", rest_s / 2], ["get_many", 1, every]),
        *(["advance", rest_s / 2], ["get_many", 1, every]),
    ]
    killed = [
        ["get", 0, SHOP],
        ["kill"],
        ["get", 0, SHOP],
        ["get_many", 0, every],
        ["advance", rest_s],
        ["get", 0, NEW],
    ]
    forgets = [["forget", 0, [SHOP]], ["get", 0, SHOP]]
    no_rest = [["get", 0, SHOP], ["pause"], ["forget", 0, [WATCH]], ["resume"], ["get", 0, SHOP]]
    both = {"rest_s": rest_s, "faults": True}
    return [
        _case([["get", 0, SHOP], ["get", 1, SHOP]], ROWS),
        _case([*killed, *forgets], ROWS, **both),
        _case(hangs, ROWS, **both),
        _case(no_rest, ROWS, **both),
    ]


def forgotten(seed: str) -> list[Case]:
    """Return rows that change, callers that make the cache forget them, and a Redis that is emptied."""
    rng = random_for(seed, "forgotten")
    changed = [["change", SHOP, "Shop 8"], ["change", NEW, f"watch {rng.randint(1, 99)}"]]
    fill = ["get_many", 0, [SHOP, PHONE, NEW]]
    small = [["get", 0, SHOP], changed[0], ["get", 1, SHOP], ["forget", 1, [SHOP]], ["get", 0, SHOP]]
    both = [fill, *changed, ["forget", 1, [SHOP, NEW]], ["get_many", 1, [SHOP, PHONE, NEW]], ["get", 0, NEW]]
    both += [["flush"], ["get", 1, PHONE]]
    never_kept = [
        ["forget", 0, [PHONE]],
        ["get", 0, PHONE],
        ["forget", 1, [PHONE, SHOP]],
        ["get", 0, PHONE],
        ["forget", 0, []],
    ]
    return [_case(small, ROWS), _case(both, ROWS), _case(never_kept, ROWS)]
