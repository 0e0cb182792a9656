"""Scripts for candidates, smallest first."""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for
from autograder.stages.lab05_placement.orchestrator import oracle

Operation = list[Any]
WAIT_S, SHORT_S = 20.0, 0.3  # for an election that succeeds, and for one that does not
FIRST: list[Operation] = [["candidate", "x"], ["lead", "x", WAIT_S]]


def changes(seed: str) -> list[Case]:
    """Return queries that are new, healed, smaller, unchanged or not deployed any more, with and without managers."""
    rng = random_for(seed, "changes")
    three = {"m0": 0, "m1": 1, "m2": 3}
    kept = {"a": {"a1": "m0"}}
    some: list[Case] = [
        {"queries": {"a": {"a1": 0}, "b": {"b1": 0}}, "placed": kept | {"c": {"c1": "m1"}}, "managers": three},
        {"queries": {"b": {"b1": 0}, "a": {"a1": 3}, "c": {"c1": 2}}, "placed": {}, "managers": three},
        {"queries": {"a": {"a1": 0}, "n": {"n1": 1}}, "placed": kept | {"x": {"x1": "m0"}}, "managers": {}},
        {"queries": {"a": {"a1": 0}, "n": {"n1": 1}}, "placed": kept | {"x": {}}, "managers": three},
        {"queries": {"a": {}, "n": {}}, "placed": kept, "managers": three},
    ]
    small: list[Case] = [
        {"queries": {"a": {"a1": 0}}, "placed": {"a": {"a1": "m0", "a2": "m1"}}, "managers": three},
        {"queries": {"a": {}}, "placed": {"a": {}}, "managers": three},
    ]
    return [some[0], *small, *some[1:], *[_recorded(rng) for _ in range(12)]]


def _recorded(rng: random.Random) -> Case:
    """Return random queries and placements; some managers are gone, and some instances are not placed."""
    managers = {f"m{at}": rng.randrange(4) for at in rng.sample(range(6), 3)}
    nodes = {f"q{at}": {f"q{at}.{n}": rng.randrange(4) for n in range(rng.randint(1, 4))} for at in range(6)}
    homes = [*managers, "gone"]
    placed = {
        query: {name: rng.choice(homes) for name in instances if rng.random() < 0.7}
        for query, instances in nodes.items()
        if rng.random() < 0.8
    }
    queries = rng.sample(sorted(nodes), 4)
    return {"queries": {query: nodes[query] for query in queries}, "placed": placed, "managers": managers}


def steps(seed: str) -> list[Case]:
    """Return scripts with one query, with two in one step, with one that begins without managers, and two random ones.

    The load of a manager includes the instances of the other queries, also of one that the same step has just placed.
    """
    rng = random_for(seed, "steps")
    one = [*_managers(2), *FIRST, ["deploy", "a", {"a1": 0, "a2": 1}], ["step", "x"]]
    two = [*_managers(2), *FIRST, ["deploy", "a", {"a1": 0}], ["deploy", "b", {"b1": 1}], ["step", "x"]]
    none = [*FIRST, ["deploy", "a", {"a1": 0}], ["step", "x"], *_managers(1), ["step", "x"], ["manager", "m0", None]]
    none += [["step", "x"], *_managers(1), ["step", "x"], ["undeploy", "a"], ["step", "x"]]
    later = [["epoch", rng.randint(9, 99)], *_managers(1), *FIRST, ["deploy", "a", {"a1": 0}], ["step", "x"]]
    return [_case(one), _case(two), _case(none), _case(later), *[_case(_random(rng, 14)) for _ in range(2)]]


def deaths(seed: str) -> list[Case]:
    """Return a script with two queries in which a manager disappears, a query goes, and another one comes."""
    rng = random_for(seed, "deaths")
    script = [*_managers(4), *FIRST, ["deploy", "a", {"a1": 0, "a2": 0, "a3": 1}], ["deploy", "b", {"b1": 2, "b2": 3}]]
    used = oracle.placed_after([*script, ["step", "x"]])[-1][1]["a"].values()
    script += [["step", "x"], ["manager", rng.choice(sorted(used)), None], ["step", "x"], ["undeploy", "b"]]
    script += [["step", "x"], ["deploy", "c", {"c1": rng.randrange(4), "c2": 3}], ["step", "x"], ["step", "x"]]
    return [_case(script, "deaths")]


def terms(seed: str) -> list[Case]:
    """Return scripts in which candidates lead one after another, time out, follow earlier leaders, and are stopped."""
    old = random_for(seed, "terms").randint(9, 99)
    script: list[Operation] = [*FIRST, ["candidate", "y"], ["lead", "y", SHORT_S], ["kill", "x"], ["lead", "y", WAIT_S]]
    script += [["candidate", "x2"], ["lead", "x2", SHORT_S], ["kill", "y"], ["lead", "x2", WAIT_S]]
    other: list[Operation] = [["expire", "x"], ["candidate", "y"], ["lead", "y", WAIT_S]]
    elected: list[Operation] = [["candidate", "x"], ["stop", "x", other], ["lead", "x", SHORT_S]]
    return [_case(FIRST), _case([["epoch", old], *script]), _case(elected, "anywhere")]


def fenced(seed: str) -> list[Case]:
    """Return scripts in which a leader wakes up with something new to write, or stops at each write or request.

    In the last one it has two placements to change.
    """
    begin = [*_managers(3), *FIRST, ["deploy", "a", {"a1": 0, "a2": 3}], ["deploy", "d", {"d1": 1}], ["step", "x"]]
    gone = random_for(seed, "fenced").choice(["m1", "m2"])
    news: list[Operation] = [["manager", "m0", None], ["manager", gone, None], ["manager", "m7", 3], ["undeploy", "d"]]
    news += [["deploy", "e", {"e1": 2}]]
    other: list[Operation] = [["expire", "x"], ["candidate", "y"], ["lead", "y", WAIT_S], ["step", "y"]]
    later: list[Operation] = [
        ["manager", "m8", 0],
        ["manager", "m7", None],
        ["undeploy", "e"],
        ["deploy", "d", {"d1": 2}],
    ]
    meanwhile = [*other, *later, ["step", "y"]]
    stopped = [*begin, *news, ["stop", "x", meanwhile], ["step", "x"]]
    asleep = [*begin, *other, *news, ["step", "x"], ["step", "y"]]
    two = [*_managers(3), *FIRST, ["deploy", "a", {"a1": 0}], ["deploy", "b", {"b1": 1}], ["step", "x"]]
    used = {each for placed in oracle.placed_after(two)[-1][1].values() for each in placed.values()}
    two += [*[["manager", name, None] for name in sorted(used)], ["stop", "x", other], ["step", "x"]]
    return [_case(asleep), _case(stopped, "stopped"), _case(two, "anywhere")]


def again(seed: str) -> list[Case]:
    """Return scripts with a candidate that never led, and with an old leader that times out and leads again."""
    node = random_for(seed, "again").randrange(4)
    begin = [*_managers(2), *FIRST, ["deploy", "a", {"a1": 0}], ["step", "x"]]
    script = [["candidate", "z"], ["step", "z"], *begin, ["expire", "x"], ["candidate", "y"], ["lead", "y", WAIT_S]]
    script += [["step", "x"], ["step", "x"], ["lead", "x", SHORT_S], ["kill", "y"], ["lead", "x", WAIT_S]]
    script += [["deploy", "b", {"b1": node}], ["step", "x"]]
    meanwhile = [["expire", "x"], ["candidate", "y"], ["lead", "y", WAIT_S]]
    asleep = [*begin, ["deploy", "b", {"b1": node}], ["stop", "x", meanwhile], ["step", "x"]]
    return [_case(script), _case(asleep, "stopped")]


def unchanged(seed: str) -> list[Case]:
    """Return a script with steps in which nothing changed, or only one of two queries."""
    instances = {f"b{n}": random_for(seed, "unchanged").randrange(4) for n in range(2)}
    script = [
        *_managers(2),
        *FIRST,
        ["deploy", "a", {"a1": 0}],
        ["step", "x"],
        ["step", "x"],
        ["deploy", "b", instances],
    ]
    return [_case([*script, ["step", "x"], ["step", "x"], ["manager", "m5", 2], ["step", "x"]])]


def killed(seed: str) -> list[Case]:
    """Return three queries, the write at which the leader kills itself, and the manager that is killed afterwards."""
    rng = random_for(seed, "killed")
    queries = {"a": {"a1": 0, "a2": 0}, "b": {"b1": 2, "b2": 2}, "c": {f"c{n}": rng.randrange(4) for n in (1, 2)}}
    script = [["manager", f"m{n}", n] for n in range(3)] + [["deploy", *each] for each in queries.items()] + [["step"]]
    used = {each for managers in oracle.placed_after(script)[-1][1].values() for each in managers.values()}
    kill = rng.choice(sorted(used))
    return [{"kind": "processes", "queries": queries, "write": rng.choice([2, 3]), "kill": kill}]


def _random(rng: random.Random, count: int) -> list[Operation]:
    """Return a script of managers and queries that come and go, with a step after most of the changes."""
    script, managers, queries = [*_managers(3), *FIRST], ["m0", "m1", "m2"], list[str]()
    for number in range(count):
        kind = rng.choice(["deploy", "deploy", "undeploy", "gone", "come"])
        if kind == "undeploy" and queries:
            script.append(["undeploy", queries.pop(rng.randrange(len(queries)))])
        elif kind == "gone" and len(managers) > 1:
            script.append(["manager", managers.pop(rng.randrange(len(managers))), None])
        elif kind == "come":
            managers.append(f"n{number}")
            script.append(["manager", managers[-1], rng.randrange(4)])
        else:
            queries.append(f"q{rng.randrange(100):02}x{number}")
            nodes = {f"{queries[-1]}.{n}": rng.randrange(4) for n in range(rng.randint(1, 3))}
            script.append(["deploy", queries[-1], nodes])
        if rng.random() < 0.7:
            script.append(["step", "x"])
    return [*script, ["step", "x"]]


def _managers(count: int) -> list[Operation]:
    return [["manager", f"m{number}", number] for number in range(count)]


def _case(script: list[Operation], kind: str = "script") -> Case:
    return {"kind": kind, "script": script}
