"""Describes scripts and schedules, and finds what is wrong with the outcome of a schedule."""

from typing import Any

from autograder.checks import Case, Mismatch, Rows
from autograder.checks.compare import equal, shown
from streamlab.lab07_irm.explore import SCENARIOS

BEFORE = 10  # events that a message shows


def call_of(call: list[Any]) -> str:
    """Return a call as text: 'offer("m1", "i")'."""
    name, *arguments = call
    return f"{name}({', '.join(map(shown, arguments))})"


def _orders(orders: Any) -> str:
    if not isinstance(orders, list):
        return shown(orders)
    each = [
        " ".join(str(part) for part in order if part) if isinstance(order, list) else shown(order) for order in orders
    ]
    return ", ".join(each) or "no order"


def first_difference(constructor: str, case: Case, expected: list[Any], got: Any) -> Mismatch | None:
    """Return the first call with another answer, and the calls before it."""
    script = case["script"]
    if not isinstance(got, list) or len(got) != len(script):
        return Mismatch(f"Expected {len(script)} answers of {constructor}; yours are {shown(got)}.", expected, got)
    for at, (want, answer) in enumerate(zip(expected, got, strict=True)):
        if not equal(want, answer):
            before = ", ".join(map(call_of, script[max(0, at - BEFORE) : at])) or "nothing"
            more = "…, " if at > BEFORE else ""
            what = f"{call_of(script[at])} of {constructor} to return {_orders(want)}"
            sentence = f"Expected {what}; yours returns {_orders(answer)}. Before it: {more}{before}."
            return Mismatch(sentence, want, answer)
    return None


def wrong_route(case: Case, expected: list[Any], got: Any) -> Mismatch | None:
    """Return the first call with other orders, or after which the registry holds something else."""
    if not isinstance(got, list) or len(got) != len(case["calls"]):
        return Mismatch(
            f"Expected orders of {len(case['calls'])} calls of dispatch; yours are {shown(got)}.", expected, got
        )
    for at, (want, row) in enumerate(zip(expected, got, strict=True)):
        if equal(want, row):
            continue
        before = [f"{name} {shown(case[name])}" for name in ("idle", "promised", "stored") if case[name]]
        before += [f"limit {case['limit']}", *(f"dispatch({_arguments(each)})" for each in case["calls"][:at])]
        call = f"dispatch({_arguments(case['calls'][at])}) with a test double of Registry ({'; '.join(before)})"
        if not isinstance(row, list) or len(row) != len(want) or not equal(want[0], row[0]):
            answer = row[0] if isinstance(row, list) and row else row
            return Mismatch(
                f"Expected {call} to return {_orders(want[0])}; yours returns {_orders(answer)}.", want, row
            )
        kinds = ("idle engines", "promised messages", "stored messages, the first one first")
        differs = zip(kinds, want[1:], row[1:], strict=True)
        kind, held, holds = next(each for each in differs if not equal(each[1], each[2]))
        sentence = f"Expected the registry to have {kind} {shown(held)} after {call}; with yours it has {shown(holds)}."
        return Mismatch(sentence, held, holds)
    return None


def _arguments(call: list[Any]) -> str:
    message, image, is_stored, was_lost = call
    return f"registry, {shown(message)}, {shown(image)}, is_stored={is_stored}, was_lost={was_lost}"


def wrong_worker(expected: dict[str, list[int]], got: Any) -> Mismatch | None:
    """Return the first engine that was added to the registry with a worker that it never had.

    A Master need not use a registry.
    """
    if not isinstance(got, dict):
        return Mismatch(f"Expected the workers of engines; yours are {shown(got)}.", expected, got)
    for engine, workers in expected.items():
        if engine in got and not any(equal(worker, got[engine]) for worker in workers):
            sentence = f"Expected {engine} to be added to the registry with worker {workers[-1]}"
            return Mismatch(f"{sentence}; yours adds it with {shown(got[engine])}.", workers[-1], got[engine])
    return None


def wrong_outcome(case: Case, rows: Rows) -> Mismatch | None:
    """Return the outcome that breaks an invariant after the shortest sequence of events."""
    outcomes = rows.get("outcomes")
    if not isinstance(outcomes, list) or not outcomes:
        return Mismatch(f"Expected outcomes of the cluster “{case['scenario']}”; yours are {shown(rows)}.")
    wrong = [(problem, each["story"]) for each in outcomes if (problem := _problem(case, each))]
    if not wrong:
        return None
    problem, story = min(wrong, key=lambda each: len(each[1]))
    sentence = f"In the cluster “{case['scenario']}”, {problem}. The shortest story: {' · '.join(story)}."
    return Mismatch(sentence, None, story)


def _problem(case: Case, outcome: Any) -> str | None:
    scenario = SCENARIOS[case["scenario"]]
    if outcome["wrong"]:
        return str(outcome["wrong"][0])
    images = dict(scenario.messages)
    for message, processed, forgotten, failed, stored in outcome["messages"]:
        ends = forgotten + failed
        if ends == 0 and images[message] in outcome["images"]:
            return f"{message} is never finished, although an engine of its image works"
        if ends > 1:
            return f"{message} finishes {ends} times"
        if forgotten and not processed:
            return f"{message} is forgotten and no engine has processed it"
        if processed > 1 + scenario.deaths + scenario.suspicions:
            return f"{message} is processed {processed} times"
        if stored > 1 + scenario.deaths + scenario.suspicions:
            return f"{message} goes to the backlog {stored} times"
    return None


def after_deaths(case: Case, rows: Rows) -> Mismatch | None:
    """Check that every message finishes and that the master keeps nothing.

    Peer-to-peer payloads must not pass through the master.
    """
    many = case["messages"]
    where = f"With three real engines, one killed and one frozen, and {many} messages, {case['in_flight']} at a time,"
    ends = [rows.get("finished"), rows.get("failed")]  # a second `forget` may come after the end, so it does not count
    if ends != [many, []]:
        outcome = f"{shown(ends[0])} finish, and the failed ones are {shown(ends[1])}"
        return Mismatch(f"{where} expected all to finish; with your Master, {outcome}.", [many, []], ends)
    stored, through = rows.get("stored_bytes"), rows.get("server_bytes")
    if type(through) is not int or through != stored:
        return Mismatch(f"{where} expected {shown(stored)} stored bytes at the master; it received {shown(through)}.")
    if rows.get("left") != 0:
        return Mismatch(f"{where} expected the master to keep nothing at the end; it keeps {shown(rows.get('left'))}.")
    return None
