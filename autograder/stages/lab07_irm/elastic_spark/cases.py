"""Folders of pictures, scripts of executors, and one cluster, smallest first. Few cases need Spark."""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for

SIZE_PX = 128
RULES = {"many": 2}
Calls = list[list[Any]]


def counted(seed: str) -> list[Case]:
    """Return one picture with a few cells, and a stream of pictures with none, one and many."""
    rng = random_for(seed, "counted")
    number = rng.randrange(10**6)
    several = [["0.png", number, 0, SIZE_PX], ["one cell.png", number + 1, 1, SIZE_PX], ["3.png", number, 12, 192]]
    return [_files([["a.png", number, rng.randint(3, 8), SIZE_PX]]), _files(several, stream=True)]


def unreadable(seed: str) -> list[Case]:
    """Return a text and half a picture, with a valid picture between them."""
    rng = random_for(seed, "unreadable")
    number, cells = rng.randrange(10**6), rng.randint(2, 8)
    files = [["a.txt", "no picture"], ["b.png", number, cells, SIZE_PX], ["c.png", number, cells, SIZE_PX]]
    return [{**_files(files), "bytes": {"c.png": 300}}]


def _files(files: list[Any], *, stream: bool = False) -> Case:
    return {"files": files, "bytes": {}, "stream": stream}


def requested(seed: str) -> list[Case]:
    """Return requests under way and fulfilled, executors that came without a request, and random scripts."""
    rng = random_for(seed, "requested")
    come: Calls = [[0, 12, []], [1, 12, [["0", 1]]], [3, 20, _busy(2)], [4, 9, _busy(4)], [6, 30, _busy(4)]]
    others: Calls = [[0, 3, _busy(5)], [1, 9, _busy(5)], [3, 9, _busy(3)]]
    some = [_script(rng, at, [1]) for at in range(3)]
    return [_case(come[:2]), _case(come, most=99), _case(others, most=99), *[_case(each, most=99) for each in some]]


def retired(seed: str) -> list[Case]:
    """Return executors that are idle for less than the limit, exactly as long, and longer.

    Some are idle while others work or while tasks wait; some scripts are random.
    """
    rng = random_for(seed, "retired")
    idle: Calls = [[0, 4, []], [1, 0, _busy(2)], [3, 0, _idle(2)], [4, 0, _idle(2)], [5, 0, []]]
    one: Calls = [[1, 0, _busy(3)], [3, 0, [["0", 0], ["1", 1], ["2", 0]]], [4, 0, [["0", 0], ["1", 0], ["2", 1]]]]
    one += [[5, 0, [["0", 0], ["1", 0]]], [7, 0, [["1", 0]]], [8, 0, [["1", 0], ["3", 0]]], [11, 0, [["3", 0]]]]
    waits: Calls = [[1, 5, _busy(2)], [3, 1, _idle(2)], [6, 1, _idle(2)], [7, 0, _idle(2)], [8, 0, []]]
    new: Calls = [[1, 0, _idle(1)], [3, 0, _idle(2)], [4, 0, _idle(2)], [6, 0, [["1", 0]]]]
    some = [_case(_script(rng, at, [0, 0, 0, 1]), most=99) for at in range(4)]
    return [
        _case(idle),
        _case([[0, 0, _idle(1)], [2, 0, _idle(1)], [3, 0, _idle(1)]]),
        _case([[1, 0, [["9", 0], ["10", 0]]], [4, 0, [["9", 0], ["10", 0]]]]),
        _case(one),
        _case(waits),
        _case(new),
        {**_case(new), "idle_s": 0},
        {**_case(one, most=99), "idle_s": 0},
        *some,
    ]


def limited(seed: str) -> list[Case]:
    """Return many waiting tasks, more executors than allowed, and a limit of one."""
    waiting = random_for(seed, "limited").randint(40, 90)
    many: Calls = [[at, waiting, _busy(at)] for at in (0, 1, 3, 4, 6)]
    more: Calls = [[0, waiting, _busy(6)], [1, 0, _busy(6)], [9, 0, _idle(6)]]
    return [_case(many[:3], most=3), _case(many, most=4), _case(more, most=4), _case(many, most=1)]


def clusters(seed: str) -> list[Case]:
    """Return 24 short tasks on a cluster that has no executor at first."""
    task_s = random_for(seed, "clusters").choice([0.38, 0.4, 0.42])
    return [{"rules": RULES, "idle_s": 1, "most": 4, "tasks": 24, "task_s": task_s}]


def _busy(count: int) -> list[Any]:
    return [[str(number), 1] for number in range(count)]


def _idle(count: int) -> list[Any]:
    return [[str(number), 0] for number in range(count)]


def _script(rng: random.Random, skipped: int, tasks: list[int]) -> Calls:
    """Return a script in which executors come and work; an executor that has gone does not come back."""
    calls: Calls = []
    first, last = 0, rng.randint(0, 3)
    for now_s in range(skipped, skipped + 24):
        executors = [[str(number), rng.choice(tasks)] for number in range(first, last)]
        calls.append([now_s, rng.choice([0, 0, 0, 1, 6]), executors])
        first, last = min(last, first + rng.choice([0, 0, 1])), last + rng.choice([0, 0, 1])
    return calls


def _case(calls: Calls, most: int = 4) -> Case:
    return {"rules": RULES, "idle_s": 3, "most": most, "calls": calls}
