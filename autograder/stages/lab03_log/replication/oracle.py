"""The right states of `ReplicatedPartition` after each event, from the definitions.

The records of all logs form a tree: a record's parent is the record before it in the log of the leader that appended
it. A log is the path from the root to its tip, and what logs have in common is their common ancestor. Membership in the
in-sync set and acknowledgements are looked up in the history of events, and not kept up to date.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

Event = list[Any]  # ["append", value, acks], ["fetch", follower, ms, n], ["shrink", ms], ["elect", alive, ms, unclean]
State = dict[str, Any]


class _Record(NamedTuple):
    """A record in the tree; `parent` is its number."""

    parent: int
    epoch: int
    value: str


@dataclass
class _History:
    """All records, the last one of each broker (0: none), and what happened so far in a case."""

    case: dict[str, Any]
    records: list[_Record] = field(default_factory=lambda: [_Record(0, 0, "")])
    tips: list[int] = field(default_factory=list)
    past: list[tuple[str, int, Any]] = field(default_factory=list)  # (kind, ms, broker, leader or members)
    leader: int | None = 0
    elections: int = 0
    watermark: int = 0

    def path(self, tip: int) -> list[int]:
        """Return the numbers of the records of a log, first to last."""
        found = []
        while tip:
            found.append(tip)
            tip = self.records[tip].parent
        return found[::-1]

    def confirmed_ms(self, broker: int, before: int) -> int:
        """Return when a broker last reached the end of the log, or was in sync at an election."""
        times = [ms for kind, ms, who in self.past[:before] if kind != "shrink" and broker in who]
        return max(times, default=0)

    def is_in_sync(self, broker: int) -> bool:
        """Return what the last event that says something about a broker says."""
        for at in reversed(range(len(self.past))):
            kind, ms, who = self.past[at]
            if kind == "elect" or (kind == "end" and broker in who):
                return broker in who
            if kind == "shrink" and broker not in who and ms - self.confirmed_ms(broker, at) > self.case["lag_ms"]:
                return False
        return True

    def in_sync(self) -> list[int]:
        """Return the in-sync brokers in ascending order."""
        return [broker for broker in range(self.case["replicas"]) if self.is_in_sync(broker)]

    def raised(self, event: Event) -> str | None:
        """Return the error that an event has to raise."""
        kind, acks = event[0], event[-1]
        if self.leader is None and (kind == "fetch" or (kind == "append" and acks != 0)):
            return "NoLeader"
        if kind == "append" and acks == "all" and len(self.in_sync()) < self.case["min_isr"]:
            return "NotEnoughReplicas"
        return None

    def happen(self, event: Event) -> None:
        """Change the logs, the leader and the watermark by an event that raises nothing."""
        if event[0] == "elect":
            self._elect(*event[1:])
        elif self.leader is not None:
            getattr(self, f"_{event[0]}")(*event[1:])
        members = self.in_sync()
        if self.leader is not None and len(members) >= self.case["min_isr"]:
            paths = [set(self.path(self.tips[broker])) for broker in members]
            self.watermark = len(set.intersection(*paths))

    def _append(self, value: str, _: Any) -> None:
        assert self.leader is not None
        self.records.append(_Record(self.tips[self.leader], self.elections, value))
        self.tips[self.leader] = len(self.records) - 1

    def _fetch(self, follower: int, now_ms: int, at_most: int) -> None:
        assert self.leader is not None
        source, own = self.path(self.tips[self.leader]), set(self.path(self.tips[follower]))
        after = [0, *source][: len([each for each in source if each in own]) + at_most + 1]
        self.tips[follower] = after[-1]
        if after[-1] == self.tips[self.leader]:
            self.past.append(("end", now_ms, [follower]))

    def _shrink(self, now_ms: int) -> None:
        self.past.append(("shrink", now_ms, [self.leader]))

    def _elect(self, alive: list[int], now_ms: int, unclean: bool) -> None:
        live = [broker for broker in self.in_sync() if broker in alive]
        self.leader = next(iter(live or (sorted(alive) if unclean else [])), None)
        if self.leader is not None:
            self.elections += 1
            self.past.append(("elect", now_ms, live or [self.leader]))
            self.watermark = min(self.watermark, len(self.path(self.tips[self.leader])))


def leaders(case: dict[str, Any]) -> list[int | None]:
    """Return who leads before each event; a fetch by the leader itself, which no rule describes, changes nothing.

    Example: leaders({"replicas": 1, "min_isr": 1, "lag_ms": 9, "events": [["elect", [], 1, False], ["shrink", 1]]})
    -> [0, None]
    """
    history, found = _History(case, tips=[0] * case["replicas"]), []
    for event in case["events"]:
        found.append(history.leader)
        if event[:2] != ["fetch", history.leader] and history.raised(event) is None:
            history.happen(event)
    return found


def replayed(case: dict[str, Any]) -> list[State]:
    """Return the state after each event of a case: leader, isr, logs, high_watermark, acknowledged, and raised.

    Example: replayed({"replicas": 1, "min_isr": 1, "lag_ms": 9, "events": [["append", "a", 1]]})[0]["acknowledged"]
    -> ["a"]
    """
    history, states = _History(case, tips=[0] * case["replicas"]), list[State]()
    for event in case["events"]:
        raised = history.raised(event)
        if raised is None:
            history.happen(event)
        logs = [[list(history.records[each][1:]) for each in history.path(tip)] for tip in history.tips]
        states.append(
            {
                "raised": raised,
                "leader": history.leader,
                "isr": history.in_sync(),
                "logs": logs,
                "high_watermark": history.watermark,
            }
        )
    found = _acknowledgements(case["events"], states)
    for at, state in enumerate(states):
        state["acknowledged"] = [value for when, _, value in found if when <= at]
    return states


def _acknowledgements(events: list[Event], states: list[State]) -> list[tuple[int, int, str]]:
    """Return (event at which it is acknowledged, event that sent it, value) of each record, in this order."""
    found = []
    for sent, (event, state) in enumerate(zip(events, states, strict=True)):
        if event[0] != "append" or state["raised"]:
            continue
        when: int | None = sent
        if event[2] == "all":
            offset = len(state["logs"][state["leader"]]) - 1
            ends = (at for at in range(sent, len(events)) if events[at][0] == "elect")
            waits = range(sent, next(ends, len(events)))
            when = next((at for at in waits if states[at]["high_watermark"] > offset), None)
        if when is not None:
            found.append((when, sent, event[1]))
    return sorted(found)
