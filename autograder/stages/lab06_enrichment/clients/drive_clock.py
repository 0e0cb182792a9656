"""Stores at a distance on one virtual clock, for the counterparts of tasks that await lookups.

A call takes as long as its slowest key. The clock moves only when everybody waits: to the end of a call, or to the
moment that the asking loop names.
"""

from itertools import count
from typing import Any, ClassVar, NamedTuple

from autograder.inside.counterparts import Counterpart

RESOLUTION_S = 1e-9  # of asyncio's clock
SHOWN = ("capacity", "timeout_ms", "ordered", "stop_after", "cancel_ms", "batch")


class Call(NamedTuple):
    """A call that is open until `ends_s`."""

    ends_s: float
    number: int
    store: int
    keys: list[Any]


class OnClock(Counterpart):
    """The stores of some cases, in this order; `calls` holds the keys of each call to each of them."""

    QUESTIONS: ClassVar[frozenset[str]] = frozenset({"call", "cancel", "wait"})
    DISTANCE_MS = 1.0

    def __init__(self, case: dict[str, Any], *more: dict[str, Any]) -> None:
        super().__init__(case)
        self.now_s, self.open, self._numbers = 0.0, dict[int, Call](), count()
        self.cases = [case, *more]
        self.calls: list[list[Any]] = [[] for _ in self.cases]
        self._rows = [_by_key(each["rows"]) for each in self.cases]
        self._delays_ms = [_by_key(each.get("delays_ms", [])) for each in self.cases]
        self._fails = [_by_key(each.get("fails", [])) for each in self.cases]

    def shown(self) -> dict[str, Any]:
        """Return the arguments of the task, and no row, delay or failure of a store."""
        return {name: value for name, value in self.case.items() if name in SHOWN}

    def call(self, store: int, keys: list[Any]) -> int:
        """Begin a call to a store; return its number."""
        self.calls[store].append(keys)
        delays_ms = [self._delays_ms[store].get(_key(each), self.DISTANCE_MS) for each in keys]
        number = next(self._numbers)
        self.open[number] = Call(self.now_s + max(delays_ms, default=0.0) / 1000, number, store, keys)
        return number

    def cancel(self, number: int) -> None:
        """End a call without an answer."""
        self.open.pop(number, None)

    def wait(self, until_s: float | None) -> list[Any] | None:
        """Move the clock to the next end of a call, or to `until_s` if that comes first.

        Return the time and, for each call that has ended, [its number, the row of each key, the name of its error]; or
        None if nothing will ever happen.
        """
        times = [each.ends_s for each in self.open.values()] + ([] if until_s is None else [float(until_s)])
        if not times:
            return None
        self.now_s = max(self.now_s, min(times))
        ended = sorted(each for each in self.open.values() if each.ends_s <= self.now_s + RESOLUTION_S)
        return [self.now_s, [[each.number, *self._answer(self.open.pop(each.number))] for each in ended]]

    def _answer(self, call: Call) -> tuple[list[Any], str | None]:
        keys = [_key(each) for each in call.keys]
        error = next((name for each in keys if (name := self.error_of(self._fails[call.store].get(each)))), None)
        return [self._rows[call.store].get(each) for each in keys], error

    def error_of(self, fails: Any) -> str | None:
        """Return the name of the error with which a call ends now for a key that "fails" has, or None."""
        name: str | None = fails
        return name


def _by_key(entries: list[list[Any]]) -> dict[Any, Any]:
    return {_key(key): value for *key, value in entries}


def _key(parts: Any) -> Any:
    return tuple(parts) if isinstance(parts, list) else parts
