"""Reads the rows of `Autoscaler`, and plays a day again with the decisions in them, outside the sandbox."""

from collections import Counter
from typing import Any, NamedTuple

from autograder.checks import Case, Mismatch, Rows
from autograder.checks.compare import is_whole, shown
from autograder.stages.lab09_system.scaling.drive_stubs import play
from streamlab.lab09_system import ScaleRules
from streamlab.lab09_system.virtual import RULES, back_s, worker_ratio

FORM = "Packed(instances, workers)"
NAMES = ("busy_percent", "drain_s", "quiet_ticks", "least", "most", "size")
SHOWN_TICKS = 4


class Outcome(NamedTuple):
    """How a day went; `back_s` is None for a fault after which the lag does not come back."""

    back_s: dict[str, int | None]
    ratio: float


def answers_of(case: Case, rows: Rows, name: str = "answers") -> list[Any] | Mismatch:
    """Return what rows have for each tick, or a mismatch if they have another form."""
    found, count = rows.get(name), len(case["ticks"])
    if isinstance(found, list) and len(found) == count and (name != "answers" or all(map(_is_answer, found))):
        return found
    got = rows.get("returned", found)
    pair = f"{FORM}, a dict and a whole number"
    return Mismatch(f"Expected tick(…) to return {pair}; yours returns {shown(got)}.", FORM, got)


def after(case: Case, at: int) -> str:
    """Return a tick as words: "tick(1000, 500, 0)"."""
    offered, per_instance, lag, gone = case["ticks"][at]
    if case.get("dies_at") == at:
        return f"tick({offered}, {per_instance}, {lag}, gone: all on machine {case['machine']})"
    return f"tick({offered}, {per_instance}, {lag}{f', {shown(gone)}' if gone else ''})"


def story(case: Case, at: int) -> str:
    """Return the ticks before this one and the rules as sentences."""
    calls, earlier = [after(case, each) for each in range(at)], max(0, at - SHOWN_TICKS)
    ticks = f"{earlier} earlier {'tick' if earlier == 1 else 'ticks'}"
    before = ", ".join(([ticks] if earlier else []) + calls[earlier:])
    rules = ", ".join(f"{name}={value}" for name, value in zip(NAMES, case["rules"], strict=True))
    return (f"Before it: {before}. " if at else "It is the first tick. ") + f"Rules: {rules}."


def difference(expected: list[Any], got: Any, tick: str) -> str | None:
    """Return how an answer differs from (instances, workers), as a sentence about one instance if it can be told."""
    want, have = expected[0], got[0]
    missing = [name for name in want if name not in have]
    extra = [name for name in have if name not in want]
    if missing:
        others = f", but {extra[0]}" if extra else ""
        return f"Expected {missing[0]} on worker {want[missing[0]]} after {tick}; yours has no {missing[0]}{others}."
    if extra:
        return f"Expected no {extra[0]} after {tick}; yours is on worker {have[extra[0]]}."
    for name, worker in want.items():
        if have[name] != worker:
            return f"Expected {name} on worker {worker} after {tick}; yours is on worker {have[name]}."
    if expected[1] != got[1]:
        return f"Expected {expected[1]} workers after {tick}; yours has {got[1]}, with {shown(have)}."
    return None


def outcome(case: Case, rows: Rows) -> Outcome | str:
    """Play the day again with the learner's decisions; return how it went, or what is wrong with a decision."""
    changes = rows.get("decisions")
    if not isinstance(changes, list) or not all(_is_decision(each) for each in changes):
        return f"tick(…) to return {FORM}; yours returns {shown(rows.get('returned', changes))}"
    packed = dict((at, each) for at, each in changes)
    if 0 not in packed:
        return f"an answer to each tick; yours has {shown(sorted(packed))}"
    for at, (instances, _) in packed.items():
        worker, count = max(Counter(instances.values()).items(), key=lambda each: each[1], default=(0, 0))
        if count * RULES.size > 1000:
            return f"at most {1000 // RULES.size} instances on a worker; yours has {count} on {worker} at {at} s"
    return _played(case, packed)


def _played(case: Case, packed: dict[int, Any]) -> Outcome:
    class Again:
        def __init__(self, rules: ScaleRules) -> None:
            self._at, self._now = -1, packed[0]

        def tick(self, *_: Any) -> tuple[dict[str, int], int]:
            self._at += 1
            self._now = packed.get(self._at, self._now)
            return self._now[0], 1 + max(self._now[0].values(), default=-1)

    system = play(Again, case["day"], case["plan"], case["end_s"])
    return Outcome(back_s(system), worker_ratio(system, RULES))


def _is_decision(each: Any) -> bool:
    is_pair = isinstance(each, list) and len(each) == 2 and type(each[0]) is int
    return is_pair and _is_answer(each[1]) and all(at < 1000 for at in each[1][0].values())


def _is_answer(each: Any) -> bool:
    """Return whether this is [{instance: worker}, workers]."""
    if not (isinstance(each, list) and len(each) == 2 and isinstance(each[0], dict) and is_whole(each[1])):
        return False
    return all(is_whole(worker) and worker >= 0 for worker in each[0].values())
