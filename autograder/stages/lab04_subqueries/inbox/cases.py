"""Seeded cases of `Inbox`: messages [sender, number, [[t, value, stream] …], promise], and whole queries.

Only `order` has rows of one time that leave together, only `repeats` has messages that arrive twice, and only
`impossible` has messages to reject. In these three, no row has the time of a promise when it could leave.
"""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for
from autograder.stages.lab04_subqueries.inbox.oracle import END_MS
from autograder.stages.lab04_subqueries.split.oracle import crossing, subqueries

Messages = list[list[Any]]

# Messages


def order(seed: str) -> list[Case]:
    """Return rows that arrive in any order, several of one time, from several senders and on two streams."""
    rng = random_for(seed, "order")
    made: list[Case] = [
        _case("a", [["a", 0, [[3, "y", "s"], [1, "x", "s"]], 9]]),
        _case("ab", [["a", 0, [[5, "y", "s"]], 9], ["b", 0, [[5, "x", "s"]], 9]]),
        _case("ab", [["a", 0, [[5, "x", "u"], [2, "z", "s"]], 9], ["b", 0, [[5, "x", "s"], [5, "w", "u"]], 9]]),
        _case("a", [["a", 0, [[7, "x", "s"], [7, "x", "s"], [6, "y", "s"]], END_MS]]),
    ]
    return [*made, *(_apart(_played(rng, senders, times=12)) for senders in ("ab", "abc", "abcd"))]


def early(seed: str) -> list[Case]:
    """Return rows at the promise and after it, a sender that has not sent anything yet, and a slow one."""
    rng = random_for(seed, "early")
    made: list[Case] = [
        _case("a", [["a", 0, [[4, "x", "s"], [5, "y", "s"]], 5]]),
        _case("ab", [["a", 0, [[4, "x", "s"]], 9], ["b", 0, [], 5]]),
        _case("ab", [["a", 0, [[1, "x", "s"], [6, "y", "s"]], 7], ["b", 0, [[2, "z", "s"]], 6]]),
        _case("abc", [["a", 0, [[-3, "x", "s"]], 9], ["b", 0, [[-4, "y", "s"]], END_MS]]),
    ]
    return [*made, *(_played(rng, senders, times=400) for senders in ("ab", "abc"))]


def prompt(seed: str) -> list[Case]:
    """Return senders without rows whose promises release the rows of others, and the end of all senders."""
    rng = random_for(seed, "prompt")
    first = rng.randint(10, 99)
    made: list[Case] = [
        _case("ab", [["a", 0, [[4, "x", "s"]], 9], ["b", 0, [], 5]]),
        _case("ab", [["b", 0, [], END_MS], ["a", 0, [[4, "x", "s"], [8, "y", "s"]], 5], ["a", 1, [], END_MS]]),
        _case("ab", [["a", 0, [[first, "x", "s"]], first + 1], *(["b", at, [], first - 2 + at] for at in range(4))]),
        _case("a", [["a", 0, [[2, "x", "s"]], 2], ["a", 1, [], 3]]),
    ]
    return [*made, *(_played(rng, senders, times=400, rare=True) for senders in ("ab", "abcd"))]


def repeats(seed: str) -> list[Case]:
    """Return messages that arrive a second time: at once, later, or all of them from the first one on."""
    rng = random_for(seed, "repeats")
    facts = [
        ["a", 0, [[5, "y", "s"], [3, "x", "s"]], 6],
        ["b", 0, [[3, "q", "s"], [5, "m", "s"]], 4],
        ["b", 1, [], 9],
        ["b", 0, [[3, "q", "s"], [5, "m", "s"]], 4],
        ["a", 1, [[6, "z", "s"]], END_MS],
    ]
    one = [["a", 0, [[1, "x", "s"]], 3], ["a", 1, [[4, "y", "s"]], 9]]
    made = [_case("a", [one[0], one[0], one[1]]), _case("ab", facts), _case("a", [*one, *one])]
    for senders in ("a", "ab", "abc"):
        messages = _apart(_played(rng, senders, times=90))["messages"]
        half = len(messages) // 2
        again = [each for each in messages[:half] if each[0] == "a"]
        made.append(_case(senders, [*messages[:half], *again, *messages[half:]]))
    return made


def impossible(seed: str) -> list[Case]:
    """Return impossible messages (number, sender, promise or time of a row), no senders, and possible messages."""
    late = random_for(seed, "impossible").randint(2, 9)
    good = ["a", 0, [[4, "x", "s"]], 6]
    then = ["a", 1, [[6, "y", "s"]], 9]
    wrong: Messages = [
        ["a", 2, [], 9],
        ["c", 0, [], 9],
        ["a", 1, [], 5],
        ["a", 1, [[5, "z", "s"]], 9],
        ["a", late, [[7, "z", "s"]], 9],
        ["a", 1, [[7, "z", "s"], [5, "z", "s"]], 9],
    ]
    end = ["a", 2, [], 9]
    made = [_case("a", [good, each, then, end]) for each in wrong]
    return [_case("", []), _case("ab", [["b", 1, [], 9], ["b", 0, [], END_MS], good, then, end]), *made]


def _case(senders: str, messages: Messages) -> Case:
    return {"senders": list(senders), "messages": messages}


def _apart(case: Case) -> Case:
    """Return the case with odd times of rows and even promises, each order as before."""
    messages = [
        [sender, number, [[2 * t + 1, *rest] for t, *rest in rows], until_ms if until_ms == END_MS else 2 * until_ms]
        for sender, number, rows, until_ms in case["messages"]
    ]
    return {**case, "messages": messages}


def _played(rng: random.Random, senders: str, times: int, rare: bool = False) -> Case:
    """Return messages that each sender sends in its own order.

    With `rare`, only the first sender has more than a row or two.
    """
    queues: list[Messages] = []
    for sender in senders:
        queue, promised_ms = Messages(), 0
        for number in range(rng.randint(3, 6)):
            until_ms = promised_ms + rng.randint(0, times // 4)
            count = rng.choice([0, 0, 1]) if rare and sender != "a" else rng.randint(0, 4)
            rows = [[rng.randint(promised_ms, until_ms + 3), rng.choice("wxyz"), "s"] for _ in range(count)]
            queue.append([sender, number, rows, until_ms])
            promised_ms = until_ms
        queues.append([*queue, [sender, len(queue), [], END_MS]])
    messages: Messages = []
    while any(queues):
        messages.append(rng.choice([queue for queue in queues if queue]).pop(0))
    return _case(senders, messages)


# Queries


def delivered(seed: str) -> list[Case]:
    """Return a numbered stream in several instances, then generated queries, each with its own order of delivery."""
    rng = random_for(seed, "delivered")
    rows = [{"t": t, "k": "a", "g": 0, "v": t} for t in (1, 2, 2)]
    operators = [["map", "map", 1, ["s0"], ["x"]], ["number", "numbered", ["k"], ["x"], ["out"]]]
    first = _deployed(rng, {"sources": ["s0"], "operators": operators}, [2, 1])
    return [{**first, "inputs": {"s0": rows}, "batch_rows": 1}, *(_generated(rng) for _ in range(40))]


def killed(seed: str) -> list[Case]:
    """Return two instances that filter and two that number rows; one of the first two is killed."""
    rng = random_for(seed, "killed")
    operators = [
        ["pick", "filter", 5, ["s0"], ["x"]],
        ["number", "numbered", ["k"], ["x"], ["y"]],
        ["shift", "map", rng.randint(2, 9), ["y"], ["out"]],
    ]
    case = _deployed(rng, {"sources": ["s0"], "operators": operators}, [2, 2])
    times = sorted(rng.sample(range(20_000), 600))
    rows = [{"t": t, "k": f"k{rng.randrange(9)}", "g": 0, "v": rng.randrange(100)} for t in times]
    return [{**case, "inputs": {"s0": rows}, "batch_rows": 50, "kill": [rng.choice([0, 1]), rng.randrange(2)]}]


def _generated(rng: random.Random) -> Case:
    """Return a query of two to seven operators over one or two sources; each stream is read once."""
    sources = [f"s{number}" for number in range(rng.choice([1, 2]))]
    free, operators = list(sources), list[list[Any]]()
    for number in range(rng.randint(2, 7)):
        kinds = ["map", "filter", "demux", "numbered", "numbered", *(["union", "union"] if len(free) > 1 else [])]
        kind, inputs = rng.choice(kinds), [free.pop(rng.randrange(len(free)))]
        if kind == "union":
            inputs.append(free.pop(rng.randrange(len(free))))
        outputs = [f"x{number}", f"y{number}"] if kind == "demux" else [f"x{number}"]
        arguments = {"union": 2, "numbered": rng.choice([["k"], ["g"], ["g", "k"], []])}
        operators.append([f"{kind} {number}", kind, arguments.get(kind, rng.randint(2, 9)), inputs, outputs])
        free += outputs
    return _deployed(rng, {"sources": sources, "operators": operators}, [])


def _deployed(rng: random.Random, query: Case, degrees: list[int]) -> Case:
    """Return a query with its subqueries, the fields that route rows, instances, rows and a seed of delivery."""
    nodes = [[name, kind == "numbered", inputs, outputs] for name, kind, _, inputs, outputs in query["operators"]]
    parts = [[names, *crossing({"operators": nodes}, names)] for names in subqueries({"operators": nodes})]
    routes = {
        stream: argument if kind == "numbered" else None
        for _, kind, argument, inputs, _ in query["operators"]
        for stream in inputs
    }
    more = {"degrees": degrees or [rng.randint(1, 4) for _ in parts], "seed": rng.randrange(10**6)}
    inputs = {source: _rows(rng) for source in query["sources"]}
    deployment = {"subqueries": parts, "routes": routes, "batch_rows": rng.choice([1, 3, 7, 20]), **more}
    return {**query, **deployment, "inputs": inputs}


def _rows(rng: random.Random) -> list[dict[str, Any]]:
    times = sorted(rng.randrange(60) for _ in range(rng.randint(5, 45)))
    return [{"t": t, "k": rng.choice("abcd"), "g": rng.randrange(3), "v": rng.randrange(20)} for t in times]
