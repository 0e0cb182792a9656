"""Seeded cases of `event_time_counts`: files of events, each file one micro-batch, and invalid arguments.

Each key tests one rule, so that one mistake costs one check: events of `edge` are at ends of windows, those of `twice`
arrive more than once, those of `late` are older than the watermark or just in time, and those of `plain` are inside
their window. All correct solutions drop the same events (see the oracle). The last file is so far in the future that it
closes every other window, so the answer is the same in update and in append mode.
"""

import random
from collections.abc import Sequence
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for

Event = dict[str, Any]

WINDOW_S, WATERMARK_S = 10, 30
START_S, JUMP_S, FAR_S = 1000.0, 1100.0, 300_005.0
FILES = 3


def arrivals(seed: str) -> list[Case]:
    """Return a small stream, then the same events in three orders of arrival; the last one has late events."""
    rng = random_for(seed, "arrivals")
    events = _on_time(rng)
    in_order = sorted(events, key=lambda event: event["event_time_s"])
    return [
        _case([[_event("1", "plain", 1003.0), _event("2", "edge", 1010.0)], [_far()]], watermark_s=0),
        _case([*_split(in_order), [_far()]]),
        _case([*_split(in_order[::-1]), [_far()]]),
        _case([*_split(events), *_late(), [_far()]]),
    ]


def _on_time(rng: random.Random) -> list[Event]:
    """Return events within `WATERMARK_S` of each other, shuffled: they may arrive in any order."""
    edges = [_event(f"e{at}", "edge", START_S + at) for at in (0, 9.999, 10, 20, 29.75)]
    plain = [_event(f"p{at}", "plain", START_S + at / 4 + 0.125) for at in rng.sample(range(4, 119), 12)]
    twice = [_event(name, "twice", START_S + 3.5) for name in ("t1", "t1", "t2")]
    twice += [_event("t3", "twice", START_S + 14.5)] * 2
    twice += [_event("t4", "twice", START_S + at) for at in (22.5, 24.25)]  # sent again, with another time
    events = [*edges, *plain, *twice]
    rng.shuffle(events)
    return events


def _late() -> list[list[Event]]:
    """Return files that move the watermark to 1070 and keep it for a file, then events before and after it."""
    older = [_event("l1", "late", 1005.0), _event("l2", "late", 1069.5), _event("t1", "twice", START_S + 3.5)]
    in_time = [_event("l3", "late", 1075.0), _event("l4", "late", 1099.0)]
    return [[_event("j1", "edge", JUMP_S)], [_event("j2", "plain", JUMP_S - 1)], [*older, *in_time]]


def _event(name: str, key: str, event_time_s: float) -> Event:
    return {"id": name, "key": key, "event_time_s": event_time_s}


def _far() -> Event:
    return _event("far", "plain", FAR_S)


def _split(events: Sequence[Event]) -> list[list[Event]]:
    size = -(-len(events) // FILES)
    return [list(events[at : at + size]) for at in range(0, len(events), size)]


def _case(files: list[list[Event]], window_s: int = WINDOW_S, watermark_s: int = WATERMARK_S) -> Case:
    return {"files": files, "window_s": window_s, "watermark_s": watermark_s}
