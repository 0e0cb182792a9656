"""Seeded cases of `FirstFit`, `least_workers` and `first_fit_vector`, smallest first."""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for

# FirstFit


def _script(*calls: tuple[Any, ...], capacity: int = 1000) -> Case:
    return {"capacity": capacity, "script": [list(call) for call in calls]}


def _placed(*sizes: int, capacity: int = 1000) -> Case:
    return _script(*(("place", f"e{n}", size) for n, size in enumerate(sizes)), capacity=capacity)


def _never_exact(rng: random.Random) -> int:
    """Return a random size; fewer than 20 such sizes never add up to 1000."""
    return 20 * rng.randint(6, 32) + 3


def first(seed: str) -> list[Case]:
    """Return placements without exact fits, and placements with removals."""
    rng = random_for(seed, "first")
    many = [_never_exact(rng) for _ in range(60)]
    return [_placed(603, 503, 303, 203), _placed(423, 633, 273, 303, 543, 483), _placed(*many), _with_removals(rng)]


def _with_removals(rng: random.Random) -> Case:
    calls, present = list[tuple[Any, ...]](), list[str]()
    for number in range(120):
        if present and rng.random() < 0.35:
            calls.append(("remove", present.pop(rng.randrange(len(present)))))
        else:
            present.append(f"e{number}")
            calls.append(("place", f"e{number}", _never_exact(rng)))
    return _script(*calls)


def exact(seed: str) -> list[Case]:
    """Return sizes that fill workers exactly."""
    rng = random_for(seed, "exact")
    drawn = [100 * rng.randint(1, 9) for _ in range(40)]
    return [
        _placed(600, 400),
        _placed(*[125] * 9),
        _placed(1000, 1000, 1),
        _placed(600, 500, 300, 200, 700, 100, 400, 300),
        _placed(*drawn),
        _placed(1, 1, 1, capacity=1),
    ]


EXAMPLE = _script(
    ("place", "a", 600),
    ("place", "b", 500),
    ("place", "c", 303),
    ("place", "d", 200),
    ("remove", "b"),
    ("resize", "a", 900),
    ("place", "e", 100),
)


def space(seed: str) -> list[Case]:
    """Return sizes that change, even beyond a worker's capacity, and engines that leave such a worker."""
    rng = random_for(seed, "space")
    three = [("place", name, 300) for name in "abc"]
    grown = [("resize", name, 505) for name in "abc"]
    over = _script(*three, *grown, ("remove", "a"), ("remove", "b"), ("place", "d", 490), ("place", "e", 505))
    shrunk = _script(("place", "a", 600), ("resize", "a", 1), ("place", "b", 700), ("remove", "a"), ("place", "c", 295))
    larger = _script(("place", "a", 500), ("resize", "a", 1700), ("place", "b", 10), ("resize", "a", 20))
    unknown = _script(
        ("place", "a", 300),
        ("resize", "b", 10),
        ("remove", "b"),
        ("resize", "b", 0),
        ("resize", "a", 0),
        ("resize", "a", -1),
    )
    return [EXAMPLE, over, shrunk, larger, unknown, _resized(rng)]


def _resized(rng: random.Random) -> Case:
    calls, present = list[tuple[Any, ...]](), list[str]()
    for number in range(100):
        kind = rng.random()
        if present and kind < 0.25:
            calls.append(("remove", present.pop(rng.randrange(len(present)))))
        elif present and kind < 0.5:
            calls.append(("resize", rng.choice(present), _never_exact(rng)))
        else:
            present.append(f"e{number}")
            calls.append(("place", f"e{number}", _never_exact(rng)))
    return _script(*calls)


def numbered(seed: str) -> list[Case]:
    """Return empty workers in between and at the end, an engine that comes back, and a choice of two workers."""
    rng = random_for(seed, "numbered")
    many = [("place", f"e{n}", 703) for n in range(9)]
    leave = [("remove", f"e{n}") for n in rng.sample(range(9), 9)]
    small = _script(
        *many[:3], ("remove", "e1"), ("place", "x", 303), ("remove", "e2"), ("remove", "x"), ("remove", "e0")
    )
    back = _script(*many[:2], ("remove", "e0"), ("place", "e0", 503), ("remove", "e1"), ("remove", "e0"))
    low = _script(("place", "a", 603), ("place", "b", 503), ("place", "c", 303), ("remove", "b"))
    return [small, back, low, _script(*many, *leave, ("place", "last", 103))]


def too_large(seed: str) -> list[Case]:
    """Return invalid sizes and engines between valid ones."""
    size = random_for(seed, "too large").randint(1001, 9999)
    first_one = ("place", "first", 403)
    wrong = [("place", "big", 1001), ("place", "none", 0), ("place", "less", -7), ("place", "first", 50)]
    small = _script(first_one, wrong[0], ("place", "whole", 1000))
    others = _script(first_one, *wrong, ("place", "huge", size), ("place", "big", 503), ("remove", "first"))
    return [small, others, _script(("place", "big", 8), capacity=7)]


def large(seed: str) -> list[Case]:
    """Return a small script, then one with hundreds of workers; the sizes count their comparisons."""
    rng = random_for(seed, "large")
    calls, present = list[tuple[Any, ...]](), list[str]()
    for number in range(1500):
        calls.append(("place", f"e{number}", 2 * rng.randint(126, 374) + 1))
        present.append(f"e{number}")
        if number % 5 == 4:
            calls.append(("remove", present.pop(rng.randrange(len(present)))))
    return [{**_placed(603, 503, 303, 203), "counts": True}, {**_script(*calls), "counts": True}]


# least_workers


def bounded(seed: str) -> list[Case]:
    """Return lists whose bound comes from different splits, small random ones, and sizes of exactly C/2."""
    rng = random_for(seed, "bounded")
    fixed = [
        [600, 600, 600, 450, 450],
        [700, 500],
        [500, 500, 501],
        [501, 500, 500, 499],
        [600, 400],
        [600, 600, 401, 401, 200],
        [],
        [1],
        [1000, 1000],
        6 * [150] + 6 * [340] + 6 * [510],
        20 * [300],
        [999, 1, 1],
        [600, 600, 432],
    ]
    drawn = [[rng.randint(50, 700) for _ in range(rng.randint(3, 10))] for _ in range(25)]
    near = [[50 * rng.randint(5, 15) for _ in range(rng.randint(4, 10))] for _ in range(25)]
    odd = [{"sizes": [4, 4, 4, 3, 3, 3], "capacity": 7}, {"sizes": [1, 1, 1], "capacity": 1}]
    small = {"sizes": [6, 6, 4, 4, 4], "capacity": 10}
    lists: list[Case] = [{"sizes": sizes} for sizes in [*fixed, *drawn, *near]]
    return [lists[0], small, *lists[1:], *odd]


def unbounded(seed: str) -> list[Case]:
    """Return sizes at the edges of what is valid, and beyond them."""
    high = random_for(seed, "unbounded").randint(1002, 9999)
    lists = [[600, 1000, 1], [600, 1001], [0], [300, 0], [300, -5, 5], [high], [1, 1]]
    return [*({"sizes": sizes} for sizes in lists), {"sizes": [7, 8], "capacity": 7}, {"sizes": [7, 7], "capacity": 7}]


# first_fit_vector


def vectors(seed: str) -> list[Case]:
    """Return one, two and three resources; the first, the last, or each is the scarce one; exact fits and zeros."""
    rng = random_for(seed, "vectors")
    shares = [[100, 400]] * 5 + [[500, 100]]
    three = [[rng.randint(0, 600) for _ in range(3)] for _ in range(40)]
    return [
        {"demands": [[600], [600], [600]], "capacity": [1000]},
        {"demands": shares, "capacity": [1000, 1000]},
        {"demands": [[b, a] for a, b in shares], "capacity": [1000, 1000]},
        {"demands": [[600], [500], [400], [500]], "capacity": [1000]},
        {"demands": [], "capacity": [1000, 1000]},
        {"demands": [[0, 0], [7, 0], [0, 0], [0, 5], [1, 0]], "capacity": [7, 5]},
        {"demands": three, "capacity": [1000, 900, 800]},
    ]


def impossible(seed: str) -> list[Case]:
    """Return a number above its capacity or below 0 at random positions, and demands at the limit."""
    rng = random_for(seed, "impossible")
    cases: list[Case] = [{"demands": [[100, 200], [1000, 500]], "capacity": [1000, 500]}]
    cases.append({"demands": [[100, 600]], "capacity": [1000, 500]})
    for number, need in zip(rng.sample(range(7, 30), 4), (901, 5000, -1, -3000), strict=True):
        resource = rng.randrange(1, 5)
        demands = [[rng.randint(100, 900) for _ in range(5)] for _ in range(number + 2)]
        demands[number][resource] = need
        cases.append({"demands": demands, "capacity": [900] * 5})
    return cases
