"""The checks of `InstanceManager`: which instances run where, and which session owns each claim."""

from collections import Counter, defaultdict
from dataclasses import replace
from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, same_items, same_value
from autograder.checks.compare import shown
from autograder.stages.lab05_placement.managers import cases, oracle

TASK, RUNS = "InstanceManager", "a_manager_runs_exactly_what_placements_name"


def _seen(case: Case, rows: Rows) -> list[dict[str, Any]] | None:
    """Return the state after each operation, or None if it does not have the promised form."""
    seen = rows.get("seen")
    if not isinstance(seen, list) or len(seen) != len(case["script"]):
        return None
    return seen if all(isinstance(each, dict) for each in seen) else None


def _compared(case: Case, rows: Rows, *kinds: str) -> Mismatch | None:
    """Compare instances ("runs", and the attribute `running`) and claims with the table, after each operation."""
    right, seen = oracle.states(case["script"]), _seen(case, rows)
    if seen is None:
        return Mismatch(f"Expected a state after each operation; yours is {shown(rows.get('seen'))}.")
    for at, (expected, got) in enumerate(zip(right, seen, strict=True)):
        for kind in kinds if expected is not None else ():
            want = (expected or {})["runs" if kind == "running" else kind]
            if wrong := same_value(want, got.get(kind), what=f"{WORDS[kind]} {_after(case['script'][: at + 1])}"):
                return wrong
    return None


HOLDERS = {"nobody": "nobody holds it", "another": "another session holds it"}
WORDS = {
    "runs": "the instances that were started and not stopped",
    "running": "`running`, which your step keeps up to date,",
    "claims": "the owners of the claims",
}


def _after(script: list[list[Any]]) -> str:
    """Return the operations so far as words, without the joins.

    Example: _after([["place", "q", {"a1": "m1"}], ["step", "m1"]]) -> 'after place {"a1": "m1"}, step m1'
    """
    return "after " + ", ".join(_operation(*each) for each in script if each[0] != "join")


def _operation(name: str, of: str, *more: Any) -> str:
    if name == "place":
        return f"place {shown(more[0])}" if more[0] is not None else f"delete the placement of {of}"
    return {
        "step": f"step {of}",
        "join": f"join {of}",
        "expire": f"{of}'s session expires",
        "kill": f"{of} is killed",
        "fault": f"an error at the next write of {of}",
        "feed": f"rows before {of} ms",
    }[name]


@check(TASK, cases=cases.placed, invariant=5, after="it_claims_before_it_starts_and_stops_before_it_releases")
def a_manager_runs_exactly_what_placements_name(case: Case, rows: Rows) -> Mismatch | None:
    """Check several queries, moves, and an error of ZooKeeper."""
    return _compared(case, rows, "runs", "running")


@check(TASK, cases=cases.pinned, after=RUNS)
def started_processes_are_pinned_to_the_cores_of_the_node(case: Case, rows: Rows) -> Mismatch | None:
    """Check from outside which cores the process of each running instance may use."""
    states, seen, own = oracle.states(case["script"]), _seen(case, rows), rows.get("own")
    if wrong := _compared(case, rows, "runs"):
        return wrong
    if not isinstance(own, list) or not own or seen is None:
        return Mismatch(f"Expected processes on the cores of the machine; yours has {shown(own)}.")
    cores = {each[1]: sorted({own[at % len(own)] for at in each[3]}) for each in case["script"] if each[0] == "join"}
    for at, (state, got) in enumerate(zip(states, seen, strict=True)):
        runs = (state or {"runs": {}})["runs"]
        expected = {label: dict.fromkeys(names, cores[label]) for label, names in runs.items()}
        what = f"the cores that the processes of the instances may use {_after(case['script'][: at + 1])}"
        if wrong := same_value(expected, got.get("cores"), what=what):
            return wrong
    return None


@check(TASK, cases=cases.moves, invariant=5)
def it_claims_before_it_starts_and_stops_before_it_releases(case: Case, rows: Rows) -> Mismatch | None:
    """Check that the manager holds the claim at each start and stop, and that the claim is gone afterwards."""
    if wrong := _compared(case, rows, "runs", "claims", "running"):
        return wrong
    events = rows.get("events")
    for event in events if isinstance(events, list) else []:
        if not isinstance(event, list) or len(event) != 4:
            return Mismatch(f"Expected starts and stops; yours has {shown(event)}.")
        what, label, instance, claim = event
        if claim != "own":
            holder = HOLDERS.get(str(claim), f"the holder is {shown(claim)}")
            sentence = f"Expected {label} to hold the claim of {instance} at its {what}; in yours, {holder}."
            return Mismatch(sentence, "own", claim)
    return None


@check(TASK, cases=cases.twice, invariant=5, after=RUNS)
def no_instance_runs_twice(case: Case, rows: Rows) -> Mismatch | None:
    """Check that a new manager waits until the old one has stopped, even if both have the same name."""
    wrong = _compared(case, rows, "runs")
    for at, state in enumerate(_seen(case, rows) or []):
        runs = state.get("runs")
        labels_of = defaultdict[Any, list[str]](list)
        for label, instances in sorted(runs.items()) if isinstance(runs, dict) else ():
            for instance in set(instances):
                labels_of[instance].append(label)
        for instance, both in labels_of.items():
            if len(both) > 1:
                after = _after(case["script"][: at + 1])
                where = " and ".join(both)
                return Mismatch(f"Expected {instance} to run once {after}; yours runs on {where}.", 1, both)
    return wrong


@check(TASK, cases=cases.killed, invariant=5, after=RUNS)
def instances_of_a_killed_manager_start_elsewhere_after_its_session(case: Case, rows: Rows) -> Mismatch | None:
    """Check that they do not start while the session lasts, and that they start as soon as it ends."""
    return _compared(case, rows, "runs")


@check(TASK, cases=cases.expired, invariant=5, after=RUNS)
def a_manager_whose_session_ended_stops_its_instances_first(case: Case, rows: Rows) -> Mismatch | None:
    """Check that the manager stops all instances whose claims it lost before it starts anything."""
    at = next(n for n, (name, *_) in enumerate(case["script"]) if name == "expire")
    expected = oracle.states(case["script"][:at])[-1] or {}
    if wrong := _compared(case, rows, "runs", "claims"):
        return wrong
    running_before, events = expected["runs"]["m1"], rows.get("events")
    of_m1 = (
        [each for each in events if isinstance(each, list) and each[1:2] == ["m1"]] if isinstance(events, list) else []
    )
    later = [each[:3] for each in of_m1[len(running_before) :]]
    stops = [["stop", "m1", instance] for instance in running_before]
    if sorted(later[: len(running_before)]) == stops:
        return None
    sentence = f"Expected m1 to begin with {shown(stops)} after its session ended; yours begins with {shown(later)}."
    return Mismatch(sentence, stops, later)


@check(TASK, cases=cases.lost, invariant=5, after=RUNS)
def a_claim_whose_answer_was_lost_still_counts(case: Case, rows: Rows) -> Mismatch | None:
    """Check that the manager recognizes an existing claim of its session as its own."""
    return _compared(case, rows, "runs", "claims")


@check(TASK, cases=cases.counted, invariant=5, chain="lab04_subqueries/Aggregate", chain_inside=True, after=RUNS)
def instances_of_your_lab_4_count_once_wherever_they_run(case: Case, rows: Rows) -> Mismatch | None:
    """Check the results of all processes together, and that only an instance that `place` moves gets a new process."""
    after, events = _after(case["script"]), rows.get("events")
    expected, starts = oracle.results(case), oracle.starts(case["script"])
    if wrong := same_items(expected, rows.get("results"), what=f"the results {after}"):
        return replace(wrong, also_runs=("place",))
    started = Counter(str(each[2]) for each in events if each[0] == "start") if isinstance(events, list) else {}
    wrong = same_value(starts, dict(started), what=f"the number of starts {after}")
    return wrong and replace(wrong, also_runs=("place",))
