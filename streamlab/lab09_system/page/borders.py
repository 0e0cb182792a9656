"""Records what crosses the borders between the tasks of the system, so that each task can get the same input again.

A call is [name of the task, number of its object (0: a function), method, arguments, clock in s, answers of the store,
answer]. Without a method, it is the call of the function, or makes the object; arguments are None if an attribute is
read. Arguments come back as they were; a clock or a store comes back as whatever plays it.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import astuple, is_dataclass
from typing import Any

from streamlab.lab05_placement.numa.topology import Topology
from streamlab.lab09_system import NO_ANSWER, Alert, Objective, RestartRules, Sample, ScaleRules, StoreError

ONE_OBJECT = ("LruCache", "GuardedStore")  # each instance has one; the first one is enough
EVERY = {"service_levels": 121, "post_mortem": 200}  # calls, since their arguments are large; 121: of both windows
ROWS = {each.__name__: each for each in (Alert, Objective, RestartRules, Sample, ScaleRules, Topology)}
TYPES: dict[str, Callable[..., Any]] = {
    **ROWS,
    "tuple": lambda *values: values,
    "dict": lambda *pairs: dict(pairs),
    "set": lambda *values: set(values),
    "NO_ANSWER": lambda: NO_ANSWER,
    "StoreError": StoreError,
}

Call = list[Any]


def encoded(value: Any) -> Any:
    """Return a value as JSON that `calls_of` turns back into it."""
    if isinstance(value, tuple):
        return {type(value).__name__: [encoded(each) for each in value]}
    if isinstance(value, Mapping):
        return {"dict": [[encoded(key), encoded(each)] for key, each in value.items()]}
    if isinstance(value, list):
        return [encoded(each) for each in value]
    if isinstance(value, set):
        return {"set": sorted(value)}
    if isinstance(value, StoreError) or value is NO_ANSWER:
        return {"StoreError" if isinstance(value, StoreError) else "NO_ANSWER": []}
    return value


def calls_of(line: bytes, players: Mapping[str, Callable[[], Any]]) -> list[Call]:
    """Return the calls of a line; `players` make the "clock" and the "store" of the arguments."""
    known = TYPES | dict(players)

    def decoded(found: dict[str, Any]) -> Any:
        (name, values), *others = found.items() or [("", [])]
        return known[name](*values) if name in known and not others else found

    calls: list[Call] = json.loads(line, object_hook=decoded)
    return calls


def plain(answer: Any) -> Any:
    """Return an answer as JSON in which two answers are equal if they mean the same."""
    if is_dataclass(answer) and not isinstance(answer, type):
        answer = astuple(answer)
    if isinstance(answer, Mapping):
        return {str(key): plain(each) for key, each in answer.items()}
    if isinstance(answer, list | tuple):
        return [plain(each) for each in answer]
    if isinstance(answer, float):
        return float(f"{answer:.9g}")  # another order of additions is no difference
    return answer if answer is None or isinstance(answer, bool | int | str) else str(answer)


class Recorder:
    """Notes in `calls` what the tasks that it wraps are asked, and what they answer."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self._counts = Counter[str]()

    def wrap(self, name: str, task: Any) -> Callable[..., Any]:
        """Return a callable in place of the task."""

        def called(*arguments: Any) -> Any:
            self._counts[name] += 1
            number = self._counts[name]
            if (name in ONE_OBJECT and number > 1) or number % EVERY.get(name, 1):
                return task(*arguments)
            border = _Border(self.calls, name, number if isinstance(task, type) else 0)
            answer = border.call("", task, arguments)
            return _Object(border, answer) if isinstance(task, type) else answer

        return called


class _Border:
    """The border of one object, or of a function. It remembers the clock and the store that come as arguments."""

    def __init__(self, calls: list[Call], name: str, number: int) -> None:
        self._calls, self._name, self._number = calls, name, number
        self._clock: Callable[[], float] = lambda: 0.0
        self._answers: list[Any] = []

    def call(self, method: str, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        """Call the function and note it."""
        both = [self._argument(each) for each in arguments]
        passed, shown = [own for own, _ in both], [noted for _, noted in both]
        answer = function(*passed)
        is_object = bool(self._number) and not method
        self.note(method, shown, None if is_object else plain(answer))
        return answer

    def note(self, method: str, shown: Any, answer: Any) -> None:
        """Note a call, or the value of an attribute."""
        self._calls.append([self._name, self._number, method, shown, self._clock(), self._answers, answer])
        self._answers = []

    def _argument(self, value: Any) -> tuple[Any, Any]:
        """Return what the task gets in place of an argument, and what is noted."""
        if hasattr(value, "get_many"):
            return _Store(value, self), {"store": []}
        if callable(value):
            self._clock = value
            return value, {"clock": []}
        return value, encoded(value)

    def answered(self, answer: Any) -> None:
        """Note what the store answered."""
        self._answers.append(encoded(answer))


class _Object:
    """An object of a task; methods and attributes are noted."""

    def __init__(self, border: _Border, own: Any) -> None:
        self._border, self._own = border, own

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._own, name)
        if callable(value):
            return lambda *arguments: self._border.call(name, value, arguments)
        self._border.note(name, None, plain(value))
        return value


class _Store:
    """A store whose answers are noted; it has one answer for all keys, as the virtual store has."""

    def __init__(self, own: Any, border: _Border) -> None:
        self._own, self._border = own, border

    def get_many(self, keys: Any) -> dict[str, Any]:
        """Ask the store."""
        try:
            found: dict[str, Any] = self._own.get_many(keys)
        except StoreError as problem:
            self._border.answered(problem)
            raise
        self._border.answered(next(iter(found.values()), None))
        return found
