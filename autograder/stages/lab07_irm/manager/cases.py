"""What a manager sees at each tick, smallest first, and jobs for a whole cluster. The drive explains their form."""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for

RULES = {"capacity": 1000, "default_size": 250, "least_size": 20, "window": 10, "many": 4, "ttl": 2}
Tick = dict[str, Any]


def followed(seed: str) -> list[Case]:
    """Return twelve waiting messages, two images whose sizes change, and random ticks."""
    rng = random_for(seed, "followed")
    one = [_tick({"c": 12}, on=1, ready=1)]
    two = [_tick({"c": 9, "dd": 6}, on=2, ready=2), _tick({"dd": 5, "c": 9}, cpu={"c": 400, "dd": 90}, on=3, ready=3)]
    two += [_tick({"c": 6, "dd": 1}, cpu={"c": 5, "dd": 2000}, on=3, ready=3, end=[1]), _tick({}, on=3, ready=3)]
    two += [_tick({"c": 4}, cpu={"c": 380}, on=3, ready=3, end=[0, "unknown"]), _tick({"c": 4}, on=3, ready=3)]
    large = [_tick({"c": 2}, on=2, ready=2), *(_tick({"c": 2}, cpu={"c": 1600}, on=2, ready=2) for _ in range(3))]
    later = [_tick({"e": 2, "dd": 2}, on=2, ready=2), _tick({}, cpu={"e": 400, "dd": 100}, on=2, ready=2)]
    later += [_tick({}, end=[1], on=2, ready=1), _tick({"c": 2, "dd": 2}, on=2, ready=1)]  # the second one starts
    return [
        _case(one),
        _case([_tick({"c": 0}, on=1, ready=1)]),
        _case([_tick({"c": 8}, on=1, ready=0), _tick({}, on=1, ready=1)]),
        _case(later, default_size=650),
        _case(two),
        _case(large, capacity=2000),
        *[_case(_random(rng, 14), ttl=rng.randint(0, 2)) for _ in range(4)],
    ]


def ended(seed: str) -> list[Case]:
    """Return engines that end and make room: two of four, all, and names that have no place."""
    size = random_for(seed, "ended").randint(300, 500)
    full = [_tick({"c": 8}, on=1, ready=1), _tick({"c": 8}, on=1, ready=1)]
    half = [*full, _tick({"c": 0}, end=[1, 2], on=1, ready=1), _tick({"c": 6}, on=1, ready=1)]
    gone = [*full, _tick({"c": 0}, end=[0, 1, 2, 3], on=1, ready=1), _tick({"c": 3}, on=1, ready=1)]
    odd = [_tick({"c": 8}, on=1, ready=1, end=["c-1"]), _tick({"c": 2}, on=1, ready=1, end=["c-1", "c-9", 1])]
    odd += [_tick({"c": 0}, end=["c-1", 0, 0], on=1, ready=1), _tick({"c": 3}, on=1, ready=1)]
    return [_case(half), _case(half, default_size=size), _case(gone), _case(odd)]


def ready(seed: str) -> list[Case]:
    """Return workers that are on but still booting: none is ready, and later some are. No request runs out of tries."""
    rng = random_for(seed, "ready")
    boots = [_tick({"c": 12}, on=3, ready=1), _tick({"c": 12}, on=3, ready=1), _tick({"c": 12}, on=3, ready=2)]
    none = [_tick({"c": 5}, on=1, ready=0), _tick({"c": 5}, on=2, ready=0), _tick({"c": 5}, on=3, ready=1)]
    some = [_tick({"c": rng.randint(4, 20)}, on=5, ready=min(5, at // 2)) for at in range(9)]
    return [
        _case(boots, ttl=9),
        _case(none, ttl=9),
        _case(some, ttl=9, default_size=500),
    ]


def tries(seed: str) -> list[Case]:
    """Return requests that find no ready worker, with ttl 1, 0 and 3; some requests start in the meantime."""
    image = f"c{random_for(seed, 'tries').randint(0, 99)}"
    waits = [_tick({image: 12}, on=1, ready=1) for _ in range(6)]
    later = [_tick({image: 12, "b": 9}, on=1, ready=0 if at < 3 else 1) for at in range(6)]
    none = [_tick({image: 12}, on=1, ready=0) for _ in range(6)]
    cases = [_case(waits[:3], ttl=1, default_size=500), _case(none, ttl=0), _case(waits, ttl=1, default_size=500)]
    return [*cases, _case(later, ttl=3, default_size=500), _case(none, ttl=3)]


def unneeded(seed: str) -> list[Case]:
    """Return requests whose waiting messages disappear.

    They belong to one of two images, or to an image that is no longer listed.
    """
    rng = random_for(seed, "unneeded")
    first = _tick({"c": 8}, on=1, ready=0)
    fewer = [first, _tick({"c": 1}, on=1, ready=1), _tick({"c": 0}, on=1, ready=1)]
    none = [first, _tick({}, on=1, ready=1), _tick({"c": 8}, on=1, ready=1)]
    both = [_tick({"c": 8, "dd": 8}, on=1, ready=0), _tick({"c": 2, "dd": 1}, on=2, ready=2), first]
    some = [_tick({"c": rng.randint(0, 9), "dd": rng.randint(0, 9)}, on=3, ready=at % 3) for at in range(9)]
    return [_case(fewer), _case(none), _case(both), _case(some, ttl=4)]


def clusters(seed: str) -> list[Case]:
    """Return messages that need 250 for 20 s each, in a cluster of four: 24 of them, and two bursts with a pause."""
    rng = random_for(seed, "clusters")
    first = {"at_s": rng.randint(3, 6), "messages": 24, "per_s": 2}
    second = {"at_s": rng.randint(70, 90), "messages": rng.randint(16, 24), "per_s": 20}
    return [_cluster([first], until_s=90), _cluster([{**first, "per_s": 24}, second], until_s=190)]


def _cluster(bursts: list[Any], *, until_s: int) -> Case:
    return {"rules": RULES, "bursts": bursts, "cpu": 250, "busy_s": 20, "workers": 4, "until_s": until_s}


def _random(rng: random.Random, count: int) -> list[Tick]:
    ticks = []
    for _ in range(count):
        waiting = {image: rng.choice([0, 1, 3, 10]) for image in rng.sample(["c", "dd", "e"], 2)}
        cpu = {image: rng.choice([5, 90, 250, 333, 700, 1500]) for image in rng.sample(["c", "dd", "e"], 2)}
        on = rng.randint(0, 6)
        end: list[Any] = rng.sample(range(6), rng.choice([0, 0, 1, 2]))
        ticks.append(_tick(waiting, cpu=cpu, end=end, on=on, ready=rng.randint(0, on)))
    return ticks


def _tick(waiting: dict[str, int], *, on: int, ready: int, cpu: Any = None, end: Any = ()) -> Tick:
    return {"waiting": waiting, "cpu": cpu or {}, "end": list(end), "on": on, "ready": ready, "registered": 6}


def _case(ticks: list[Tick], **rules: int) -> Case:
    return {"rules": {**RULES, **rules}, "ticks": ticks}
