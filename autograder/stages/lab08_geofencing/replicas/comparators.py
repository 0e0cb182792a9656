"""Compares the rows of `Replica` and `ask` with the right ones."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from autograder.checks import Case, Mismatch, Rows
from autograder.checks.compare import same_value, shown
from autograder.stages.lab08_geofencing.replicas.drive_log import DEMANDING_EVERY, PARTITIONS, partition_of


def first_wrong_step(case: Case, expected: Sequence[Any], rows: Rows) -> Mismatch | None:
    """Return the first step with another result, with the steps before it."""
    steps = rows.get("steps")
    if not isinstance(steps, list) or len(steps) != len(expected):
        return Mismatch(f"Expected an answer to each of {len(expected)} calls; yours gives {shown(rows)}.", expected)
    for number, (want, answer) in enumerate(zip(expected, steps, strict=True)):
        if wrong := _difference(step_text(case["script"][number]), want, answer):
            story = "; ".join(step_text(step) for step in case["script"][:number][-6:])
            log = ", ".join(f"{len(records)} in partition {number}" for number, records in case["log"].items())
            sentence = f"{wrong.sentence} Offsets in the log at the start: {log}. Before it: {story or 'nothing'}."
            return Mismatch(sentence, want, answer)
    return None


def _difference(call: str, want: Any, answer: Any) -> Mismatch | None:
    if not isinstance(want, dict) or not isinstance(answer, dict):
        verb = "raise" if want == "NotCaughtUp" else "return"
        is_wrong = same_value(want, answer, what=call)
        return is_wrong and Mismatch(f"Expected {call} to {verb} {_plain(want)}; yours gives {_plain(answer)}.")
    for name, value in want.items():
        part = {"movers": f"the movers of {call}", "offsets": f"the offsets of {call}"}
        what = part.get(name, f"the offsets of that answer to {call} after all later polls")
        if wrong := same_value(value, answer.get(name), what=what):
            return wrong
    return None


def _plain(value: Any) -> str:
    """Return a value without the marks of a row: the name of an error, or movers and offsets."""
    if isinstance(value, dict):
        return f"movers {shown(value.get('movers'))} with offsets {shown(value.get('offsets'))}"
    return value if value == "NotCaughtUp" else shown(value)


def step_text(step: list[Any]) -> str:
    """Return a step as a call: within(polygons, since_ms=None, at_least={0: 3})."""
    what, *arguments = step
    if what == "grow":
        return f"the log grows by {sum(map(len, arguments[0].values()))}"
    if what == "poll":
        return f"poll({arguments[0]})"
    since_ms, at_least = arguments[1:3]
    options = [f"since_ms={since_ms}"] * (since_ms is not None)
    if at_least is not None:
        options.append(f"at_least={{{', '.join(f'{partition}: {end}' for partition, end in at_least.items())}}}")
    return f"within({', '.join(['polygons', *options])})"


def wrong_answers(states: Sequence[Sequence[str]], answers: Any, count: int) -> tuple[list[int], list[int]] | None:
    """Return the numbers of failed questions and of wrongly answered ones, or None if the form is wrong.

    Every DEMANDING_EVERY-th question comes right after an update and demands all updates. A replica that has not read
    the newest updates may answer the other questions: for each partition, any state since the first question is right.
    """
    if not isinstance(answers, list) or len(answers) != count:
        return None
    failed = [number for number, answer in enumerate(answers) if answer is None]
    parts = [[_of_partition(state, partition) for state in states] for partition in range(PARTITIONS)]
    wrong = []
    for number, answer in enumerate(answers):
        newest = number // DEMANDING_EVERY + 1
        is_right = answer == list(states[newest]) if _demands(number) else _is_of_the_log(answer, parts, newest)
        if answer is not None and not is_right:
            wrong.append(number)
    return failed, wrong


def _demands(number: int) -> bool:
    return number % DEMANDING_EVERY == 0


def _is_of_the_log(answer: Any, parts: Sequence[Sequence[set[str]]], newest: int) -> bool:
    if not isinstance(answer, list) or any(not re.fullmatch(r"m\d+", str(mover)) for mover in answer):
        return False
    is_sorted = answer == sorted(set(answer))
    return is_sorted and all(_of_partition(answer, at) in part[: newest + 1] for at, part in enumerate(parts))


def _of_partition(movers: Iterable[str], partition: int) -> set[str]:
    return {mover for mover in movers if partition_of(mover) == partition}


def problems_of(failed: list[int], wrong: list[int]) -> str:
    """Return the kinds of questions without a right answer, as words.

    Their numbers are left out, since they differ from run to run.
    """
    kinds = [
        ("some questions got no answer", failed),
        ("some answers to a question with at_least lack an update that it demanded", [n for n in wrong if _demands(n)]),
        ("some answers to a question without at_least are no state of the log", [n for n in wrong if not _demands(n)]),
    ]
    return ", and ".join(text for text, numbers in kinds if numbers)


def call_text(case: Case) -> str:
    """Return a call of `ask` as words: ask() of 3 replicas, first=1, rounds=3."""
    options = ", ".join(f"{name}={value}" for name, value in case["options"].items())
    count = len(case["replicas"])
    return f"ask() of {count} replica{'' if count == 1 else 's'}{', ' if options else ''}{options}"


def outcome(rows: Rows) -> str:
    """Return how a call of `ask` ended: with an answer, or an error."""
    answer = rows.get("answer")
    if isinstance(answer, list) and len(answer) == 2:
        return f"the movers {shown(answer[0])} and the offsets {shown(answer[1])}"
    return str(rows["raised"]) if isinstance(rows.get("raised"), str) else f"the answer {shown(answer)}"


def scripts_text(case: Case) -> str:
    """Return the script of each replica as words."""
    texts = []
    for number, script in enumerate(case["replicas"]):
        texts.append(f"replica {number} gives {', then '.join(map(_outcome, script))}")
    return "; ".join(texts) or "there are no replicas"


def _outcome(each: list[Any]) -> str:
    return f"the answer {shown(each[1])}" if each[0] == "answer" else str(each[0])


def walk(calls: Any) -> str:
    """Return calls and pauses as words: 0, 1, pause, 0."""
    if not isinstance(calls, list):
        return shown(calls)
    return ", ".join(str(each[0]) if isinstance(each, list) and each else str(each) for each in calls) or "none"
