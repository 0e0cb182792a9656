"""Seeded cases of `Registry` and `Master`, smallest first: scripts of calls, scenarios, and real engines."""

from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for

# Registry


def _script(*calls: tuple[Any, ...], limit: int = 100) -> Case:
    return {"limit": limit, "script": [list(call) for call in calls]}


def engines(seed: str) -> list[Case]:
    """Return engines of two images on one and on several workers, with removals and returns."""
    rng = random_for(seed, "engines")
    small = [("add_engine", "a", "i", 1), ("add_engine", "b", "i", 0), ("add_engine", "c", "i", 0)]
    take, three = ("take_engine", "i"), [("add_engine", name, "i", 0) for name in "abc"]
    removed = [
        ("remove_engine", "c"),
        ("remove_engine", "c"),
        ("remove_engine", "x"),
        take,
        ("add_engine", "b", "j", 2),
    ]
    moved = [
        ("add_engine", "a", "i", 1),
        ("remove_engine", "a"),
        ("add_engine", "b", "i", 2),
        ("add_engine", "a", "i", 3),
    ]
    calls, idle, number = list[tuple[Any, ...]](), dict[str, str](), 0
    for _ in range(80):
        kind = rng.random()
        if kind < 0.5:
            number += 1
            idle[f"e{number}"] = rng.choice("ij")
            calls.append(("add_engine", f"e{number}", idle[f"e{number}"], rng.randrange(4)))
        else:
            calls.append(("take_engine", rng.choice("ijk")) if kind < 0.85 else ("remove_engine", f"e{number}"))
    return [
        _script(*small, take, take, take, take),
        _script(("add_engine", "", "i", 0), take, take),
        _script(*three, ("remove_engine", "a"), ("add_engine", "d", "i", 0), take),
        _script(*moved, take, take, take),
        _script(*small, *removed, take, ("take_engine", "j"), ("take_engine", "j"), take),
        _script(*calls),
    ]


def messages(seed: str) -> list[Case]:
    """Return messages of several images, some with names that begin alike: appended, first or last, taken, removed."""
    rng = random_for(seed, "messages")
    calls: list[tuple[Any, ...]] = []
    for number in range(60):
        image = rng.choice(("i", "j", "ij"))
        calls.append((rng.choice(("append", "append", "append_first")), f"m{number}", image))
        if rng.random() < 0.5:
            calls.append(("take_message", rng.choice(("i", "j", "ij"))))
        if rng.random() < 0.2:
            calls.append(("remove_message", f"m{rng.randrange(number + 1)}"))
        calls.append(("waiting", image))
    take, again = ("take_message", "i"), [("append", "m1", "i"), ("append", "m2", "i"), ("remove_message", "m1")]
    return [
        _script(("append", "m1", "i"), ("append", "m2", "j"), ("append", "m3", "i"), take, take, take),
        _script(("append", "", "i"), ("append", "m", "i"), take, take),
        _script(("append_first", "m1", "i"), ("append_first", "m2", "i"), take, take),
        _script(("append", "m1", "i"), ("append_first", "m2", "i"), ("append", "m3", "i"), take, take, take, take),
        _script(*again, ("remove_message", "x"), take),
        _script(*again, ("append", "m1", "i"), take, take, take),
        _script(*calls),
    ]


def limited(seed: str) -> list[Case]:
    """Return promises up to the limit over all images, odd arrivals, and messages above the limit."""
    rng = random_for(seed, "limited")
    limit = rng.randint(3, 9)
    many = [("promise", f"m{n}", rng.choice("ij")) for n in range(limit + 3)]
    example = [("promise", "m1", "i"), ("promise", "m2", "j"), ("promise", "m3", "i"), ("arrive", "m2")]
    then = [("append", "m2", "j"), ("promise", "m3", "i"), ("take_message", "j"), ("promise", "m3", "i")]
    odd = [
        ("arrive", "m1"),
        ("promise", "m1", "i"),
        ("waiting", "i"),
        ("arrive", "m1"),
        ("arrive", "m1"),
        ("waiting", "i"),
    ]
    removed = [
        ("promise", "m1", "i"),
        ("remove_message", "m1"),
        ("waiting", "i"),
        ("promise", "m2", "i"),
        ("arrive", "m1"),
    ]
    above = [
        ("promise", "m1", "i"),
        ("append_first", "m2", "i"),
        ("append", "m3", "j"),
        ("waiting", "i"),
        ("waiting", "j"),
    ]
    return [
        _script(("promise", "m1", "i"), ("promise", "m2", "i"), limit=1),
        _script(("promise", "m", ""), ("arrive", "m")),
        _script(("append", "m1", "i"), ("append_first", "m2", "i"), ("waiting", "i"), limit=1),
        _script(*example, *then, ("waiting", "i"), ("waiting", "j"), ("waiting", "k"), limit=2),
        _script(*odd),
        _script(*removed, limit=1),
        _script(*above, ("promise", "m4", "i"), ("take_message", "j"), ("promise", "m4", "i"), limit=2),
        _script(("append", "m1", "i"), ("promise", "m2", "i"), ("take_message", "i"), ("promise", "m2", "i"), limit=1),
        _script(*many, limit=limit),
    ]


# Master: when a message needs an engine, at most one of its image is idle, so the right choice is unique.


def _events(*calls: tuple[Any, ...], **limits: int) -> Case:
    return {"script": [list(call) for call in calls], **limits}


def _offers(*names: str, image: str = "i") -> list[tuple[Any, ...]]:
    return [("offer", name, image) for name in names]


def _stored(*names: str) -> list[tuple[Any, ...]]:
    return [("stored", name) for name in names]


E1, E2, ON_J = ("idle", "e1", "i", 1), ("idle", "e2", "i", 0), ("idle", "ej", "j", 0)


def routed(seed: str) -> list[Case]:
    """Return offers, arrivals and results without any fault, with two images, and names that are used again."""
    rng = random_for(seed, "routed")
    push = [E1, *_offers("m1", "m2"), ("waiting", "i"), ("done", "e1", "m1"), *_stored("m2"), ("done", "e1", "m2")]
    late = [*_offers("m1"), E1, *_stored("m1"), ("waiting", "i"), ("done", "e1", "m1"), *_offers("m1")]
    both = [E1, *_offers("a", image="j"), ON_J, *_stored("a"), *_offers("b"), *_offers("c", "d"), *_stored("d", "c")]
    many = [f"m{n}" for n in range(12)]
    arrivals = rng.sample(many, len(many))
    queue = [*_offers(*many), *_stored(*arrivals), E1, *(("done", "e1", name) for name in arrivals)]
    return [
        _events(*push, ("waiting", "i")),
        _events(*_offers(""), *_stored(""), E1),
        _events(*late),
        _events(*_offers("m1", "m1"), *_stored("m1", "m1", "x"), *_offers("m1"), ("idle", "e1", "i")),
        _events(*both, ("done", "e1", "b"), ("done", "ej", "a"), ("waiting", "i"), ("waiting", "j"), ("waiting", "k")),
        _events(*queue),
        _faultless(seed),
    ]


def _faultless(seed: str) -> Case:
    return _drawn(seed, "faultless", {"offer": 4, "stored": 4, "done": 3})


def _drawn(seed: str, name: str, kinds: dict[str, int], images: str = "ij", **limits: int) -> Case:
    """Return events in any order, with one engine for each image; every name is offered once."""
    rng = random_for(seed, name)
    calls: list[tuple[Any, ...]] = [("idle", "ei", "i"), ("idle", "ej", "j", 2)]
    offered: list[str] = []
    for _ in range(150):
        what = rng.choices(list(kinds), list(kinds.values()))[0]
        image = rng.choice(images)
        if what == "offer":
            offered.append(f"m{len(offered)}")
            calls.append(("offer", offered[-1], image))
        elif what == "stored" and offered:
            calls.append(("stored", rng.choice(offered[-6:])))
        elif what == "done" and offered:
            calls.append(("done", f"e{image}", rng.choice(offered[-8:])))
        elif what == "idle":
            calls.append(("idle", f"e{image}", image, rng.randrange(3)))
        elif what in ("lost", "leaving"):
            calls.append((what, f"e{image}"))
    return _events(*calls, **limits)


def explored(seed: str) -> list[Case]:
    """Return small clusters, and the most schedules that are played of each."""
    most = random_for(seed, "explored").randint(2990, 3010)
    names = ["one message, one engine", "two messages, one engine", "two messages, room for one", "two engines"]
    faults = ["dies", "leaves", "is suspected"]
    names += [*(f"one of two engines {fault}" for fault in faults), "the only engine asks to leave"]
    return [{"scenario": name, "most": most} for name in names]


def losses(seed: str) -> list[Case]:
    """Return engines that are lost with a pushed, a stored or no message, and engines that register again."""
    taken = [*_offers("m1", "m2"), *_stored("m1", "m2"), E1]
    first = [*taken, ("lost", "e1"), E2, ("done", "e2", "m1")]
    pushed = [E1, *_offers("m1", "m2"), *_stored("m2"), ("lost", "e1"), ("waiting", "i"), *_stored("m1"), E2]
    other = [E1, *_offers("m1"), E2, ("lost", "e1"), ("lost", "e1"), *_offers("m2"), ("done", "e2", "m1")]
    stored = [*_offers("m1"), *_stored("m1"), E1, E2, ("lost", "e1"), ("done", "e2", "m1"), *_offers("m2")]
    again = [E1, *_offers("m1"), E1, ("waiting", "i"), *_stored("m1"), ("done", "e1", "m1"), *_offers("m2")]
    moved = [E1, ("idle", "e1", "j", 3), *_offers("m1"), *_offers("m2", image="j"), ("lost", "x")]
    kinds = {"offer": 4, "stored": 5, "idle": 3, "lost": 2}
    return [
        _events(*first),
        _events(*pushed),
        _events(*other),
        _events(*stored),
        _events(*_offers("m1"), *_stored("m1"), E1, E2, ("lost", "e1"), ("lost", "e2"), ("idle", "e3", "i")),
        _events(*again),
        _events(*moved),
        _events(E1, ("lost", "e1"), *_offers("m1"), E2, *_stored("m1")),
        _drawn(seed, "losses", kinds, tries=50),
    ]


def late_results(seed: str) -> list[Case]:
    """Return lost engines that finish after all.

    Their message is promised, stored, with another engine, or finished.
    """
    lost = [*_offers("m1"), *_stored("m1"), E1, ("lost", "e1")]
    late = ("done", "e1", "m1")
    promised = [E1, *_offers("m1"), ("lost", "e1"), late, ("waiting", "i"), *_stored("m1"), E2, late]
    elsewhere = [*lost, E2, late, ("waiting", "i"), *_offers("m2"), ("done", "e2", "m1"), *_stored("m2")]
    finished = [*lost, E2, ("done", "e2", "m1"), late, *_offers("m2")]
    dies = [*lost, E2, late, ("lost", "e2"), ("idle", "e3", "i", 0), *_offers("m2")]
    other = [E1, *_offers("m1", "m2"), ("done", "e1", "m2"), *_stored("m2"), ("done", "e1", "m1"), *_offers("m3")]
    kinds = {"offer": 4, "stored": 4, "idle": 2, "lost": 2, "done": 4}
    return [
        _events(*lost, late, E2, late, ("waiting", "i"), *_offers("m2")),
        _events(*promised),
        _events(*elsewhere),
        _events(*finished),
        _events(*dies),
        _events(*other),
        _drawn(seed, "late results", kinds, tries=50),
    ]


def leavings(seed: str) -> list[Case]:
    """Return engines that ask to leave: idle, with a message on its way, or unknown.

    Another engine of the image is idle or not.
    """
    leave = ("leaving", "e1")
    names = [f"m{n}" for n in range(random_for(seed, "leavings").randint(2, 5))]
    return [
        _events(E1, *_offers("m1"), leave, ("done", "e1", "m1"), leave, *_offers("m2"), E2),
        _events(E1, *_offers("m1"), E2, leave, ("done", "e1", "m1")),
        _events(leave, E1, leave, leave, *_offers("m1"), *_stored("m1"), ("waiting", "i"), E1, leave),
        _events(E1, ON_J, leave, *_offers("m1"), *_offers("m2", image="j"), ("leaving", "ej")),
        _events(E1, leave, *_offers(*names), *_stored(*names), ("waiting", "i"), E2, leave, ("leaving", "e2")),
    ]


def full(seed: str) -> list[Case]:
    """Return more messages than the limit, places that become free, and a lost engine's message without a place.

    When that message is offered again, its losses count from 0.
    """
    limit = random_for(seed, "full").randint(2, 5)
    many = [f"m{n}" for n in range(limit + 2)]
    free = [
        *_offers("m1", "m2"),
        *_stored("m1"),
        *_offers("m2"),
        E1,
        *_offers("m2"),
        ("done", "e1", "m1"),
        *_stored("m2"),
    ]
    no_place = [E1, *_offers("m1", "m2"), ("lost", "e1"), *_offers("m1"), E2, *_stored("m2"), *_offers("m1")]
    waits = [E1, *_offers("m1", "m2"), ("lost", "e1"), *_stored("m2"), E2, ("idle", "e3", "i", 2), *_offers("m1")]
    back = [*_offers("m1"), *_stored("m1"), E1, *_offers("m2"), ("lost", "e1"), *_offers("m3"), *_stored("m2"), E2]
    return [
        _events(*_offers("m1", "m2", "m2"), ("waiting", "i"), limit=1),
        _events(*free, limit=1),
        _events(*no_place, limit=1),
        _events(*waits, ("lost", "e3"), limit=1, tries=2),
        _events(*back, limit=1),
        _events(*_offers(*many), *_stored(*many), ("waiting", "i"), limit=limit),
        _drawn(seed, "full", {"offer": 5, "stored": 3}, images="i", limit=limit),
    ]


def poisoned(seed: str) -> list[Case]:
    """Return a message, stored or pushed, that loses one engine after another, with different numbers of tries.

    A loss still counts after the message went to the backlog.
    """
    tries = random_for(seed, "poisoned").randint(4, 7)
    first = [*_offers("m1", "m2"), *_stored("m1", "m2")]

    def dying(count: int) -> list[tuple[Any, ...]]:
        return [each for n in range(count) for each in (("idle", f"e{n}", "i", n), ("lost", f"e{n}"))]

    pushed = [E1, *_offers("m1"), E2, ("lost", "e1"), ("lost", "e2"), *_offers("m1")]
    stored = [E1, *_offers("m1"), ("lost", "e1"), *_stored("m1"), E2, ("lost", "e2")]
    return [
        _events(*first, *dying(3), ("waiting", "i"), E1),
        _events(*first, *dying(2), tries=1),
        _events(*pushed, tries=2),
        _events(*stored, tries=2),
        _events(*first, *dying(2 * tries), ("waiting", "i"), tries=tries),
        _events(*first, E1, E1, E1, ("waiting", "i"), tries=2),
    ]


def deaths(seed: str) -> list[Case]:
    """Return about 120 messages for three engine processes.

    One is killed, and one is frozen until the master has given it up.
    """
    many = random_for(seed, "deaths").randint(118, 122)
    return [{"messages": many, "in_flight": each} for each in (2, 40)]
