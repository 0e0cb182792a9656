"""Scripts for managers, smallest first. The names of instances and queries come from the seed."""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for
from autograder.stages.lab05_placement.search.cases_problems import SOCKETS, machine

END_MS = 200  # after all rows
Operation = list[Any]
Script = list[Operation]


def placed(seed: str) -> list[Case]:
    """Return scripts with one instance, with two queries, with moves (the old manager steps first) and with a fault."""
    rng = random_for(seed, "placed")
    a, b, c = _names(rng, 3)
    one: Script = [["join", "m1", "m1"], ["place", "q", {a: "m1"}], ["step", "m1"], ["step", "m1"]]
    two: Script = [
        *_managers(2),
        ["step", "m1"],
        ["place", "q", {a: "m1", b: "m2"}],
        ["place", "r", {c: "m1"}],
        *_steps("m1", "m2"),
        ["place", "r", None],
        *_steps("m1", "m2"),
        ["place", "q", {}],
        *_steps("m1", "m2"),
    ]
    failed: Script = [*_managers(2), ["place", "q", {a: "m1"}], ["step", "m1"], ["place", "q", {a: "m2"}]]
    failed += [["fault", "m1", "fail"], *_steps("m1", "m1", "m2")]
    return [_case(one), _case(two), _case(_random_moves(rng, 3)), _case(failed)]


def moves(seed: str) -> list[Case]:
    """Return a script with a query whose instances move and disappear."""
    rng = random_for(seed, "moves")
    a, b = _names(rng, 2)
    script: Script = [*_managers(2), ["place", "q", {a: "m1"}], ["step", "m1"], ["place", "q", {a: "m2", b: "m1"}]]
    script += [*_steps("m1", "m2"), ["place", "q", None], *_steps("m2", "m1")]
    return [_case(script)]


def twice(seed: str) -> list[Case]:
    """Return a script in which the new manager steps before the old one, and one with two managers of the same name.

    The second manager of that name joins before the session of the first one has ended.
    """
    rng = random_for(seed, "twice")
    a, b = _names(rng, 2)
    handed: Script = [
        *_managers(2),
        ["place", "q", {a: "m1", b: "m2"}],
        *_steps("m2", "m1"),
        ["place", "q", {a: "m2", b: "m1"}],
    ]
    handed += _steps("m2", "m1", "m2", "m1")
    again: Script = [["join", "m1", "m1"], ["place", "q", {a: "m1"}], ["step", "m1"], ["join", "m1 again", "m1"]]
    again += [["step", "m1 again"], ["kill", "m1"], ["step", "m1 again"]]
    return [_case(handed), _case(again)]


def killed(seed: str) -> list[Case]:
    """Return a script in which a manager stops stepping, and then its session ends."""
    rng = random_for(seed, "killed")
    a, b = _names(rng, 2)
    script: Script = [
        *_managers(2),
        ["place", "q", {a: "m1", b: "m2"}],
        *_steps("m1", "m2"),
        ["place", "q", {a: "m2", b: "m2"}],
    ]
    script += [["step", "m2"], ["kill", "m1"], ["step", "m2"]]
    return [_case(script)]


def expired(seed: str) -> list[Case]:
    """Return scripts in which a manager outlives its session, alone or while another one takes over its instances."""
    rng = random_for(seed, "expired")
    a, b = _names(rng, 2)
    alone: Script = [["join", "m1", "m1"], ["place", "q", {a: "m1"}], ["step", "m1"], ["expire", "m1"], ["step", "m1"]]
    taken: Script = [*_managers(2), ["place", "q", {a: "m1", b: "m1"}], ["step", "m1"], ["expire", "m1"]]
    taken += [["place", "q", {a: "m2", b: "m1"}], *_steps("m2", "m1")]
    also: Script = [
        *_managers(2),
        ["place", "q", {a: "m1"}],
        ["step", "m1"],
        ["expire", "m1"],
        ["place", "q", {a: "m2"}],
    ]
    also += [["step", "m2"], ["place", "q", {a: "m1"}], *_steps("m1", "m2", "m1")]
    return [_case(alone), _case(taken), _case(also)]


def lost(seed: str) -> list[Case]:
    """Return scripts that lose the answer to a claim, or the claim itself; the manager then takes another step."""
    rng = random_for(seed, "lost")
    [a] = _names(rng, 1)
    begin: Script = [["join", "m1", "m1"], ["place", "q", {a: "m1"}]]
    both = [[*begin, ["fault", "m1", how], *_steps("m1", "m1")] for how in ("lost", "fail")]
    return [_case([*begin, ["step", "m1"]]), *map(_case, both)]


def pinned(seed: str) -> list[Case]:
    """Return scripts in which instances are processes: one core for each manager, both cores, and a move."""
    rng = random_for(seed, "pinned")
    a, b = _names(rng, 2)
    apart: Script = [["join", "m1", "m1", [1]], ["join", "m2", "m2", [0]], ["place", "q", {a: "m1", b: "m2"}]]
    apart += [*_steps("m1", "m2"), ["place", "q", {a: "m2", b: "m2"}], *_steps("m1", "m2")]
    both: Script = [["join", "m1", "m1", [0, 1]], ["place", "q", {a: "m1", b: "m1"}], ["step", "m1"]]
    return [_case([apart[0], ["place", "q", {a: "m1"}], ["step", "m1"]]), _case(apart), _case(both)]


def counted(seed: str) -> list[Case]:
    """Return instances of Lab 4: one whose manager is killed, and two that get their rows from a third one.

    By the bytes of these rows, `place` moves the one with most traffic to the third one's manager, m2, which has the
    node with two cores. m2 steps before the old manager, where the instance processes rows until that one's step.
    """
    rng = random_for(seed, "counted")
    a, b, source = _names(rng, 3)
    managers: Script = [["join", "m1", "m1", [0]], ["join", "m2", "m2", [1]]]
    one: Script = [*managers, ["place", "q", {a: "m1"}], ["step", "m1"], ["feed", 15]]
    one += [["step", "m1"], ["kill", "m1"], ["place", "q", {a: "m2"}], ["step", "m2"], ["feed", END_MS]]
    both: Script = [*managers, ["place", "q", {a: "m1", b: "m1", source: "m2"}], *_steps("m1", "m2"), ["feed", 45]]
    by_rates = {"source": source, "machine": machine(SOCKETS, [1, 2])}
    both += [["place", "q", {a: "m2", b: "m1", source: "m2"}, by_rates], ["step", "m2"], ["feed", 80]]
    both += [*_steps("m1", "m2"), ["feed", END_MS]]
    few: list[dict[str, Any]] = [{"t": at, "ip": "v"} for at in (0, 9, 10, 14, 15, 19, 20)]
    many: list[dict[str, Any]] = [
        {"t": at, "ip": rng.choice("uvwxyz")} for at in sorted(rng.choices(range(END_MS), k=80))
    ]
    long = [{"t": 0, "ip": "u", "page": "/" + 300 * "x"} for _ in range(5)]  # more bytes than b's share
    shares = {a: [*long, *(row for row in many if row["ip"] < "x")], b: [row for row in many if row["ip"] >= "x"]}
    made = (one, {a: few}), (both, shares)
    return [{"script": script, "shares": rows, "window_ms": 10} for script, rows in made]


def _random_moves(rng: random.Random, managers: int) -> list[Operation]:
    """Return random moves. Managers that lose an instance step first, so that no claim delays the new manager."""
    names, labels = _names(rng, 5), [f"m{number}" for number in range(1, managers + 1)]
    script, before = _managers(managers), dict[str, str]()
    for _ in range(3):
        after = {name: rng.choice(labels) for name in rng.sample(names, 4)}
        losing = [label for label in labels if any(before[i] == label != after.get(i) for i in before)]
        order = [*rng.sample(losing, len(losing)), *labels]
        script += [["place", "q", after], *_steps(*order), *_steps(*labels)]
        before = after
    return script


def _managers(count: int) -> list[Operation]:
    return [["join", f"m{number}", f"m{number}"] for number in range(1, count + 1)]


def _steps(*labels: str) -> list[Operation]:
    return [["step", label] for label in labels]


def _names(rng: random.Random, count: int) -> list[str]:
    return [f"{letter}{rng.randint(1, 99)}" for letter in "abcdefgh"[:count]]


def _case(script: list[Operation]) -> Case:
    return {"script": script}
