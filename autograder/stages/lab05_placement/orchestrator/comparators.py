"""Comparisons of what managers have logged."""

from collections.abc import Mapping
from typing import Any

from autograder.checks import Mismatch, Rows, same_value
from autograder.checks.compare import shown


def twice(logs: Mapping[str, Any], died_s: Mapping[str, float]) -> list[str]:
    """Return the instances that ran on two managers at the same time.

    A killed manager runs nothing after its death.
    """
    spans: list[tuple[str, str, float, float]] = []
    for manager, events in logs.items():
        open_since: dict[str, float] = {}
        for at_s, what, instance in events:
            if what == "start":
                open_since.setdefault(instance, at_s)
            elif what == "stop" and instance in open_since:
                spans.append((instance, manager, open_since.pop(instance), at_s))
        end_s = died_s.get(manager, float("inf"))
        spans += [(instance, manager, since_s, end_s) for instance, since_s in open_since.items()]
    return sorted(_overlapping(spans))


def _overlapping(spans: list[tuple[str, str, float, float]]) -> set[str]:
    """Return the instances with two spans of different managers that overlap; those of one manager never do."""
    found, last = set[str](), dict[str, float]()
    for instance, _, since_s, until_s in sorted(spans, key=lambda span: span[2:]):
        if since_s < last.get(instance, since_s):
            found.add(instance)
        last[instance] = max(until_s, last.get(instance, until_s))
    return found


def runs_once(rows: Rows, first: Mapping[str, Any], second: Mapping[str, Any]) -> Mismatch | None:
    """Compare the starts and stops of all managers with the placements before and after the death of one of them."""
    logs, died_s = rows.get("logs"), rows.get("died_s")
    if not _are_logs(logs) or not isinstance(died_s, dict) or not isinstance(logs, dict):
        return Mismatch(f"Expected logs of starts and stops; yours are {shown(logs)}.", None, logs)
    of_managers = {name: logs.get(name, []) for name in ("m0", "m1", "m2")}
    if both := twice(of_managers, died_s):
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
