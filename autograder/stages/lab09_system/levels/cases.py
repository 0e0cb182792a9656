"""Cases of `service_levels`: {alert: time of its event}, [alert, time] of each copy, now, and an objective."""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for

PAGE = [[60, 5, 14.4]]
PLAIN = [99.0, 1000, PAGE]
SRE = [[3600, 300, 14.4], [21600, 1800, 6.0]]  # the windows of Google's SRE workbook


def _case(expected: dict[str, int], seen: list[Any], now_ms: int = 5000, objective: list[Any] = PLAIN) -> Case:
    return {"expected": expected, "seen": [list(each) for each in seen], "now_ms": now_ms, "objective": objective}


def _alerts(count: int, at_ms: int = 0) -> dict[str, int]:
    return {f"a{at}": at_ms for at in range(count)}


def lost(seed: str) -> list[Case]:
    """Return alerts of which some never come; in time, late and overdue ones count alike in a percentile."""
    rng = random_for(seed, "lost alerts")
    partly = [(100, 1), (100, 2), (101, 1), (101, 2), (3, 1), (2, 1), (4, 2), (4, 3)]
    return [
        _case({"a": 0, "b": 4000}, [("a", 10)]),
        _case({"a": 5000}, []),
        _case({"a": 0, "b": 4200, "c": 300}, []),
        *(_case(_alerts(count), [(f"a{at}", 5) for at in range(missing, count)]) for count, missing in partly),
        *(_drawn(rng, copies=[0, 1, 1]) for _ in range(12)),
    ]


def copies(seed: str) -> list[Case]:
    """Return alerts that come several times, and alerts that nobody expected."""
    rng = random_for(seed, "copies")
    return [
        _case({"a": 0, "b": 4500}, [("a", 10), ("a", 12), ("z", 1)]),
        _case({"a": 0}, [("a", 10)]),
        _case({"a": 0, "b": 0}, [("a", 10), ("b", 9), ("a", 12), ("a", 10)]),
        _case({"a": 0, "b": 0}, [("z", 10), ("z", 9), ("y", 12)]),
        *(_drawn(rng, copies=[0, 1, 2, 4]) for _ in range(12)),
    ]


def latencies(seed: str) -> list[Case]:
    """Return alerts that all come, some of them more than once; the events lie at different times."""
    rng = random_for(seed, "latencies")
    drawn = [_drawn(rng, copies=[1, 1, 1, 2, 3], count=count) for count in (1, 2, 3, 4, 99, 100, 101, 150, 200, 201)]
    return [
        _case({"a": 4000, "b": 500}, [("a", 4200), ("b", 530)]),
        _case({"a": 0}, [("a", 0)]),  # at once, at 0 ms
        _case({"a": 0}, [("a", 900), ("a", 20), ("a", 4000)]),
        _case({"a": 0, "b": 4000}, [("b", 4300), ("a", 40), ("b", 4100), ("z", 3)]),
        *drawn,
    ]


def budgets(seed: str) -> list[Case]:
    """Return alerts on both sides of the limit, lost ones that are due or not, and invalid arguments."""
    rng = random_for(seed, "budgets")
    one = {"a": 0, "b": 100, "c": 200, "d": 300}
    quarter = [75.0, 1000, []]
    out_of_range = [0.0, 100.0, -1.0, 100.1, float(-rng.randint(2, 99))]
    return [
        _case(one, [("a", 1000), ("b", 1101), ("c", 9), ("d", 2000)], objective=quarter),
        _case({"a": 0}, [("a", 1000)]),
        _case({"a": 0}, [("a", 1001)]),
        _case({"a": 4000}, []),  # due now
        _case({"a": 4001}, []),  # due in a moment
        _case({"a": 4001}, [], 5001),
        _case({"a": 0}, [("a", 1500), ("a", 900)]),
        _case({"a": 0, "b": 4500}, [("a", 10), ("z", 4000)]),
        *({**_drawn(rng, copies=[0, 1, 1, 1]), "objective": [each, 1000, []]} for each in (50.0, 90.0, 99.0, 99.9)),
        _case({}, [("a", 1)]),
        *(_case(one, [("a", 10)], objective=[each, 1000, []]) for each in out_of_range),
        *(_case(one, [("a", 10)], objective=[each, 1000, []]) for each in (0.5, 99.99)),
    ]


def pages(seed: str) -> list[Case]:
    """Return alerts whose bad ones lie in both windows, in the long one only, or in the short one only."""
    rng = random_for(seed, "pages")
    return [
        _case({"a": 500}, []),
        _case({"a": 0, "b": 4500}, [("a", 1001)], objective=[75.0, 1000, [[60, 5, 3.0]]]),  # "b" is not due yet
        _case({"a": 500}, [], objective=[99.0, 1000, [[60, 5, 60.0]]]),
        _case({"a": 0, **_alerts(99, 2000)}, [(name, 2400) for name in _alerts(99)], 4000),  # a second of its own
        _case({"a": 500}, [], 6500),  # due 5 s ago: no longer in the short window
        _case({"a": 501}, [], 6500),
        _burst([10_000], 70_000, 20),  # over for long
        _burst([10_000, 68_500], 70_000, 20),
        _burst([68_500], 70_000, 400),  # just begun
        _case({"a": 0}, [], 1000),
        _case({"a": 4500}, [], 5000, [99.0, 1000, [[60, 5, 0.5]]]),  # nothing is due
        _case({"a": 0, "b": 0, "c": 0, "d": 0}, [("a", 9), ("b", 9)], 3000, [75.0, 1000, [[60, 5, 2.0], [60, 5, 1.5]]]),
        _case({"a": 0, "b": 0}, [("a", 9)], 3000, [50.0, 1000, []]),
        _hours(rng, 30),
        _hours(rng, 80),
        _hours(rng, 420, every=7),
        *(_drawn(rng, copies=[0, 1, 1, 1, 1], windows=[[60, 5, 14.39], [100, 20, 2.03]]) for _ in range(12)),
    ]


def _burst(lost_ms: list[int], now_ms: int, good: int) -> Case:
    """Return ten lost alerts at each of these times, and good ones spread over the minute before."""
    late = {f"l{at_ms}-{at}": at_ms for at_ms in lost_ms for at in range(10)}
    fine = {f"g{at}": now_ms - 60_500 + at * 60_000 // good for at in range(good)}
    return _case(late | fine, [(name, at_ms + 5) for name, at_ms in fine.items() if at_ms + 5 <= now_ms], now_ms)


def _hours(rng: random.Random, bad_minutes: int, every: int = 1) -> Case:
    """Return seven hours of an alert a minute; of the last minutes, every one or every so many is late."""
    now_ms = 7 * 3_600_000
    expected = {f"a{minute}": 60_000 * minute + rng.randrange(30_000) for minute in range(420)}
    late = {f"a{minute}" for minute in range(420 - bad_minutes, 420, every)}
    seen = [(name, at_ms + (3000 if name in late else 400)) for name, at_ms in expected.items()]
    return _case(expected, seen, now_ms, [98.0, 1000, SRE])


def _drawn(rng: random.Random, copies: list[int], count: int = 0, windows: list[Any] = PAGE) -> Case:
    """Return alerts of two minutes, each with one of these numbers of copies, and up to two unexpected ones."""
    now_ms, seen = 120_000, [(f"z{at}", 5) for at in range(rng.randint(0, 2))]
    expected = {f"a{at}": rng.randrange(0, now_ms) for at in range(count or rng.choice([1, 2, 50, 99, 100, 101]))}
    for name, at_ms in expected.items():
        delays = [rng.choice([5, 500, 999, 1000, 1001, 4000]) + rng.randrange(9) for _ in range(rng.choice(copies))]
        seen += [(name, min(now_ms, at_ms + delay)) for delay in delays]
    rng.shuffle(seen)
    return _case(expected, seen, now_ms, [rng.choice([90.0, 99.0, 99.9]), 1000, windows])
