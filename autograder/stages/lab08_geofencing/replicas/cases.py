"""Cases of `Replica` (a growing log, and a script of calls) and of `ask` (replicas that follow a script).

For the test double of the index, inside is the eastern half of the bounding box: for SQUARE, longitudes from 2 to 4.
"""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for
from autograder.stages.lab08_geofencing.replicas.drive_log import BEGIN_MS

SQUARE = [[[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]]]
WIDE = [[[[-20, -20], [20, -20], [20, 20], [-20, 20], [-20, -20]]]]
NOBODY = [[[[50, 50], [54, 50], [54, 54], [50, 54], [50, 50]]]]

# Replica


def _case(log: dict[str, Any], *script: list[Any]) -> Case:
    return {"log": log, "script": list(script)}


def _record(mover: str, second: int, lon: float) -> list[Any]:
    return [mover, BEGIN_MS + 1000 * second, lon, 2.0]


def _drawn(rng: random.Random, count: int) -> list[list[Any]]:
    return [_record(f"m{rng.randrange(9)}", at, rng.choice([1.0, 3.0, 5.0])) for at in range(count)]


def _within(polygons: Any = SQUARE, since_s: int | None = None, at_least: Any = None) -> list[Any]:
    return ["within", polygons, None if since_s is None else BEGIN_MS + 1000 * since_s, at_least]


ASKED = _within()
THREE = [_record("a", 0, 3.0), _record("b", 1, 1.0), _record("c", 2, 3.0)]


def starting(seed: str) -> list[Case]:
    """Return questions while a replica reads the log as it was at its creation.

    The log grows meanwhile; some logs are empty.
    """
    rng = random_for(seed, "starting")
    more = {"0": [_record("d", 3, 3.0), _record("a", 4, 5.0)]}
    small = _case({"0": THREE}, ASKED, ["poll", 2], ASKED, ["grow", more], ["poll", 1], ASKED, ["poll", 5], ASKED)
    two = {"0": _drawn(rng, 5), "1": _drawn(rng, 7)}
    steps: list[list[Any]] = []
    for _ in range(16):
        steps += [["grow", {str(rng.randrange(2)): _drawn(rng, 1)}], ["poll", 1], ASKED]
    return [
        small,
        _case({"0": THREE}, ["poll", 2], _within(at_least={"0": 1})),
        _case(two, ["poll", 5], ASKED, ["poll", 6], ASKED, ["poll", 1], ASKED),
        _case(two, ["grow", {"0": THREE}], ASKED, *steps),
        _case({"0": []}, ASKED, ["grow", {"0": THREE}], ["poll", 1], ASKED),
        _case({"0": [], "1": THREE}, ASKED, ["poll", 3], ASKED, ["poll", 3], ASKED),
    ]


def reached(seed: str) -> list[Case]:
    """Return demanded offsets below, equal and above the reached ones, and answers that the caller keeps or empties."""
    rng = random_for(seed, "reached")
    log, read = {"0": THREE, "1": _drawn(rng, 4)}, ["poll", 99]
    demands = [{"0": 2}, {"0": 3, "1": 4}, {"0": 4}, {"1": 5}, {"0": 3, "1": 5}, {}, {"7": 0}, {"7": 1}]
    asked = [_within(at_least=each) for each in demands]
    grown = ["grow", {"0": [_record("z", 9, 3.0)], "1": _drawn(rng, 2)}]
    since = [_within(WIDE, second) for second in (-1, 0, 1, 2, 3)]
    emptied = [*ASKED, "emptied"]
    return [
        _case({"0": THREE}, read, _within(at_least={"0": 3}), _within(at_least={"0": 4})),
        _case(log, read, *asked, grown, read, *asked, _within(NOBODY, at_least={"0": 4})),
        _case(log, read, emptied, ASKED, _within(at_least={"0": 3}), grown, read, ASKED),
        _case(log, read, *since, ["poll", 99], _within(WIDE, 2, {"0": 3})),
    ]


def gaps(seed: str) -> list[Case]:
    """Return offsets without a record at the start, in between and at the end, and a log of nothing else."""
    rng = random_for(seed, "gaps")
    many: list[Any] = [None if rng.random() < 0.4 else each for each in _drawn(rng, 30)]
    read = [["poll", 4]] * 14
    return [
        _case({"0": [*THREE, None]}, ["poll", 3], ["poll", 3], ASKED),
        _case({"0": [None, *THREE[:2], None, None, THREE[2]]}, ["poll", 9], ASKED),
        _case({"0": [None, None, None]}, ["poll", 9], ASKED),
        _case({"0": [*many, None], "1": [None, *THREE, None]}, *read, ASKED, _within(at_least={"0": 31, "1": 5})),
    ]


def killed(seed: str) -> list[Case]:
    """Return a run of three processes on Kafka."""
    drawn = random_for(seed, "killed replicas").randrange(10**6)
    return [{"seed": drawn, "positions": 6000, "questions": 400, "kill_at": 100, "restart_at": 200}]


# ask

DEAD = ["ConnectionRefusedError", "no replica listens on port 4001"]
RESET = ["ConnectionResetError", "the replica on port 4002 closed the connection"]
SLOW = ["TimeoutError", "timed out after 2 s"]
LAGS = ["NotCaughtUp", "partition 0 is at 17 of 20"]


def _ask(*scripts: list[Any], **options: Any) -> Case:
    return {"replicas": list(scripts), "question": [SQUARE, None, None], "options": options}


def _answer(*movers: str, end: int = 20) -> list[Any]:
    return ["answer", list(movers), {"0": end}]


def answered(seed: str) -> list[Case]:
    """Return replicas that answer at once, with movers or none, asked in rounds that start at each of them."""
    rng = random_for(seed, "answered")
    three = [[_answer("a", "b")], [_answer()], [_answer("c", end=rng.randint(21, 99))]]
    question = [WIDE, BEGIN_MS + rng.randrange(1000), {"0": rng.randint(1, 20)}]
    return [
        _ask([_answer()], [_answer("a")]),
        *(_ask(*three, first=first) for first in (0, 1, 2, 3, rng.randint(4, 99))),
        {**_ask(*three, rounds=1, first=2), "question": question},
        _ask([_answer("alone")]),
    ]


def failing(seed: str) -> list[Case]:
    """Return dead and lagging replicas before one that answers, in this round or a later one."""
    rng = random_for(seed, "failing")
    kinds = [DEAD, RESET, SLOW, LAGS, ["OSError", "no route to the host"]]
    drawn = [[rng.choice(kinds) for _ in range(rng.randint(1, 3))] for _ in range(4)]
    drawn[rng.randrange(4)][-1] = _answer("late")
    fails, lags = [DEAD], [LAGS, _answer("a")]
    return [
        _ask(fails, [_answer("a")], [_answer("b")]),
        _ask([["OSError", "no route to the host"]], [_answer("a")]),
        _ask(fails, lags, [LAGS]),
        _ask(fails, [LAGS], [RESET], [_answer()], first=1),
        _ask([_answer("first")], [SLOW], fails, first=5),
        _ask([LAGS, LAGS, _answer("third")]),
        _ask([LAGS, LAGS, LAGS, LAGS, _answer("fifth")], rounds=5),
        _ask(*drawn, first=rng.randrange(4)),
    ]


def invalid(seed: str) -> list[Case]:
    """Return questions and replicas with a mistake that no other replica can fix, and invalid arguments."""
    answer = _answer(f"m{random_for(seed, 'invalid').randrange(99)}")
    wrong = ["ValueError", "expected a closed ring"]
    return [
        _ask([wrong], [answer]),
        _ask([DEAD], [wrong], [answer]),
        _ask([LAGS, wrong], [DEAD], [LAGS, answer]),
        _ask([["RuntimeError", "the replica's code is broken"]], [answer]),
        _ask([DEAD], [["KeyError", "polygons"]], [answer], first=1),
        _ask(),
        _ask([answer], rounds=0),
        _ask([answer], rounds=-2),
        _ask([answer], rounds=1),
    ]


def unavailable(seed: str) -> list[Case]:
    """Return replicas that do not answer in any round, with reasons that change between rounds."""
    position = random_for(seed, "unavailable").randint(100, 999)
    rounds = [[["NotCaughtUp", f"partition 0 is at {position + at} of 2000"] for at in range(3)] for _ in range(2)]
    return [
        _ask([DEAD], [LAGS]),
        _ask(*([["NotCaughtUp", f"partition 0 is at {at} of 9"]] for at in (1, 2))),
        _ask([DEAD], *rounds, first=2),
        _ask([RESET, DEAD], [SLOW], [LAGS], rounds=1),
        _ask([LAGS, LAGS, LAGS, _answer("too late")]),
    ]
