"""How scripts and schedules are described, and what is wrong with an outcome of a schedule."""

from typing import Any

from autograder.checks import Case, Mismatch, Rows
from autograder.checks.compare import shown
from streamlab.harmonic.explore import SCENARIOS

BEFORE = 10  # events that a message shows


def call_of(call: list[Any]) -> str:
    """Example: 'offer("m1", "i")'."""
    name, *arguments = call
    return f"{name}({', '.join(map(shown, arguments))})"


def _orders(orders: Any) -> str:
    if not isinstance(orders, list):
        return shown(orders)
    each = [
        " ".join(str(part) for part in order if part) if isinstance(order, list) else shown(order) for order in orders
    ]
    return ", ".join(each) or "no order"


def first_difference(made: str, case: Case, expected: list[Any], got: Any) -> Mismatch | None:
    """The first call with another answer, and the calls before it."""
    script = case["script"]
    if not isinstance(got, list) or len(got) != len(script):
        return Mismatch(f"Expected {len(script)} answers of {made}; yours are {shown(got)}.", expected, got)
    for at, (want, came) in enumerate(zip(expected, got, strict=True)):
        if want != came or type(want) is not type(came):
            before = ", ".join(map(call_of, script[max(0, at - BEFORE) : at])) or "nothing"
            more = "…, " if at > BEFORE else ""
            what = f"{call_of(script[at])} of {made} to return {_orders(want)}"
            return Mismatch(f"Expected {what}; yours returns {_orders(came)}. Before it: {more}{before}.", want, came)
    return None


def wrong_worker(expected: dict[str, list[int]], got: Any) -> Mismatch | None:
    """The first engine that the registry was given with a worker that was never its; a registry need not be used."""
    if not isinstance(got, dict):
        return Mismatch(f"Expected the workers of engines; yours are {shown(got)}.", expected, got)
    for engine, workers in expected.items():
        if engine in got and (type(got[engine]) is not int or got[engine] not in workers):
            told = f"Expected {engine} to be added to the registry with worker {workers[-1]}"
            return Mismatch(f"{told}; yours gives {shown(got[engine])}.", workers[-1], got[engine])
    return None


def wrong_outcome(case: Case, rows: Rows) -> Mismatch | None:
    """The outcome that breaks an invariant and has the shortest story."""
    outcomes = rows.get("outcomes")
    if not isinstance(outcomes, list) or not outcomes:
        return Mismatch(f"Expected outcomes of the cluster “{case['scenario']}”; yours are {shown(rows)}.")
    wrong = [(problem, each["story"]) for each in outcomes if (problem := _problem(case, each))]
    if not wrong:
        return None
    problem, story = min(wrong, key=lambda each: len(each[1]))
    sentence = f"In the cluster “{case['scenario']}” {problem}. The shortest story: {' · '.join(story)}."
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
    """Every message finishes, peer-to-peer payloads do not pass through the master, and nothing is left there."""
    many = case["messages"]
    where = f"With three real engines, one killed and one frozen, and {many} messages, {case['in_flight']} at a time,"
    ends = [rows.get("finished"), rows.get("failed")]  # a second `forget` may come after the end, so it does not count
    if ends != [many, []]:
        told = f"{shown(ends[0])} finish, and {shown(ends[1])} fail"
        return Mismatch(f"{where} expected all to finish; with your Master {told}.", [many, []], ends)
    stored, through = rows.get("stored_bytes"), rows.get("server_bytes")
    if type(through) is not int or through != stored:
        return Mismatch(f"{where} expected {shown(stored)} stored bytes at the master; it got {shown(through)}.")
    if rows.get("left") != 0:
        return Mismatch(f"{where} expected the master to keep nothing in the end; it keeps {shown(rows.get('left'))}.")
    return None
