"""The checks of `placement_changes` and `Orchestrator`: the rule, deaths at any write, terms, and old leaders."""

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, same_value
from autograder.checks.compare import is_whole, shown
from autograder.checks.registry import Judge
from autograder.stages.lab05_placement.orchestrator import cases, oracle
from autograder.stages.lab05_placement.orchestrator.comparators import runs_once
from autograder.stages.lab05_placement.orchestrator.comparators_traces import (
    after_death,
    fenced,
    interrupted,
    learns,
    one_run,
    runs_of,
    term_taken_twice,
    words_of,
)

TASK = "Orchestrator"
OWN_HEAL = "The check uses its own `heal`, whose rule differs from that of task 6"


def _with_parts(*tasks: str) -> Callable[[Judge], Judge]:
    """Name the tasks that run together with `Orchestrator`, since the mistake may be theirs."""

    def with_parts(judge: Judge) -> Judge:
        @wraps(judge)
        def judged(case: Case, rows: Rows) -> Mismatch | None:
            wrong = judge(case, rows)
            return wrong and replace(wrong, also_runs=tasks)

        return judged

    return with_parts


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
    busy, (call, expected, got) = oracle.busy(case), _changes(case, rows)
    if isinstance(got, Mismatch):
        return got
    for query, managers in expected.items():
        if managers is not None and (wrong := same_value(managers, got.get(query), what=f"{query} in {call}")):
            sentence = f"{wrong.sentence} {OWN_HEAL}{_wrong_busy(case, query, busy[query], rows.get('heals'))}."
            return replace(wrong, sentence=sentence)
    return None


def _wrong_busy(case: Case, query: str, expected: dict[str, int], heals: Any) -> str:
    """Return what is wrong with the `busy` that `heal` got for a query; "" if nothing is, or if that is not known."""
    calls = [each for each in heals if isinstance(each, list) and len(each) == 2] if isinstance(heals, list) else []
    got = next((busy for nodes, busy in calls if nodes == case["queries"][query]), None)
    if not isinstance(got, dict):
        return ""
    counts = {manager: got[manager] for manager in case["managers"] if got.get(manager)}
    return (
        f". For {query} its `busy` should be {shown(expected)}; yours is {shown(counts)}" if counts != expected else ""
    )


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
@_with_parts("placement_changes")
def every_step_gives_the_placements_of_the_rule(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the stored placements after each operation, and how many of them a step has written.

    `heal` is a stub.
    """
    right, trace = oracle.placed_after(case["script"]), one_run(case, rows)
    if isinstance(trace, Mismatch):
        return trace
    for at, (changes, placements) in enumerate(right):
        name, words = case["script"][at][0], words_of(case["script"][: at + 1])
        wrong = same_value(placements, trace[at].get("placements"), what=f"the placements {words}")
        wrong = wrong and replace(wrong, sentence=f"{wrong.sentence} {OWN_HEAL}.")
        if not wrong and name == "step":
            wrong = same_value(changes, trace[at].get("answer"), what=f"the result of step() {words}")
        if wrong:
            return wrong
    term = next((each.get("answer") for each in trace if each.get("operation") == ["lead", "x"]), None)
    terms, queries = trace[-1].get("terms"), right[-1][1]
    return same_value(dict.fromkeys(queries, term), terms, what='"epoch" of each placement')


@check(TASK, cases=cases.deaths, invariant=7, after="every_step_gives_the_placements_of_the_rule")
@_with_parts("placement_changes")
def the_next_leader_finishes_what_a_dead_one_began(case: Case, rows: Rows) -> Mismatch | None:
    """Check a death before and after each write.

    At the death, a query has its old or its new placement; in the end it has the new one.
    """
    right, runs = oracle.placed_after(case["script"]), runs_of(case, rows)
    if isinstance(runs, Mismatch):
        return runs
    written = sum(changes > 0 for changes, _ in right)  # one transaction for a whole step is correct, too
    if len(runs) < 2 * written + 1:
        return Mismatch(f"Expected a leader that dies at {written} writes or more; yours died {len(runs) - 1} times.")
    return next((wrong for run in runs if (wrong := after_death(case, run, right))), None)


@check(TASK, cases=cases.terms, invariant=6)
def one_leads_at_a_time_and_terms_rise(case: Case, rows: Rows) -> Mismatch | None:
    """Check that each term exceeds all earlier ones, and that a candidate not elected in time gets TimeoutError.

    One that is stopped anywhere in `lead` while another one begins a term does not lead in that term.
    """
    if case["kind"] == "anywhere":
        runs = runs_of(case, rows)
        if isinstance(runs, Mismatch):
            return runs
        return next((wrong for number, run in enumerate(runs, 1) if (wrong := term_taken_twice(run, number))), None)
    trace = one_run(case, rows)
    if isinstance(trace, Mismatch):
        return trace
    last = case["script"][0][1] if case["script"][0][0] == "epoch" else 0
    for at, (name, _, *more) in enumerate(case["script"]):
        answer, words = trace[at].get("answer"), words_of(case["script"][: at + 1])
        if name == "lead" and more[0] == cases.SHORT_S and answer != "TimeoutError":
            sentence = f"Expected TimeoutError {words}, because another candidate leads; yours returns {shown(answer)}."
            return Mismatch(sentence, "TimeoutError", answer)
        if name == "lead" and more[0] != cases.SHORT_S:
            if not is_whole(answer) or answer <= last:
                return Mismatch(f"Expected a term above {last} {words}; yours is {shown(answer)}.", last + 1, answer)
            last = answer
    return None


@check(TASK, cases=cases.fenced, invariant=6, after="every_step_gives_the_placements_of_the_rule")
@_with_parts("placement_changes")
def an_old_leader_cannot_write(case: Case, rows: Rows) -> Mismatch | None:
    """Check this for each write or request at which the old leader stopped, and for every kind of news."""
    right, runs = oracle.placed_after(case["script"])[-1][1], runs_of(case, rows)
    if isinstance(runs, Mismatch):
        return runs
    for number, run in enumerate(runs, 1):
        at = f"stopped at write {number}" if case["kind"] == "stopped" else "asleep"
        is_anywhere = case["kind"] == "anywhere"
        if wrong := interrupted(case, run, number, right) if is_anywhere else fenced(case, run["trace"], at):
            return wrong
    return None


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
@_with_parts("placement_changes")
def an_old_leader_learns_it_and_can_be_elected_again(case: Case, rows: Rows) -> Mismatch | None:
    """Check three outcomes: NotLeader, TimeoutError, and a new term.

    step() raises NotLeader, lead() raises TimeoutError while another one leads; then a new term brings new placements.
    """
    runs = runs_of(case, rows)
    if isinstance(runs, Mismatch):
        return runs
    if case["kind"] == "stopped":
        answers = [run["trace"][-1].get("answer") for run in runs if run["trace"]]
        what = "the error of x.step(), which is stopped at a write while its session ends and y begins a term,"
        return next((wrong for each in answers if (wrong := same_value("NotLeader", each, what=what))), None)
    trace = one_run(case, rows)
    return trace if isinstance(trace, Mismatch) else learns(case, trace)


@check(TASK, cases=cases.unchanged, invariant=7, after="every_step_gives_the_placements_of_the_rule")
@_with_parts("placement_changes")
def where_nothing_changed_nothing_is_written(case: Case, rows: Rows) -> Mismatch | None:
    """Check that the last transaction of each node, which ZooKeeper stores, is the same after such a step."""
    right, trace = oracle.written_after(case["script"]), one_run(case, rows)
    if isinstance(trace, Mismatch):
        return trace
    for at, written in enumerate(right):
        if case["script"][at][0] == "step":
            what = f"the nodes that are written {words_of(case['script'][: at + 1])}"
            if wrong := same_value(written, trace[at].get("written"), what=what):
                return wrong
    return None


@check(
    TASK,
    cases=cases.killed,
    invariant=7,
    after=("the_next_leader_finishes_what_a_dead_one_began", "an_old_leader_cannot_write"),
)
@_with_parts("placement_changes", "InstanceManager")
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
    return wrong or runs_once(rows, first, second)


def _up_to(rows: Rows, count: int) -> Any:
    placements = rows.get("placements")
    return placements[:count] if isinstance(placements, list) else placements
