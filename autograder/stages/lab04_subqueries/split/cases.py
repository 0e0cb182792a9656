"""Seeded queries for `split`, smallest first: operators [name, stateful, inputs, outputs].

Only `unions` has several inputs before the first stateful operator, only `later` has them after it. Only
`borders` tests streams.
"""

import random

from autograder.checks import Case
from autograder.checks.seeds import random_for

Operators = list[list[object]]


def chains(seed: str) -> list[Case]:
    """Return operators one after another, and queries that branch; every operator has one input."""
    rng = random_for(seed, "chains")
    made = [
        _chain("map", "AGG"),
        _chain("AGG", "map"),
        _chain("m1", "AGG1", "m2", "m3", "AGG2", "m4"),
        _chain("AGG1", "AGG2"),
        _chain("map"),
        _case(["s"], [["demux", False, ["s"], ["a", "b"]], ["AGG", True, ["a"], ["c"]], ["map", False, ["b"], ["d"]]]),
        _case(["s"], [["AGG", True, ["s"], ["a"]], ["m1", False, ["a"], ["b"]], ["m2", False, ["a"], ["c"]]]),
    ]
    return [*made, *(_generated(rng, [rng.choice([1, 2])], most_inputs=(1, 1)) for _ in range(8))]


def unions(seed: str) -> list[Case]:
    """Return several sources, and unions of them before the first stateful operator."""
    rng = random_for(seed, "unions")
    two = [["m1", False, ["a"], ["a1"]], ["m2", False, ["b"], ["b1"]]]
    made = [
        _case(["a", "b"], two),
        _case(["a", "b"], [*two, ["union", False, ["a1", "b1"], ["c"]], ["AGG", True, ["c"], ["d"]]]),
        _case(["a", "b"], [["union", False, ["a", "b"], ["c"]], ["m1", False, ["c"], ["d"]]]),
        _case(["a", "b"], [["AGG", True, ["a"], ["x"]], ["m1", False, ["b"], ["y"]], ["m2", False, ["y"], ["z"]]]),
        _case(["a", "b"], [*two, ["JOIN", True, ["a1", "b1"], ["c"]]]),
    ]
    return [*made, *(_generated(rng, [2, 3], most_inputs=(2, 1)) for _ in range(8))]


def later(seed: str) -> list[Case]:
    """Return several inputs after a stateful operator: directly or at a distance, from one side or from both."""
    rng = random_for(seed, "later")
    begin: Operators = [["AGG", True, ["a"], ["x"]], ["m1", False, ["b"], ["y"]]]
    far: Operators = [["m2", False, ["x"], ["x1"]], ["m3", False, ["x1"], ["x2"]]]
    made = [
        _case(["a", "b"], [*begin, ["union", False, ["x", "y"], ["z"]]]),
        _case(["a", "b"], [*begin, ["union", False, ["y", "x"], ["z"]], ["filter", False, ["z"], ["w"]]]),
        _case(["a", "b"], [*begin, *far, ["union", False, ["y", "x2"], ["z"]], ["m4", False, ["z"], ["w"]]]),
        _case(["a"], [["AGG", True, ["a"], ["x"]], *far, ["union", False, ["x1", "x2"], ["z"]]]),
        _case(["a", "b"], [*begin, far[0], ["union", False, ["x", "y", "x1"], ["z"]]]),
    ]
    return [*made, *(_generated(rng, [1, 2], most_inputs=(1, 2)) for _ in range(8))]


def borders(seed: str) -> list[Case]:
    """Return streams that are read inside, outside, in both places, by several operators or by none."""
    rng = random_for(seed, "borders")
    paper: Operators = [
        ["m1", False, ["a"], ["a1"]],
        ["f1", False, ["a1"], ["a2"]],
        ["m2", False, ["b"], ["b1"]],
        ["JOIN", True, ["a2", "b1"], ["c"]],
        ["m3", False, ["c"], ["c1"]],
        ["AGG", True, ["c1"], ["d"]],
        ["f2", False, ["d"], ["d1"]],
        ["AGG2", True, ["d1"], ["e"]],
    ]
    both: Operators = [["m1", False, ["a"], ["x"]], ["m2", False, ["x"], ["y"]], ["AGG", True, ["x"], ["z"]]]
    twice: Operators = [["m1", False, ["a"], ["x"]], ["AGG", True, ["x"], ["y"]], ["AGG2", True, ["x"], ["z"]]]
    demux: Operators = [["demux", False, ["a"], ["x", "y", "z"]], ["AGG", True, ["y"], ["w"]]]
    made = [
        _chain("map", "AGG", "m2"),
        *(_case(["a"], each) for each in (both, twice, demux)),
        _case(["a", "b"], paper),
    ]
    return [*made, *(_generated(rng, [1, 2, 3], most_inputs=(2, 2)) for _ in range(12))]


def _chain(*names: str) -> Case:
    """Return operators one after another; the stateful ones have names in capitals."""
    streams = ["s0", *(f"s{number}" for number in range(1, len(names) + 1))]
    return _case(
        ["s0"],
        [[name, name.isupper() or "AGG" in name, [streams[at]], [streams[at + 1]]] for at, name in enumerate(names)],
    )


def _generated(rng: random.Random, sources: list[int], most_inputs: tuple[int, int]) -> Case:
    """Return operators that read any streams, with `most_inputs` (before, after) a stateful operator."""
    free = [f"s{number}" for number in range(rng.choice(sources))]
    case, after, operators = list(free), set[str](), []
    for number in range(rng.randint(4, 10)):
        stateful = number > 1 and rng.random() < 0.35
        first = rng.choice(free)
        others = [stream for stream in free if stream != first and (stream in after) == (first in after)]
        most = most_inputs[first in after]
        inputs = [first, *rng.sample(others, min(len(others), rng.randint(0, most - 1)))]
        outputs = [f"x{number}"] + ([f"y{number}"] if rng.random() < 0.2 else [])
        operators.append([f"op{number}", stateful, inputs, outputs])
        after.update(outputs if stateful or first in after else [])
        free += outputs
    return _case(case, operators)


def _case(sources: list[str], operators: Operators) -> Case:
    return {"sources": sources, "operators": operators}
