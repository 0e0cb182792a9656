"""Seeded cases of `GuardedStore` and `repair`, smallest first.

A step of a script is [seconds, keys, fate of a call to the store, seconds that it takes], or [seconds, "state"]. Times
are multiples of 1/8 s, which floats hold exactly, so right answers may add or subtract them.
"""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for

OK, DOWN, BUG = "answers", "fails", "has a bug"
ROWS = {"ann": "300", "bob": "0", "eve": ""}  # nobody knows "joe"
NAMES = ["ann", "bob", "eve", "joe"]
ALWAYS = 1000  # seconds of rest that are longer than a script

# GuardedStore


def _guard(trips: int, rest_s: float | str, *script: list[Any]) -> Case:
    return {"trips": trips, "rest_s": rest_s, "rows": ROWS, "script": list(script)}


def opening(seed: str) -> list[Case]:
    """Return errors in a row, with answers and bugs between them, in scripts that end before the rest does."""
    rng = random_for(seed, "opening")
    a, none = ["ann"], list[str]()
    row = [[0, a, DOWN], [1, a, DOWN], [2, a, OK], [3, "state"]]
    apart = [[0, a, DOWN], [1, a, OK], [2, a, DOWN], [3, "state"], [3, a, DOWN], [4, "state"], [4, a, OK]]
    empty = [[0, none, DOWN], [1, a, DOWN], [1, none, OK], [2, "state"], [2, a, DOWN], [3, none, OK], [3, a, OK]]
    drawn = [[[at, a, rng.choice([OK, DOWN, DOWN])] for at in range(30)] for _ in range(6)]
    return [
        _guard(2, 60, *row),
        _guard(2, 60, [0, ["ann", "bob"], OK], [1, ["ann", "bob"], DOWN], [2, "state"]),
        _guard(2, ALWAYS, *apart),
        _guard(1, ALWAYS, [0, "state"], [0, a, DOWN], [0, "state"], [0, a, OK]),
        _guard(2, ALWAYS, *empty),
        _guard(2, ALWAYS, [0, a, DOWN], [1, a, BUG], [2, a, DOWN], [3, a, OK]),
        *(_guard(rng.randint(2, 5), ALWAYS, *script) for script in drawn),
    ]


def resting(seed: str) -> list[Case]:
    """Return calls and states around the end of a rest, slow errors, no rest, and invalid arguments."""
    rng = random_for(seed, "resting")
    a = ["ann"]
    fails = [[0, a, DOWN], [1, a, DOWN], [5.875, a, OK], [6, a, DOWN], [10.875, a, OK], [11, a, OK], [12, a, DOWN]]
    states = [[0, a, DOWN], [4.875, "state"], [5, "state"], [99, "state"], [99, a, OK], [99, "state"]]
    slow = [[0, a, DOWN, 30], [34.875, a, OK], [35, a, DOWN, 30], [69.875, "state"], [70, "state"], [70, a, OK]]
    empty = [[0, a, DOWN], [5, [], OK], [5, "state"], [6, a, DOWN], [7, a, OK]]
    counts = [[0, a, DOWN], [1, a, DOWN], [6, a, OK], [7, a, DOWN], [8, "state"], [8, a, DOWN], [9, a, OK]]
    invalid: list[tuple[int, float | str]] = [(0, 5), (-1, 5), (1, -0.5), (1, "inf"), (1, "nan")]
    return [
        _guard(2, 5, *fails, [13, a, DOWN], [14, a, OK]),
        _guard(1, 5, *states),
        _guard(1, 5, *slow),
        _guard(1, 5, *empty),
        _guard(2, 5, *counts),
        _guard(2, 5, [0, a, DOWN], [1, a, DOWN], [6, a, BUG], [6, "state"], [7, a, DOWN], [8, "state"]),
        _guard(1, 0, [0, a, DOWN], [0, "state"], [0, a, DOWN], [0, a, OK], [0, "state"]),
        *(_guard(rng.randint(1, 3), rng.choice([1, 2, 5]), *_drawn(rng)) for _ in range(8)),
        *(_guard(trips, rest_s, [0, a, OK]) for trips, rest_s in invalid),
    ]


def _drawn(rng: random.Random) -> list[list[Any]]:
    script, now_s, is_up = list[list[Any]](), 0.0, True
    for _ in range(40):
        now_s += rng.choice([0, 0.125, 0.5, 1, 2])
        is_up = is_up if rng.random() < 0.8 else not is_up
        script.append([now_s, "state"] if rng.random() < 0.2 else [now_s, ["ann"], OK if is_up else DOWN])
    return script


def answering(seed: str) -> list[Case]:
    """Return known, unknown and repeated keys, while closed, at an error, and while open; and a store with a bug."""
    rng = random_for(seed, "answering")
    some = rng.choices(NAMES, k=6)
    return [
        _guard(3, 60, [0, ["ann", "joe"], OK], [1, ["ann", "joe"], DOWN]),
        _guard(1, 60, [0, ["bob"], DOWN], [1, ["ann", "joe", "joe"], DOWN], [2, [], DOWN]),
        _guard(2, 60, [0, [], OK], [1, ["eve", "bob", "joe", "eve"], OK], [2, ["joe"], OK], [3, some, OK]),
        _guard(3, 60, [0, ["ann"], BUG], [1, some, DOWN]),
    ]


def remembered(seed: str) -> list[Case]:
    """Return calls through Lab 6's cache: before, while and after the store is down, and after the time to live."""
    rng = random_for(seed, "remembered")
    down = [[2, ["ann", "joe"], DOWN], [3, ["eve"], DOWN], [4, ["bob"], DOWN], [5, ["ann", "eve"], DOWN]]
    after = [[9, ["bob", "eve"], OK], [9.5, ["bob", "joe"], OK], [10, ["ann"], OK], [11, ["ann", "eve"], OK]]
    drawn = [[at, rng.sample(NAMES, rng.randint(1, 3)), OK if at % 20 < 10 else DOWN] for at in range(60)]
    scripts = [[[0, ["ann"], OK], [1, ["ann", "joe"], OK], *down, *after], drawn]
    return [_guard(2, 5, *script) | {"entries": 9, "ttl_s": 10} for script in scripts]


# repair

Row = list[Any]  # kind, account, subject, time in ms, cents


def _row(kind: str, account: str, end_ms: int = 10_000, cents: int | None = None) -> Row:
    """Return a row; all rows of a window have the same cents, unless others are given."""
    of_window = 100 * len(account) + end_ms // 5000
    return [kind, account, str(end_ms), end_ms - 1, of_window if cents is None else cents]


def _log(*rows: Row, most: int = 9, silent: tuple[str, ...] = ()) -> Case:
    return {"log": list(rows), "limits": ROWS | {"eve": "302"}, "silent": list(silent), "most": most}


def _open(*accounts: str) -> list[Row]:
    return [_row("UNDECIDED", name) for name in accounts]


def oldest(seed: str) -> list[Case]:
    """Return open windows, each UNDECIDED once; limits just reached and just passed; and invalid numbers."""
    rng = random_for(seed, "oldest")
    limits = [
        _row("UNDECIDED", "ann", cents=300),
        _row("UNDECIDED", "ann", 15_000, 301),
        _row("UNDECIDED", "ann", 20_000, 1),
    ]
    away = ["AWAY", "bob", "p7", 500, 302]
    times = [10_000 + 5_000 * number for number in range(4)]
    windows = [_row("UNDECIDED", name, end_ms) for name in NAMES for end_ms in times]
    return [
        _log(*_open("bob", "ann"), most=1),
        _log(*limits, most=2),
        _log(*limits, _row("UNDECIDED", "bob", cents=0), _row("UNDECIDED", "joe", 15_000, 1)),
        _log(_row("UNDECIDED", "eve", 20_000), away, *_open("bob", "ann"), most=2),
        _log(away),
        _log(),
        *(_log(*rng.sample(windows, len(windows)), most=rng.randint(1, 16)) for _ in range(5)),
        *(_log(*_open("ann"), most=most) for most in (0, -3)),
    ]


def once(seed: str) -> list[Case]:
    """Return windows that are UNDECIDED several times, and decided before, between and after."""
    rng = random_for(seed, "once")
    kinds = ["UNDECIDED", "UNDECIDED", "UNDECIDED", "SPENT", "CLEARED", "AWAY"]
    times = [10_000, 15_000, 20_000]

    def drawn() -> list[Row]:
        return [_row(rng.choice(kinds), rng.choice(NAMES), rng.choice(times)) for _ in range(rng.randint(3, 16))]

    ann = _open("ann")
    return [
        _log(*ann, _row("SPENT", "ann"), *_open("bob")),
        _log(*ann, *ann, *_open("bob"), most=2),
        _log(*ann, _row("UNDECIDED", "ann", cents=1)),
        _log(*ann, _row("SPENT", "ann"), *_open("bob"), most=1),
        _log(*ann, _row("CLEARED", "ann"), *ann),
        _log(_row("SPENT", "ann", 15_000), _row("SPENT", "bob"), *ann),
        _log(_row("SPENT", "ann"), *ann),
        _log(*ann, _row("AWAY", "ann")),
        *(_log(*drawn()) for _ in range(20)),
    ]


def silent(seed: str) -> list[Case]:
    """Return accounts without an answer, beside unknown ones and ones that the limit decides."""
    rng = random_for(seed, "silent")
    everybody = [_row("UNDECIDED", name, end_ms) for name in NAMES for end_ms in (10_000, 15_000)]
    return [
        _log(*_open("ann", "bob", "joe"), silent=("ann",)),
        _log(*_open("ann", "bob"), silent=("ann",), most=1),
        _log(*_open("ann", "joe"), silent=("joe", "ann")),
        *(
            _log(*everybody, silent=tuple(rng.sample(NAMES, rng.randint(1, 3))), most=rng.randint(5, 9))
            for _ in range(4)
        ),
    ]
