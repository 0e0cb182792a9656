"""Which manager runs which instance after each operation of a script: a table of claims, in plain Python.

And the results of Lab 4's instances, as if one process had all rows.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

State = dict[str, Any]


def states(script: Sequence[Sequence[Any]]) -> list[State | None]:
    """Return {"runs": {label: instances}, "claims": {instance: label}} after each operation.

    The state after a step that a planned fault ended is None.
    """
    cluster = Cluster()
    return [cluster.after(*operation) for operation in script]


def starts(script: Sequence[Sequence[Any]]) -> dict[str, int]:
    """Return how many processes each instance has had: a new one whenever another manager, or nobody, had it before."""
    started, before = Counter[str](), set[tuple[str, str]]()
    for state in states(script):
        now = {(label, name) for label, names in (state or {"runs": {}})["runs"].items() for name in names}
        started.update(name for _, name in now - before)
        before = now
    return dict(started)


def results(case: State) -> list[State]:
    """Return the visits of each ip in each window that has some, with the last millisecond of the window as time."""
    size = case["window_ms"]
    visits = Counter((row["ip"], row["t"] // size) for share in case["shares"].values() for row in share)
    return [{"ip": ip, "visits": count, "t": (number + 1) * size - 1} for (ip, number), count in visits.items()]


class Cluster:
    """The managers of a script by label, the placements, and the owner of each claim."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.runs: dict[str, set[str]] = {}
        self.claims: dict[str, str] = {}
        self.placed: dict[str, dict[str, str]] = {}
        self.faulty: set[str] = set()

    def after(self, name: str, of: str, *more: Any) -> State | None:
        """Carry out one operation and return the state after it."""
        if name == "join":
            self.names[of], self.runs[of] = more[0], set()
        elif name == "place":
            self.placed[of] = more[0] or {}
        elif name == "fault":
            self.faulty.add(of)
        elif name == "feed":
            pass
        elif name in ("expire", "kill"):
            self.claims = {instance: label for instance, label in self.claims.items() if label != of}
            if name == "kill":
                del self.runs[of]
        elif of in self.faulty:
            self.faulty.remove(of)
            return None  # a correct manager may have done any part of its step
        else:
            self._step(of)
        runs = {label: sorted(instances) for label, instances in self.runs.items()}
        return {"runs": runs, "claims": dict(sorted(self.claims.items()))}

    def _step(self, label: str) -> None:
        me = self.names[label]
        wanted = {instance for query in self.placed.values() for instance, manager in query.items() if manager == me}
        own = {instance for instance, owner in self.claims.items() if owner == label}
        for instance in own - wanted:
            del self.claims[instance]
        for instance in wanted - self.claims.keys():
            self.claims[instance] = label
        self.runs[label] = {instance for instance in wanted if self.claims[instance] == label}
