"""Windows in plain Python, driven with values that count what is done with them.

A step is "+5", "-" or "?", or ["add", 5], ["expire"] or ["result"]. Keeps out: how much work is allowed.
"""

import operator
from dataclasses import dataclass
from typing import Any

from autograder.inside.rows import Rows, a_kind, plain

SHORT = {"+": "add", "-": "expire", "?": "result"}


@dataclass
class Work:
    """What was done with all values of one case."""

    adds: int = 0
    subtractions: int = 0
    comparisons: int = 0

    @property
    def combines(self) -> int:
        """All of it."""
        return self.adds + self.subtractions + self.comparisons


class Ordered:
    """A value that can be compared and nothing else, and counts it."""

    def __init__(self, value: Any, work: Work) -> None:
        self._value, self._work = value, work

    def __repr__(self) -> str:
        return f"<a {type(self).__name__} that counts>"  # what can be read can be reckoned with, uncounted

    def _compared(self, other: Any, compare: Any) -> Any:
        if not isinstance(other, Ordered):
            return NotImplemented
        self._work.comparisons += 1
        return compare(self._value, other._value)

    def __lt__(self, other: Any) -> Any:
        return self._compared(other, operator.lt)

    def __le__(self, other: Any) -> Any:
        return self._compared(other, operator.le)

    def __gt__(self, other: Any) -> Any:
        return self._compared(other, operator.gt)

    def __ge__(self, other: Any) -> Any:
        return self._compared(other, operator.ge)

    def __eq__(self, other: Any) -> Any:
        return self._compared(other, operator.eq)

    def __ne__(self, other: Any) -> Any:
        return self._compared(other, operator.ne)


class Number(Ordered):
    """A value that can be added and subtracted, too; a plain 0 counts as a value."""

    def __round__(self, digits: int | None = None) -> "Number":
        return Number(round(self._value, digits), self._work)

    def __add__(self, other: Any) -> Any:
        self._work.adds += 1
        return Number(self._value + worth(other), self._work)

    def __radd__(self, other: Any) -> Any:
        self._work.adds += 1
        return Number(worth(other) + self._value, self._work)

    def __sub__(self, other: Any) -> Any:
        self._work.subtractions += 1
        return Number(self._value - worth(other), self._work)

    def __rsub__(self, other: Any) -> Any:
        self._work.subtractions += 1
        return Number(worth(other) - self._value, self._work)


def worth(value: Any) -> Any:
    """The plain number behind a counting value; anything else as it is."""
    return value._value if isinstance(value, Ordered) else value


def slide(window: Any, case: Any, kind: type[Ordered]) -> Rows:
    """Carry out the steps of a case on a learner's window; each `add` gets a new value of `kind`."""
    work, results, work_of_each_step = Work(), [], []
    for step in case["steps"]:
        before = work.combines
        name, *amount = spelled_out(step, float if case.get("kind") == "float" else int)
        answer = _done(window, name, [kind(each, work) for each in amount])
        if name == "result" or isinstance(answer, dict):
            results.append(answer)
        work_of_each_step.append(work.combines - before)
    return {"results": results, **vars(work), "work_of_each_step": work_of_each_step}


def spelled_out(step: Any, number: type) -> list[Any]:
    """Example: spelled_out("+5", int) -> ["add", 5]."""
    if not isinstance(step, str):
        return [step[0], *(number(each) for each in step[1:])]
    return [SHORT[step[0]], *([number(step[1:])] if step[0] == "+" else [])]


def _done(window: Any, name: str, values: list[Ordered]) -> Any:
    try:
        answer = worth(getattr(window, name)(*values))
    except ValueError as refusal:
        return {"rejected": str(refusal)[:200]}
    if name != "result":
        return None
    return plain(answer) if isinstance(answer, int | float) else {"returned": a_kind(answer)}


def results_of_all_slides(window: Any, values: list[int], length: int) -> list[Any]:
    """The result of every slide, for a window that holds the last `length` values."""
    add, expire, result, results = window.add, window.expire, window.result, []
    for number, value in enumerate(values):
        if number >= length:
            expire()
        add(value)
        results.append(result())
    return results
