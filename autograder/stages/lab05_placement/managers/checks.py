"""What is claimed of `InstanceManager`: what runs where, and whose the claims are."""

from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, same_value
from autograder.checks.compare import shown
from autograder.stages.lab05_placement.managers import cases, oracle

TASK = "InstanceManager"


def _seen(case: Case, rows: Rows) -> list[dict[str, Any]] | None:
    """What was seen after each operation, if it has the promised form."""
    seen = rows.get("seen")
    if not isinstance(seen, list) or len(seen) != len(case["script"]):
        return None
    return seen if all(isinstance(each, dict) for each in seen) else None


def _compared(case: Case, rows: Rows, *kinds: str) -> Mismatch | None:
    """Compare what runs ("runs", and what `running` tells) and the claims after each operation with the table."""
    right, seen = oracle.states(case["script"]), _seen(case, rows)
    if seen is None:
        return Mismatch(f"Expected a state after each operation; yours is {shown(rows.get('seen'))}.")
    for at, (expected, got) in enumerate(zip(right, seen, strict=True)):
        for kind in kinds if expected is not None else ():
            want = (expected or {})["runs" if kind == "running" else kind]
            if wrong := same_value(want, got.get(kind), what=f"{WORDS[kind]} {_told(case['script'][: at + 1])}"):
                return wrong
    return None


WORDS = {
    "runs": "the instances that were started and not stopped",
    "running": "`running`",
    "claims": "the owners of the claims",
}


def _told(script: list[list[Any]]) -> str:
    """The operations so far, those that matter.

    Example: _told([["place", "q", {"a1": "m1"}], ["step", "m1"]]) -> 'after place {"a1": "m1"}, step m1'
    """
    return "after " + ", ".join(_operation(*each) for each in script if each[0] != "join")


def _operation(name: str, of: str, *more: Any) -> str:
    if name == "place":
        return f"place {shown(more[0])}" if more[0] is not None else f"delete the placement of {of}"
    return {
        "step": f"step {of}",
        "join": f"join {of}",
        "expire": f"{of} loses its session",
        "kill": f"{of} is killed",
        "fault": f"an error at the next write of {of}",
    }[name]


@check(TASK, cases=cases.placed, invariant=10)
def a_manager_runs_exactly_what_placements_name(case: Case, rows: Rows) -> Mismatch | None:
    """In all queries, after moves, and after an error of ZooKeeper."""
    return _compared(case, rows, "runs", "running")


@check(TASK, cases=cases.moves, invariant=10)
def it_claims_before_it_starts_and_stops_before_it_releases(case: Case, rows: Rows) -> Mismatch | None:
    """The claim is the manager's own at each start and at each stop, and it is gone afterwards."""
    if wrong := _compared(case, rows, "runs", "claims"):
        return wrong
    events = rows.get("events")
    for event in events if isinstance(events, list) else []:
        if not isinstance(event, list) or len(event) != 4:
            return Mismatch(f"Expected starts and stops; yours has {shown(event)}.")
        what, label, instance, claim = event
        if claim != "own":
            sentence = (
                f"Expected {label} to have the claim of {instance} at the {what}; yours belongs to {shown(claim)}."
            )
            return Mismatch(sentence, "own", claim)
    return None


@check(TASK, cases=cases.twice, invariant=10)
def no_instance_runs_twice(case: Case, rows: Rows) -> Mismatch | None:
    """The new manager waits until the old one has stopped, also if both have the same name."""
    wrong = _compared(case, rows, "runs")
    for at, state in enumerate(_seen(case, rows) or []):
        runs = state.get("runs")
        labels = sorted(runs) if isinstance(runs, dict) else []
        for instance in {name for label in labels for name in (runs or {})[label]}:
            both = [label for label in labels if instance in (runs or {})[label]]
            if len(both) > 1:
                told = _told(case["script"][: at + 1])
                return Mismatch(f"Expected {instance} to run once {told}; yours runs on {' and '.join(both)}.", 1, both)
    return wrong


@check(TASK, cases=cases.killed, invariant=10)
def instances_of_a_killed_manager_start_elsewhere_after_its_session(case: Case, rows: Rows) -> Mismatch | None:
    """Not while the session lasts, and at once when it is over."""
    return _compared(case, rows, "runs")


@check(TASK, cases=cases.expired, invariant=10)
def a_manager_whose_session_ended_stops_its_instances_first(case: Case, rows: Rows) -> Mismatch | None:
    """All that it ran without a claim, before it starts anything."""
    at = next(n for n, (name, *_) in enumerate(case["script"]) if name == "expire")
    expected = oracle.states(case["script"][:at])[-1] or {}
    if wrong := _compared(case, rows, "runs", "claims"):
        return wrong
    ran, events = expected["runs"]["m1"], rows.get("events")
    of_m1 = (
        [each for each in events if isinstance(each, list) and each[1:2] == ["m1"]] if isinstance(events, list) else []
    )
    later = [each[:3] for each in of_m1[len(ran) :]]
    stops = [["stop", "m1", instance] for instance in ran]
    if sorted(later[: len(ran)]) == stops:
        return None
    return Mismatch(
        f"Expected m1 to begin with {shown(stops)} after its session; yours begins {shown(later)}.", stops, later
    )


@check(TASK, cases=cases.lost, invariant=10)
def a_claim_whose_answer_was_lost_still_counts(case: Case, rows: Rows) -> Mismatch | None:
    """A node that is there and belongs to the session is the manager's own."""
    return _compared(case, rows, "runs", "claims")
