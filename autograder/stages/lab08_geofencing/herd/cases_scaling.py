"""Cases of `scaling`: runs [nodes, [[time_s, offered, done], …]]."""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for
from streamlab.lab08_geofencing.published import SCALING, runs_of

Run = list[Any]


def _run(nodes: int, seconds: int, offered_per_s: float, done_per_s: float, begin_s: float = 0, lag: int = 0) -> Run:
    """Return samples of each second; `lag` is the lag of the first one."""
    at = range(seconds + 1)
    return [nodes, [[begin_s + s, lag + 1000 + offered_per_s * s, 1000 + done_per_s * s] for s in at]]


FENCEX = {what: [[nodes, [list(each) for each in run]] for nodes, run in runs_of(what).items()] for what in SCALING}


def reported(seed: str) -> list[Case]:
    """Return runs with a lag at the start, with a start after 0 s, in any order, and around the bound of 2 %."""
    rng = random_for(seed, "reported")
    drawn = [_drawn(rng, nodes) for nodes in rng.sample(range(1, 20), 5)]
    drawn.append([20, [[3, 7, 5], [3.5, 2000, 5], [8, 2100, 90], [9.25, 9000, 800]]])
    return [
        {"runs": [_run(1, 2, 100, 60)]},
        {"runs": FENCEX["push, strong"]},
        {"runs": FENCEX["pull, strong"]},
        {"runs": [_run(2, 4, 800, 300, begin_s=16, lag=500), _run(1, 4, 800, 200, begin_s=2, lag=4000)]},
        {"runs": [_run(1, 8, 1000, 500), _run(2, 8, 1000, 980), _run(3, 8, 1000, 979), _run(4, 8, 1000, 1001, lag=50)]},
        {"runs": drawn},
    ]


def _drawn(rng: random.Random, nodes: int) -> Run:
    """Return a run that is limited by its nodes."""
    offered, times = rng.randint(5000, 9000), sorted(rng.sample(range(1, 60), 5))
    done = rng.randint(10, 4000)
    return [nodes, [[s, 90_000 + offered * s + rng.randrange(50), done * s + rng.randrange(50)] for s in times]]


def keeping_up(seed: str) -> list[Case]:
    """Return a smallest run that keeps up, and series that begin with two or more nodes."""
    rng = random_for(seed, "keeping up")
    smallest = rng.randint(3, 9)
    return [
        {"runs": [[1, [[0, 500, 0], [1, 600, 200]]]]},
        {"runs": [_run(1, 2, 100, 50), [2, [[0, 10, 10], [1, 500, 10]]]]},
        {"runs": [_run(1, 4, 1000, 1000), _run(2, 4, 2000, 2000)]},
        {"runs": [_run(2, 4, 9000, 3000), _run(4, 4, 9000, 4500), _run(8, 4, 9000, 9000)]},
        {"runs": [_run(1, 4, 500, 490), _run(2, 4, 5000, 980)]},
        {"runs": [_run(1, 4, 500, 489), _run(2, 4, 5000, 978)]},
        {"runs": [_run(smallest + 2, 4, 70, 70), _run(smallest, 4, 64, 17)]},
        {"runs": [_run(smallest, 4, 64, 64, lag=90)]},
        {"runs": FENCEX["push, weak"]},
        {"runs": [[2, [[0, 5, 5], [8, 64, 7]]], [3, [[0, 5, 5], [8, 64, 9]]]]},
    ]


def impossible(seed: str) -> list[Case]:
    """Return measurements that are impossible, and runs at the limit of what is possible."""
    more = random_for(seed, "impossible").randint(2, 999)
    fine = _run(2, 3, 1000, 600)
    ok = _run(1, 3, 1000, 500)
    samples = {
        "one sample": [[0, 0, 0]],
        "no sample": [],
        "equal times": [[0, 0, 0], [1, 10, 5], [1, 20, 9]],
        "earlier": [[5, 0, 0], [4, 10, 5], [9, 20, 9]],
        "offered falls": [[0, 100, 10], [1, 90, 20], [2, 200, 30]],
        "done falls": [[0, 100, 10], [1, 150, 9], [2, 200, 30]],
        "more done": [[0, 0, 0], [1, 10, 11], [2, 30 + more, 20]],
        "more done at the end": [[0, 0, 0], [1, 10, 10], [2, 20, 20 + more]],
        "more done at first": [[0, 5, 6], [1, 10, 8], [2, 20, 9]],
        "negative": [[0, 5, -1], [1, 10, 8], [2, 20, 9]],
    }
    wrong = [[ok, [3, each]] for each in samples.values()]
    idle = [[1, [[0, 10, 10], [1, 500, 10]]], fine]
    nothing_offered = [[1, [[0, 10, 10], [1, 10, 10]]]]
    return [
        {"runs": [[1, [[0, 0, 0], [1, 100, 200]]]]},
        {"runs": []},
        *({"runs": each} for each in wrong),
        {"runs": [_run(0, 3, 1000, 500), ok]},
        {"runs": [ok, _run(-more, 3, 1000, 500)]},
        {"runs": idle},
        {"runs": nothing_offered},
        {"runs": [ok, [2, [[0, 10, 10], [1, 500, 10]]]]},
        {"runs": [[1, [[0, 0, 0], [0.5, 7, 7], [0.75, 7, 7], [1, 90, 20]]], fine]},
    ]
