"""Seeded cases of `hibench`: visits in order, at the edges of windows of 30 s and between them."""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import VOCABULARY, random_for

WINDOW_MS = 30_000
EDGES_MS = (-1, 0, 1000, 29_999, 30_000, 59_999, 60_000)
Visit = dict[str, Any]


def passed_on(seed: str) -> list[Case]:
    """Return the two workloads that only pass rows on, over two visits, one with empty values, and many."""
    visits = some_visits(random_for(seed, "passed on"), 12)
    empty = [{**visits[0], "url": "", "duration_s": 0}]
    return [_case(workload, some) for some in (visits[:2], empty, visits) for workload in ("identity", "repartition")]


def words(seed: str) -> list[Case]:
    """Return a word that occurs twice, also with a capital letter, and a random text."""
    rng = random_for(seed, "words")
    return [
        _case("wordcount", [visit_at(1, word="to"), visit_at(2, word="to")]),
        _case("wordcount", [visit_at(1, word="To"), visit_at(2, word="to")]),
        _case("wordcount", some_visits(rng, 30)),
    ]


def windows(seed: str) -> list[Case]:
    """Return one ip at the edges of windows, two at the same time, and random visits."""
    rng = random_for(seed, "windows")
    return [
        _case("fixwindow", [visit_at(1000), visit_at(29_999)]),
        _case("fixwindow", [visit_at(1, "10.0.0.1"), visit_at(1, "10.0.0.2")]),
        _case("fixwindow", [visit_at(t) for t in EDGES_MS]),
        _case("fixwindow", some_visits(rng, 20)),
    ]


def unknown(seed: str) -> list[Case]:
    """Return a workload that exists, and some that do not."""
    other = random_for(seed, "unknown").choice(["kmeans", "sliding", "join"])
    return [_case(name, [visit_at(1)]) for name in ("identity", "", "Identity", "fixwindow ", other)]


def _case(workload: str, visits: list[Visit]) -> Case:
    return {"workload": workload, "visits": visits}


def some_visits(rng: random.Random, count: int) -> list[Visit]:
    """Return visits of four ips within three windows, in order of time, no two at the same time."""
    times = sorted(rng.sample(range(1, 3 * WINDOW_MS), count))
    return [visit_at(t, f"10.0.0.{rng.randrange(4)}", rng.choice(VOCABULARY[:5])) for t in times]


def visit_at(t: int, ip: str = "10.0.0.9", word: str = "stream") -> Visit:
    """Return a visit; url and duration depend on its time."""
    return {"t": t, "ip": ip, "url": f"/{t % 7}", "word": word, "duration_s": 1 + t % 3}
