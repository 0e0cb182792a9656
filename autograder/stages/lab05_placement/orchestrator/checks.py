"""What is claimed of `Orchestrator`: placements of the rule, deaths at any write, terms, and old leaders."""

from collections.abc import Sequence
from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, same_value
from autograder.checks.compare import shown
from autograder.stages.lab05_placement.orchestrator import cases, comparators, oracle

TASK = "Orchestrator"
Told = list[dict[str, Any]]


def _runs(case: Case, rows: Rows) -> list[dict[str, Any]] | Mismatch:
    """The runs that the drive tells of, each with a list of what was seen; at least one."""
    runs = rows.get("runs")
    if isinstance(runs, list) and runs and all(isinstance(run, dict) and _is_told(run.get("told")) for run in runs):
        return runs
    sentence = f"Expected states after {shown([each[0] for each in case['script']])}; yours are {shown(runs)}."
    return Mismatch(sentence, None, runs)


def _is_told(told: Any) -> bool:
    return isinstance(told, list) and all(isinstance(each, dict) for each in told)


def _one_run(case: Case, rows: Rows) -> Told | Mismatch:
    """What was seen in the only run, after each operation."""
    runs = _runs(case, rows)
    if isinstance(runs, Mismatch):
        return runs
    told: Told = runs[0]["told"]
    if len(told) != len(case["script"]):
        return Mismatch(f"Expected {len(case['script'])} states; yours are {len(told)}.", len(case["script"]), told)
    return told


def _words(script: Sequence[Sequence[Any]]) -> str:
    """Example: _words([["deploy", "a", {"a1": 0}], ["step", "x"]]) -> 'after deploy a {"a1": 0}, x.step()'."""
    return "after " + ", ".join(_operation(*each) for each in script if each[0] not in ("candidate", "stop"))


def _operation(name: str, of: Any, *more: Any) -> str:
    if name in ("lead", "step"):
        return f"{of}.{name}()"
    if name == "manager":
        return f"{of} {'is gone' if more[0] is None else f'at node {more[0]}'}"
    words = {"deploy": f"deploy {of} {shown(more[0]) if more else ''}", "undeploy": f"undeploy {of}"}
    more_words = {"expire": f"{of} loses its session", "kill": f"{of} is killed", "epoch": f"epoch is {of}"}
    return (words | more_words)[name]


@check(TASK, cases=cases.steps, invariant=12)
def every_step_gives_the_placements_of_the_rule(case: Case, rows: Rows) -> Mismatch | None:
    """What is stored after each operation, and how many placements a step has written; `heal` is a stub."""
    right, told = oracle.placed_after(case["script"]), _one_run(case, rows)
    if isinstance(told, Mismatch):
        return told
    for at, (changes, placements) in enumerate(right):
        name, words = case["script"][at][0], _words(case["script"][: at + 1])
        wrong = same_value(placements, told[at].get("placements"), what=f"the placements {words}")
        if not wrong and name == "step":
            wrong = same_value(changes, told[at].get("gave"), what=f"what step() returns {words}")
        if wrong:
            return wrong
    term = next((each.get("gave") for each in told if each.get("operation") == ["lead", "x"]), None)
    terms, queries = told[-1].get("terms"), right[-1][1]
    return same_value(dict.fromkeys(queries, term), terms, what='"epoch" of each placement')


@check(TASK, cases=cases.deaths, invariant=12)
def the_next_leader_finishes_what_a_dead_one_began(case: Case, rows: Rows) -> Mismatch | None:
    """Before and after each write: at the death a query has its old or its new placement, in the end the right one."""
    right, runs = oracle.placed_after(case["script"]), _runs(case, rows)
    if isinstance(runs, Mismatch):
        return runs
    written = sum(changes > 0 for changes, _ in right)  # one transaction for a whole step is right, too
    if len(runs) < 2 * written + 1:
        return Mismatch(f"Expected a leader that dies at {written} writes or more; yours died {len(runs) - 1} times.")
    return next((wrong for run in runs if (wrong := _after_death(case, run, right))), None)


def _after_death(case: Case, run: dict[str, Any], right: list[Any]) -> Mismatch | None:
    told, death = run["told"], run.get("death")
    where = f"if the leader dies {run.get('how')} its write {run.get('write')}" if death else "without a death"
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
        got = told[at].get("placements") if at < len(told) else None
        words = f"the placements {_words(case['script'][: at + 1])}, {where}"
        if wrong := same_value(placements, got, what=words):
            return wrong
    return None


@check(TASK, cases=cases.terms, invariant=11)
def one_leads_at_a_time_and_terms_rise(case: Case, rows: Rows) -> Mismatch | None:
    """A term has a number above all earlier ones; who is not elected in time gets TimeoutError."""
    told = _one_run(case, rows)
    if isinstance(told, Mismatch):
        return told
    last = case["script"][0][1] if case["script"][0][0] == "epoch" else 0
    for at, (name, _, *more) in enumerate(case["script"]):
        gave, words = told[at].get("gave"), _words(case["script"][: at + 1])
        if name == "lead" and more[0] == cases.SHORT_S and gave != "TimeoutError":
            sentence = f"Expected TimeoutError {words}, for another candidate leads; yours returns {shown(gave)}."
            return Mismatch(sentence, "TimeoutError", gave)
        if name == "lead" and more[0] != cases.SHORT_S:
            if type(gave) is not int or gave <= last:
                return Mismatch(f"Expected a term above {last} {words}; yours is {shown(gave)}.", last + 1, gave)
            last = gave
    return None


@check(TASK, cases=cases.fenced, invariant=11)
def an_old_leader_cannot_write(case: Case, rows: Rows) -> Mismatch | None:
    """Whatever it was about to write when it was stopped, and whatever is new when it wakes up."""
    runs = _runs(case, rows)
    if isinstance(runs, Mismatch):
        return runs
    for number, run in enumerate(runs, 1):
        at = f"stopped at its write {number}" if case["kind"] == "stopped" else "asleep"
        if wrong := _fenced(case, run["told"], at):
            return wrong
    return None


def _fenced(case: Case, told: Told, at: str) -> Mismatch | None:
    """The placements before the other leader's last step, and after the old one goes on."""
    steps = [n for n, each in enumerate(told) if each.get("operation") == ["step", "y"]]
    stepped = [told[n].get("gave") for n in steps]
    if not steps or type(stepped[-1]) is not int or stepped[-1] < 1:
        return Mismatch(f"Expected y to lead and to write while x is {at}; yours gives {shown(stepped)}.", None, told)
    if case["kind"] == "stopped" or len(told) < 3:
        before, after = told[steps[-1]], told[-1]
    else:
        before, after = told[-3], told[-2]
    words = f"the placements after x goes on, which was {at} while its session ended and y began a term,"
    return same_value(before.get("placements"), after.get("placements"), what=words) or same_value(
        before.get("terms"), after.get("terms"), what=f"the terms in {words}"
    )


@check(TASK, cases=cases.again, invariant=11)
def an_old_leader_learns_it_and_can_be_elected_again(case: Case, rows: Rows) -> Mismatch | None:
    """NotLeader from step(), TimeoutError from lead() while another leads, then a new term and new placements."""
    runs = _runs(case, rows)
    if isinstance(runs, Mismatch):
        return runs
    if case["kind"] == "stopped":
        gave = [run["told"][-1].get("gave") for run in runs if run["told"]]
        what = "x.step(), stopped at a write while its session ends and y begins a term, to raise"
        return next((wrong for each in gave if (wrong := same_value("NotLeader", each, what=what))), None)
    told = _one_run(case, rows)
    return told if isinstance(told, Mismatch) else _learns(case, told)


def _learns(case: Case, told: Told) -> Mismatch | None:
    gave = [(n, each.get("gave")) for n, each in enumerate(told) if case["script"][n][0] in ("lead", "step")]
    expected = ["NotLeader", int, 1, int, "NotLeader", "NotLeader", "TimeoutError", int, 1]
    for (at, got), want in zip(gave, expected, strict=True):
        words = _words(case["script"][: at + 1])
        if want is int and type(got) is not int:
            return Mismatch(f"Expected the number of a term {words}; yours is {shown(got)}.", "a number", got)
        if want is not int and (wrong := same_value(want, got, what=f"the outcome {words}")):
            return wrong
    terms = [got for (_, got), want in zip(gave, expected, strict=True) if want is int and isinstance(got, int)]
    if terms != sorted(set(terms)):
        return Mismatch(f"Expected terms that rise; yours are {shown(terms)}.", sorted(set(terms)), terms)
    return None


@check(TASK, cases=cases.unchanged, invariant=12)
def where_nothing_changed_nothing_is_written(case: Case, rows: Rows) -> Mismatch | None:
    """The last transaction of each node, which ZooKeeper keeps, is the same before and after such a step."""
    right, told = oracle.written_after(case["script"]), _one_run(case, rows)
    if isinstance(told, Mismatch):
        return told
    for at, written in enumerate(right):
        if case["script"][at][0] == "step":
            what = f"the nodes that are written {_words(case['script'][: at + 1])}"
            if wrong := same_value(written, told[at].get("written"), what=what):
                return wrong
    return None


@check(TASK, cases=cases.killed, invariant=10)
def killed_processes_leave_nothing_undone_and_nothing_twice(case: Case, rows: Rows) -> Mismatch | None:
    """Real processes with your InstanceManager: the leader kills itself at a write, then a manager is killed."""
    managers = [["manager", f"m{number}", number] for number in range(3)]
    script = [*managers, *(["deploy", *each] for each in case["queries"].items()), ["step", "x"]]
    script += [["manager", case["kill"], None], ["step", "y"]]
    right = oracle.placed_after(script)
    first, second = right[-3][1], right[-1][1]
    wrong = same_value([first], _up_to(rows, 1), what="the placements after the leader was killed")
    wrong = wrong or same_value(
        [first, second], _up_to(rows, 2), what=f"the placements before and after the kill of {case['kill']}"
    )
    wrong = wrong or same_value([], rows.get("ephemeral"), what="the placements that go with the session of a leader")
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
