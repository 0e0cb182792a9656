"""Compares the traces of scripts: what was stored after each operation, and the answers of candidates."""

from collections.abc import Sequence
from typing import Any

from autograder.checks import Case, Mismatch, Rows, same_value
from autograder.checks.compare import is_whole, shown

Trace = list[dict[str, Any]]  # what was seen after each operation


def runs_of(case: Case, rows: Rows) -> list[dict[str, Any]] | Mismatch:
    """Return the runs of the drive, each with a trace; at least one."""
    runs = rows.get("runs")
    if isinstance(runs, list) and runs and all(isinstance(run, dict) and _is_trace(run.get("trace")) for run in runs):
        return runs
    operations = shown([each[0] for each in case["script"]])
    sentence = f"Expected a run with the states after {operations}; yours are {shown(runs)}."
    return Mismatch(sentence, None, runs)


def _is_trace(trace: Any) -> bool:
    return isinstance(trace, list) and all(isinstance(each, dict) for each in trace)


def one_run(case: Case, rows: Rows) -> Trace | Mismatch:
    """Return the trace of the only run, with one entry for each operation."""
    runs = runs_of(case, rows)
    if isinstance(runs, Mismatch):
        return runs
    trace: Trace = runs[0]["trace"]
    if len(trace) != len(case["script"]):
        return Mismatch(f"Expected {len(case['script'])} states; yours are {len(trace)}.", len(case["script"]), trace)
    return trace


def words_of(script: Sequence[Sequence[Any]]) -> str:
    """Return the operations of a script as words: 'after deploy a {"a1": 0}, x.step()'."""
    return "after " + ", ".join(_operation(*each) for each in script if each[0] not in ("candidate", "stop"))


def _operation(name: str, of: Any, *more: Any) -> str:
    if name in ("lead", "step"):
        return f"{of}.{name}()"
    if name == "manager":
        return f"{of} {'has gone' if more[0] is None else f'at node {more[0]}'}"
    words = {"deploy": f"deploy {of} {shown(more[0]) if more else ''}", "undeploy": f"undeploy {of}"}
    more_words = {"expire": f"{of}'s session expires", "kill": f"{of} is killed", "epoch": f"setting epoch to {of}"}
    return (words | more_words)[name]


def after_death(case: Case, run: dict[str, Any], right: list[Any]) -> Mismatch | None:
    """Compare the placements at the death with those before or after the step, and all others with the right ones."""
    trace, death = run["trace"], run.get("death")
    where = f"if the leader dies {run.get('how')} write {run.get('write')}" if death else "without a death"
    if isinstance(death, dict) and isinstance(at := death.get("in"), int) and 0 < at < len(right):
        before, after = right[at - 1][1], right[at][1]
        got = death.get("placements")
        for query in sorted({*before, *after, *(got if isinstance(got, dict) else [])}):
            now = got.get(query) if isinstance(got, dict) else got
            if now not in (before.get(query), after.get(query)):
                either = f"{shown(before.get(query))} or {shown(after.get(query))}"
                words = f"{where}, {words_of(case['script'][: at + 1])}"
                return Mismatch(f"Expected the placement of {query} to be {either} {words}; yours is {shown(now)}.")
    for at, (_, placements) in enumerate(right):
        got = trace[at].get("placements") if at < len(trace) else None
        words = f"the placements {words_of(case['script'][: at + 1])}, {where},"
        if wrong := same_value(placements, got, what=words):
            return wrong
    return None


def fenced(case: Case, trace: Trace, at: str) -> Mismatch | None:
    """Compare the placements before the other leader's last step with those after the old leader resumed."""
    steps = [n for n, each in enumerate(trace) if each.get("operation") == ["step", "y"]]
    stepped = [trace[n].get("answer") for n in steps]
    if not steps or not is_whole(stepped[-1]) or stepped[-1] < 1:
        old = [each.get("answer") for each in trace if each.get("operation") == ["step", "x"]]
        wrote = bool(old) and is_whole(old[-1]) and old[-1] > 0
        news = "x wrote in y's term, so nothing was left for y" if wrote else f"its steps return {shown(stepped)}"
        sentence = f"Expected y to lead and write while x is {at}; {news}."
        return Mismatch(sentence, None, trace)
    if case["kind"] == "stopped" or len(trace) < 3:
        before, after = trace[steps[-1]], trace[-1]
    else:
        before, after = trace[-3], trace[-2]
    words = f"the placements after x resumes, which was {at} while its session ended and y began a term,"
    return same_value(before.get("placements"), after.get("placements"), what=words) or same_value(
        before.get("terms"), after.get("terms"), what=f"the terms in {words}"
    )


def term_taken_twice(run: dict[str, Any], number: int) -> Mismatch | None:
    """Check that x does not lead in y's term, which began while x was stopped at a request of `lead`.

    If x reads `epoch` after that, it may lead in the next term.
    """
    when = f"while x.lead() is stopped at its request {number} ({run.get('request')}) and x's session ends"
    answers = {shown(each.get("operation")): each.get("answer") for each in run["trace"]}
    of_y, of_x = (answers.get(shown(["lead", who])) for who in "yx")
    if not is_whole(of_y):
        return Mismatch(f"Expected y.lead() to begin a term {when}; the outcome is {shown(of_y)}.", "a number", of_y)
    if of_x in ("NotLeader", "TimeoutError") or (is_whole(of_x) and of_x > of_y):
        return None
    sentence = (
        f"Expected x.lead() to raise NotLeader, since y begins the term {of_y} {when}; yours returns {shown(of_x)}."
    )
    return Mismatch(sentence, "NotLeader", of_x)


def interrupted(case: Case, run: dict[str, Any], number: int, right: Any) -> Mismatch | None:
    """Check that x changes nothing and learns it, since it was stopped at a request of `step` while y led and stepped.

    x may have written everything, or find nothing to write, without looking at the term again.
    """
    trace, stop = run["trace"], [each[0] for each in case["script"]].index("stop")
    when = (
        f"x.step(), which is stopped at its request {number} ({run.get('request')}) while its session ends and y leads"
    )
    if len(trace) != len(case["script"]) + len(case["script"][stop][2]):
        return Mismatch(f"Expected y to lead and step during {when}; it did not.", None, trace)
    before, stopped, by_y, by_x = (trace[at] for at in (stop, stop + 1, -2, -1))
    wrong = same_value(right, by_x.get("placements"), what=f"the placements after {when} and steps,")
    wrong = wrong or same_value(by_y.get("terms"), by_x.get("terms"), what=f'"epoch" of the placements after {when},')
    written = _written(before.get("placements"), stopped.get("placements"))
    if wrong or by_x.get("answer") in ("NotLeader", written):
        return wrong
    return same_value("NotLeader", by_x.get("answer"), what=f"the error of {when},")


def _written(before: Any, after: Any) -> int:
    """Return how many stored placements are new or other ones."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        return 0
    return sum(before.get(query) != managers for query, managers in after.items())


def learns(case: Case, trace: Trace) -> Mismatch | None:
    """Check the outcome of each `lead` and `step` of a candidate that never led, an old leader, and the next one."""
    answers = [(n, each.get("answer")) for n, each in enumerate(trace) if case["script"][n][0] in ("lead", "step")]
    expected = ["NotLeader", int, 1, int, "NotLeader", "NotLeader", "TimeoutError", int, 1]
    for (at, got), want in zip(answers, expected, strict=True):
        words = words_of(case["script"][: at + 1])
        if want is int and not is_whole(got):
            return Mismatch(f"Expected the number of a term {words}; yours is {shown(got)}.", "a number", got)
        if want is not int and (wrong := same_value(want, got, what=f"the outcome {words}")):
            return wrong
    terms = [got for (_, got), want in zip(answers, expected, strict=True) if want is int and is_whole(got)]
    if terms != sorted(set(terms)):
        return Mismatch(f"Expected terms that rise; yours are {shown(terms)}.", sorted(set(terms)), terms)
    return None
