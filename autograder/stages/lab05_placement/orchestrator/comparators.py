"""Comparisons of what managers have logged."""

from collections.abc import Mapping
from typing import Any


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
