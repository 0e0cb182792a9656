"""Seeded cases of the Master's steps: scripts of `Assignments`, and registries and messages for `dispatch`."""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for

# Assignments: an engine gets a message only while it has none, and only a known one


def _script(*calls: tuple[Any, ...]) -> Case:
    return {"script": [list(call) for call in calls]}


def known(seed: str) -> list[Case]:
    """Return messages that begin and end, twice and in any order, without engines."""
    rng = random_for(seed, "known")
    some = [(rng.choice(("begin", "begin", "end")), f"m{rng.randrange(5)}") for _ in range(60)]
    again = [("end", "m"), ("begin", "m"), ("end", "m"), ("end", "m"), ("begin", "m"), ("begin", "m")]
    return [_script(("begin", "m"), ("begin", "m"), ("begin", "n")), _script(*again), _script(*some)]


def released(seed: str) -> list[Case]:
    """Return releases by the right engine, by another one, twice, of another message, and after the end."""
    rng = random_for(seed, "released")
    two = [("begin", "m"), ("begin", "n"), ("assign", "e", "m"), ("assign", "f", "n")]
    wrong = [("release", "e", "n"), ("release", "x", "m"), ("release", "f", "m"), ("release", "e", "m")]
    again = [("release", "e", "m"), ("release", "f", "n"), ("assign", "e", "n"), ("release", "e", "n")]
    ended = [("begin", "m"), ("assign", "e", "m"), ("end", "m"), ("release", "f", "m"), ("release", "e", "m")]
    return [
        _script(*two[:1], *two[2:3], ("release", "e", "m")),
        _script(*two, *wrong, *again),
        _script(*ended),
        _any(rng),
    ]


def lost(seed: str) -> list[Case]:
    """Return engines that are lost: with a message, with none, with one that has ended, and one after another."""
    rng = random_for(seed, "lost")
    one = [("begin", "m"), ("assign", "e", "m"), ("lose", "e")]
    more = [
        *one,
        ("lose", "e"),
        ("assign", "f", "m"),
        ("lose", "f"),
        ("assign", "e", "m"),
        ("lose", "e"),
        ("lose", "x"),
    ]
    late = [*one, ("assign", "f", "m"), ("end", "m"), ("lose", "f"), ("lose", "f"), ("release", "f", "m")]
    anew = [*one, ("end", "m"), ("begin", "m"), ("assign", "f", "m"), ("lose", "f")]
    other = [*one, ("begin", "n"), ("assign", "e", "n"), ("lose", "e"), ("assign", "f", "m"), ("release", "f", "m")]
    empty = [("begin", ""), ("assign", "e", ""), ("lose", "e")]
    twice = [*one, ("begin", "m"), ("assign", "f", "m"), ("lose", "f")]
    scripts = one, empty, twice, more, late, anew, [*other, ("lose", "f")]
    return [*(_script(*each) for each in scripts), _any(rng, loses=True)]


def _any(rng: random.Random, *, loses: bool = False) -> Case:
    """Return a random script with three engines; a message ends for good, and begins once."""
    calls, has, current = list[tuple[Any, ...]](), dict[str, str](), list[str]()
    for number in range(60):
        engine, what = rng.choice("efg"), rng.choice(("begin", "assign", "assign", "end", "release", "lose"))
        free = [name for name in current if name not in has.values()]
        if what == "begin":
            current.append(f"m{number}")
            calls.append(("begin", current[-1]))
        elif what == "assign" and free and engine not in has:
            has[engine] = rng.choice(free)
            calls.append(("assign", engine, has[engine]))
        elif what == "end" and current:
            calls.append(("end", current.pop(rng.randrange(len(current)))))
        elif what == "release" and has and not loses:
            message = rng.choice(list(has.values()))
            calls.append(("release", engine, message))
            has = {name: each for name, each in has.items() if (name, each) != (engine, message)}
        elif what == "lose" and loses:
            has.pop(engine, None)
            calls.append(("lose", engine))
    return _script(*calls)


# dispatch: idle engines [engine, image], messages [message, image], calls [message, image, is_stored, was_lost]

MESSAGES = [["p", "i"]], [["q", "i"], ["r", "j"], ["s", "i"]]


def _routes(*calls: list[Any], idle: Any = (), promised: Any = (), stored: Any = (), limit: int = 100) -> Case:
    lists = {"idle": list(idle), "promised": list(promised), "stored": list(stored)}
    return {**lists, "limit": limit, "calls": list(calls)}


def engines(seed: str) -> list[Case]:
    """Return messages of all kinds, each with an idle engine of its image."""
    rng = random_for(seed, "dispatch: engines")
    idle = [["e", "i"], ["f", "j"], ["g", "i"]]
    names = [f"m{number}" for number in range(12)]
    some = [[name, rng.choice("ij"), rng.random() < 0.5, rng.random() < 0.5] for name in names]
    many = [[f"e{number}", image] for number, (_, image, *_) in enumerate(some)]
    promised, stored = MESSAGES
    return [
        _routes(["m", "i", False, False], idle=idle[:1]),
        _routes(["m", "i", True, False], idle=idle[:1]),
        _routes(["m", "i", False, False], idle=[["", "i"]]),
        _routes(["m", "j", False, True], ["n", "i", True, True], idle=idle, limit=1),
        _routes(
            ["m", "i", False, False], ["n", "j", True, False], idle=idle, promised=promised, stored=stored, limit=2
        ),
        _routes(*some, idle=many, promised=promised, stored=stored),
    ]


def queues(seed: str) -> list[Case]:
    """Return stored messages without an idle engine of their image: new and lost ones, also above the limit."""
    rng = random_for(seed, "dispatch: queues")
    promised, stored = MESSAGES
    some = [[f"m{number}", rng.choice("ij"), True, rng.random() < 0.5] for number in range(12)]
    return [
        _routes(["m", "i", True, False], ["n", "i", True, False]),
        _routes(["m", "i", True, True], ["n", "j", True, False], stored=stored, limit=3),
        _routes(["m", "i", True, False], ["n", "i", True, True], promised=promised, stored=stored, limit=1),
        _routes(["m", "i", True, False], idle=[["f", "j"]]),
        _routes(*some, stored=stored, limit=1),
    ]


def promises(seed: str) -> list[Case]:
    """Return messages that are not stored, without an idle engine of their image: below the limit and at it."""
    limit = random_for(seed, "dispatch: promises").randint(3, 6)
    promised, stored = MESSAGES
    many = [[f"m{number}", "i", False, number % 2 == 1] for number in range(limit + 2)]
    return [
        _routes(["m", "i", False, False], ["n", "i", False, False], limit=1),
        _routes(["m", "i", False, True], idle=[["f", "j"]], promised=promised, limit=1),
        _routes(["m", "i", False, True], ["n", "i", False, False], promised=promised, stored=stored, limit=4),
        _routes(*many, limit=limit),
    ]
