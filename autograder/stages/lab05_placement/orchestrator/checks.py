"""The checks of `placement_changes` and `Orchestrator`: the rule, deaths at any write, terms, and old leaders."""

from collections.abc import Sequence
from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, same_value
from autograder.checks.compare import is_whole, shown
from autograder.stages.lab05_placement.orchestrator import cases, comparators, oracle

TASK = "Orchestrator"
Trace = list[dict[str, Any]]  # what was seen after each operation


def _runs(case: Case, rows: Rows) -> list[dict[str, Any]] | Mismatch:
    """Return the runs of the drive, each with a trace; at least one."""
    runs = rows.get("runs")
    if isinstance(runs, list) and runs and all(isinstance(run, dict) and _is_trace(run.get("trace")) for run in runs):
        return runs
    operations = shown([each[0] for each in case["script"]])
    sentence = f"Expected a run with the states after {operations}; yours are {shown(runs)}."
    return Mismatch(sentence, None, runs)


def _is_trace(trace: Any) -> bool:
    return isinstance(trace, list) and all(isinstance(each, dict) for each in trace)


def _one_run(case: Case, rows: Rows) -> Trace | Mismatch:
    """Return the trace of the only run, with one entry for each operation."""
    runs = _runs(case, rows)
    if isinstance(runs, Mismatch):
        return runs
    trace: Trace = runs[0]["trace"]
    if len(trace) != len(case["script"]):
        return Mismatch(f"Expected {len(case['script'])} states; yours are {len(trace)}.", len(case["script"]), trace)
    return trace


def _words(script: Sequence[Sequence[Any]]) -> str:
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


def _changes(case: Case, rows: Rows) -> tuple[str, dict[str, Any], dict[str, Any] | Mismatch]:
    """Return the call in words, the expected changes, and those of the rows or a mismatch."""
    call = f"placement_changes({', '.join(shown(case[name], 300) for name in ('queries', 'placed', 'managers'))}, …)"
    expected, got = oracle.changes(case), rows.get("changes")
    if not isinstance(got, dict):
        return call, expected, Mismatch(f"Expected {call} to return a dict; yours is {shown(got)}.", expected, got)
    if rows.get("unchanged") is not True:
        return call, expected, Mismatch(f"Expected {call} to leave its arguments unchanged; yours changes them.")
    return call, expected, got


@check("placement_changes", cases=cases.changes)
def each_query_is_healed_beside_the_others(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the new managers of the deployed queries that must change. `heal` is a stub."""
    call, expected, got = _changes(case, rows)
    if isinstance(got, Mismatch):
        return got
    for query, managers in expected.items():
        if managers is not None and (wrong := same_value(managers, got.get(query), what=f"{query} in {call}")):
            return wrong
    return None


@check("placement_changes", cases=cases.changes, invariant=7)
def only_what_changes_is_returned(case: Case, rows: Rows) -> Mismatch | None:
    """Compare which queries are in the result, and which of them are deleted."""
    call, expected, got = _changes(case, rows)
    if isinstance(got, Mismatch):
        return got
    if wrong := same_value(sorted(expected), sorted(got), what=f"the queries in {call}"):
        return wrong
    deleted = [[query for query, managers in each.items() if managers is None] for each in (expected, got)]
    return same_value(sorted(deleted[0]), sorted(deleted[1]), what=f"the queries with None in {call}")


@check(TASK, cases=cases.steps)
def every_step_gives_the_placements_of_the_rule(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the stored placements after each operation, and how many of them a step has written.

    `heal` is a stub.
    """
    right, trace = oracle.placed_after(case["script"]), _one_run(case, rows)
    if isinstance(trace, Mismatch):
        return trace
    for at, (changes, placements) in enumerate(right):
        name, words = case["script"][at][0], _words(case["script"][: at + 1])
        wrong = same_value(placements, trace[at].get("placements"), what=f"the placements {words}")
        if not wrong and name == "step":
            wrong = same_value(changes, trace[at].get("answer"), what=f"the result of step() {words}")
        if wrong:
            return wrong
    term = next((each.get("answer") for each in trace if each.get("operation") == ["lead", "x"]), None)
    terms, queries = trace[-1].get("terms"), right[-1][1]
    return same_value(dict.fromkeys(queries, term), terms, what='"epoch" of each placement')


@check(TASK, cases=cases.deaths, invariant=7, after="every_step_gives_the_placements_of_the_rule")
def the_next_leader_finishes_what_a_dead_one_began(case: Case, rows: Rows) -> Mismatch | None:
    """Check a death before and after each write.

    At the death, a query has its old or its new placement; in the end it has the new one.
    """
    right, runs = oracle.placed_after(case["script"]), _runs(case, rows)
    if isinstance(runs, Mismatch):
        return runs
    written = sum(changes > 0 for changes, _ in right)  # one transaction for a whole step is correct, too
    if len(runs) < 2 * written + 1:
        return Mismatch(f"Expected a leader that dies at {written} writes or more; yours died {len(runs) - 1} times.")
    return next((wrong for run in runs if (wrong := _after_death(case, run, right))), None)


def _after_death(case: Case, run: dict[str, Any], right: list[Any]) -> Mismatch | None:
    trace, death = run["trace"], run.get("death")
    where = f"if the leader dies {run.get('how')} write {run.get('write')}" if death else "without a death"
    if isinstance(death, dict) and isinstance(at := death.get("in"), int) and 0 < at < len(right):
        before, after = right[at - 1][1], right[at][1]
        got = death.get("placements")
        for query in sorted({*before, *after, *(got if isinstance(got, dict) else [])}):
            now = got.get(query) if isinstance(got, dict) else got
            if now not in (before.get(query), after.get(query)):
                either = f"{shown(before.get(query))} or {shown(after.get(query))}"
                words = f"{where}, {_words(case['script'][: at + 1])}"
                return Mismatch(f"Expected the placement of {query} to be {either} {words}; yours is {shown(now)}.")
    for at, (_, placements) in enumerate(right):
        got = trace[at].get("placements") if at < len(trace) else None
        words = f"the placements {_words(case['script'][: at + 1])}, {where},"
        if wrong := same_value(placements, got, what=words):
            return wrong
    return None


@check(TASK, cases=cases.terms, invariant=6)
def one_leads_at_a_time_and_terms_rise(case: Case, rows: Rows) -> Mismatch | None:
    """Check that each term exceeds all earlier ones, and that a candidate not elected in time gets TimeoutError."""
    trace = _one_run(case, rows)
    if isinstance(trace, Mismatch):
        return trace
    last = case["script"][0][1] if case["script"][0][0] == "epoch" else 0
    for at, (name, _, *more) in enumerate(case["script"]):
        answer, words = trace[at].get("answer"), _words(case["script"][: at + 1])
        if name == "lead" and more[0] == cases.SHORT_S and answer != "TimeoutError":
            sentence = f"Expected TimeoutError {words}, because another candidate leads; yours returns {shown(answer)}."
            return Mismatch(sentence, "TimeoutError", answer)
        if name == "lead" and more[0] != cases.SHORT_S:
            if not is_whole(answer) or answer <= last:
                return Mismatch(f"Expected a term above {last} {words}; yours is {shown(answer)}.", last + 1, answer)
            last = answer
    return None


@check(TASK, cases=cases.fenced, invariant=6, after="every_step_gives_the_placements_of_the_rule")
def an_old_leader_cannot_write(case: Case, rows: Rows) -> Mismatch | None:
    """Check this for each write at which the old leader stopped, and for every kind of news when it wakes up."""
    runs = _runs(case, rows)
    if isinstance(runs, Mismatch):
        return runs
    for number, run in enumerate(runs, 1):
        at = f"stopped at write {number}" if case["kind"] == "stopped" else "asleep"
        if wrong := _fenced(case, run["trace"], at):
            return wrong
    return None


def _fenced(case: Case, trace: Trace, at: str) -> Mismatch | None:
    """Compare the placements before the other leader's last step with those after the old leader resumed."""
    steps = [n for n, each in enumerate(trace) if each.get("operation") == ["step", "y"]]
    stepped = [trace[n].get("answer") for n in steps]
    if not steps or not is_whole(stepped[-1]) or stepped[-1] < 1:
        sentence = f"Expected y to lead and write while x is {at}; its steps return {shown(stepped)}."
        return Mismatch(sentence, None, trace)
    if case["kind"] == "stopped" or len(trace) < 3:
        before, after = trace[steps[-1]], trace[-1]
    else:
        before, after = trace[-3], trace[-2]
    words = f"the placements after x resumes, which was {at} while its session ended and y began a term,"
    return same_value(before.get("placements"), after.get("placements"), what=words) or same_value(
        before.get("terms"), after.get("terms"), what=f"the terms in {words}"
    )


@check(
    TASK,
    cases=cases.again,
    invariant=6,
    after=(
        "the_next_leader_finishes_what_a_dead_one_began",
        "one_leads_at_a_time_and_terms_rise",
        "an_old_leader_cannot_write",
    ),
)
def an_old_leader_learns_it_and_can_be_elected_again(case: Case, rows: Rows) -> Mismatch | None:
    """Check three outcomes: NotLeader, TimeoutError, and a new term.

    step() raises NotLeader, lead() raises TimeoutError while another one leads; then a new term brings new placements.
    """
    runs = _runs(case, rows)
    if isinstance(runs, Mismatch):
        return runs
    if case["kind"] == "stopped":
        answers = [run["trace"][-1].get("answer") for run in runs if run["trace"]]
        what = "the error of x.step(), which is stopped at a write while its session ends and y begins a term,"
        return next((wrong for each in answers if (wrong := same_value("NotLeader", each, what=what))), None)
    trace = _one_run(case, rows)
    return trace if isinstance(trace, Mismatch) else _learns(case, trace)


def _learns(case: Case, trace: Trace) -> Mismatch | None:
    answers = [(n, each.get("answer")) for n, each in enumerate(trace) if case["script"][n][0] in ("lead", "step")]
    expected = ["NotLeader", int, 1, int, "NotLeader", "NotLeader", "TimeoutError", int, 1]
    for (at, got), want in zip(answers, expected, strict=True):
        words = _words(case["script"][: at + 1])
        if want is int and not is_whole(got):
            return Mismatch(f"Expected the number of a term {words}; yours is {shown(got)}.", "a number", got)
        if want is not int and (wrong := same_value(want, got, what=f"the outcome {words}")):
            return wrong
    terms = [got for (_, got), want in zip(answers, expected, strict=True) if want is int and is_whole(got)]
    if terms != sorted(set(terms)):
        return Mismatch(f"Expected terms that rise; yours are {shown(terms)}.", sorted(set(terms)), terms)
    return None


@check(TASK, cases=cases.unchanged, invariant=7, after="every_step_gives_the_placements_of_the_rule")
def where_nothing_changed_nothing_is_written(case: Case, rows: Rows) -> Mismatch | None:
    """Check that the last transaction of each node, which ZooKeeper stores, is the same after such a step."""
    right, trace = oracle.written_after(case["script"]), _one_run(case, rows)
    if isinstance(trace, Mismatch):
        return trace
    for at, written in enumerate(right):
        if case["script"][at][0] == "step":
            what = f"the nodes that are written {_words(case['script'][: at + 1])}"
            if wrong := same_value(written, trace[at].get("written"), what=what):
                return wrong
    return None


@check(
    TASK,
    cases=cases.killed,
    invariant=7,
    after=("the_next_leader_finishes_what_a_dead_one_began", "an_old_leader_cannot_write"),
)
def killed_processes_leave_nothing_undone_and_nothing_twice(case: Case, rows: Rows) -> Mismatch | None:
    """Check real processes with your InstanceManager.

    The leader kills itself at a write, and then a manager is killed.
    """
    managers = [["manager", f"m{number}", number] for number in range(3)]
    script = [*managers, *(["deploy", *each] for each in case["queries"].items()), ["step", "x"]]
    script += [["manager", case["kill"], None], ["step", "y"]]
    right = oracle.placed_after(script)
    first, second = right[-3][1], right[-1][1]
    wrong = same_value([first], _up_to(rows, 1), what="the placements after the leader was killed")
    wrong = wrong or same_value(
        [first, second], _up_to(rows, 2), what=f"the placements before and after the kill of {case['kill']}"
    )
    wrong = wrong or same_value([], rows.get("ephemeral"), what="the placements that disappear with a leader's session")
    return wrong or _runs_once(case, rows, first, second)


def _up_to(rows: Rows, count: int) -> Any:
    placements = rows.get("placements")
    return placements[:count] if isinstance(placements, list) else placements


def _runs_once(case: Case, rows: Rows, first: oracle.Placements, second: oracle.Placements) -> Mismatch | None:
    logs, died_s = rows.get("logs"), rows.get("died_s")
    if not _are_logs(logs) or not isinstance(died_s, dict) or not isinstance(logs, dict):
        return Mismatch(f"Expected logs of starts and stops; yours are {shown(logs)}.", None, logs)
    of_managers = {name: logs.get(name, []) for name in ("m0", "m1", "m2")}
    if both := comparators.twice(of_managers, died_s):
        return Mismatch(f"Expected {both[0]} to run on one manager at a time; yours ran on two.", 1, both)
    for manager, events in of_managers.items():
        expected = [
            name for placed in (first, second) for each in placed.values() for name in each if each[name] == manager
        ]
        got = [f"{what} {instance}" for _, what, instance in events]
        want = [f"start {instance}" for instance in dict.fromkeys(expected)]
        if wrong := same_value(sorted(want), sorted(got), what=f"the starts and stops of {manager}"):
            return wrong
    return None


def _are_logs(logs: Any) -> bool:
    return isinstance(logs, dict) and all(
        isinstance(events, list) and all(isinstance(each, list) and len(each) == 3 for each in events)
        for events in logs.values()
    )
