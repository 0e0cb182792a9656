"""Cases of `admit`: what waits in each queue, the ranks of the queues, the room, and what each rank gets at least."""

import random

from autograder.checks import Case
from autograder.checks.seeds import random_for


def _case(waiting: dict[str, int], ranks: list[int], room: int, least: int = 0) -> Case:
    return {"waiting": waiting, "ranks": dict(zip(waiting, ranks, strict=True)), "room": room, "least": least}


def rooms(seed: str) -> list[Case]:
    """Return rooms that are too small, exactly enough and too large."""
    rng = random_for(seed, "rooms")
    return [
        _case({"a": 10, "b": 2, "c": 50}, [0, 0, 1], 12, 2),
        *(_case({"a": 3, "b": 4}, [0, 1], room, 1) for room in (0, 1, 6, 7, 8, 900)),
        _case({"a": 9, "b": 9}, [0, 0], 7),
        _case({}, [], 5, 1),
        _case({"a": 0, "b": 0}, [0, 1], 5, 1),
        _case({"a": 0, "b": 9}, [0, 0], 9, 0),
        *(_drawn(rng, 3) for _ in range(30)),
    ]


def one_rank(seed: str) -> list[Case]:
    """Return queues of one rank, some of which need less than an equal share."""
    rng = random_for(seed, "one rank")
    return [
        _case({"a": 10, "b": 2}, [0, 0], 7),
        _case({"a": 9, "b": 9}, [0, 0], 4, 1),  # what a queue got as its rank's least counts, too
        _case({"b": 9, "c": 9, "a": 9}, [1, 1, 1], 8),
        _case({"c": 30, "b": 1, "a": 4}, [0, 0, 0], 11),
        _case({"b": 1, "a": 1, "c": 1}, [0, 0, 0], 2),
        _case({"a": 5, "b": 5, "c": 5, "d": 0}, [0, 0, 0, 0], 15),
        *({**_drawn(rng, 1), "least": 0} for _ in range(30)),
    ]


def ranks(seed: str) -> list[Case]:
    """Return queues of several ranks; names and places in the dict say nothing about the rank."""
    rng = random_for(seed, "ranks")
    return [
        _case({"a": 9, "b": 9}, [0, 1], 10, 2),
        _case({"a": 9, "b": 9, "c": 9}, [0, 1, 2], 3, 2),
        _case({"a": 9, "b": 9, "c": 9}, [2, 1, 0], 12, 1),
        _case({"b": 100, "a": 100, "c": 1}, [5, 5, 0], 50),
        _case({"a": 9, "b": 9, "c": 9}, [0, 0, 1], 9, 4),  # least is of a rank, not of each queue
        _case({"a": 1, "b": 90, "c": 90}, [0, 1, 2], 30, 5),
        _case({"a": 30, "b": 30, "c": 30}, [10, 9, 11], 20, 3),
        *(_drawn(rng, 3) for _ in range(40)),
    ]


def invalid(seed: str) -> list[Case]:
    """Return a negative room and a negative least, and valid ones at the limit."""
    far = random_for(seed, "invalid room").randint(2, 99)
    pairs = [(5, 0), (0, 0), (-1, 0), (-far, 2), (5, -1), (5, -far), (0, 1)]
    return [_case({"a": 3, "b": 2}, [0, 1], room, least) for room, least in pairs]


def _drawn(rng: random.Random, ranks: int) -> Case:
    names = [f"q{at}" for at in range(rng.randint(ranks, 7))]
    rng.shuffle(names)
    waiting = {name: rng.choice([0, 1, 2, 5, 30, 200]) for name in names}
    return _case(waiting, [rng.randrange(ranks) for _ in names], rng.choice([1, 7, 50, 300]), rng.choice([0, 1, 5, 40]))
