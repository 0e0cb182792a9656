"""Records calls of a task while a case drives it: of a function, each call; of a class, an object and its calls.

A story ends at the first call whose arguments or answer cannot be written as text; the calls after it would have no
known state.
"""

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from autograder.portfolio.python_text import NotPlain, python_text

CALLS_MAX = 8  # of one object, so that a test can be read
MADE = "made"  # the name of the object


@dataclass
class Story:
    """The lines of one test, and {name: module} of the classes that they name."""

    lines: list[str] = field(default_factory=list)
    classes: dict[str, str] = field(default_factory=dict)
    is_over: bool = False

    def call(self, name: str, values: tuple[Any, ...], named: dict[str, Any]) -> str | None:
        """Return a call as text; None, and the story is over, if its arguments cannot be written."""
        try:
            texts = [python_text(each, self.classes) for each in values]
            texts += [f"{key}={python_text(each, self.classes)}" for key, each in named.items()]
        except NotPlain:
            self.is_over = True
            return None
        return f"{name}({', '.join(texts)})"

    def answered(self, call: str, value: Any) -> None:
        """Add a call with its answer."""
        try:
            text = python_text(value, self.classes)
        except NotPlain:
            self.is_over = True
            return
        if text == "None" and call.startswith(MADE):
            self.lines.append(call)
        else:
            self.lines.append(f"assert {call} {'is' if text in ('None', 'True', 'False') else '=='} {text}")
        self.is_over = self.is_over or len(self.lines) > CALLS_MAX

    def raised(self, call: str, problem: Exception) -> None:
        """Add a call with its error."""
        kind = type(problem)
        if kind.__module__ != "builtins":
            self.classes[kind.__name__] = kind.__module__
        self.lines += [f"with pytest.raises({kind.__name__}):", f"    {call}"]


class Stories:
    """Wraps a task, and notes in `all` what it is called with and what it answers."""

    def __init__(self) -> None:
        self.all: list[Story] = []

    def wrap(self, name: str, task: Any) -> Callable[..., Any]:
        """Return a callable in place of the task."""

        def called(*values: Any, **named: Any) -> Any:
            self.all.append(story := Story())
            if not isinstance(task, type):
                return _call(story, name, task, values, named)
            return _made(story, name, task, values, named)

        return functools.update_wrapper(called, task, updated=())


def _made(story: Story, name: str, task: Any, values: tuple[Any, ...], named: dict[str, Any]) -> Any:
    text = story.call(name, values, named)
    own = _answer(story, text, task, values, named)
    story.lines += [f"{MADE} = {text}"] * (text is not None)
    return _Object(story, own)


def _call(story: Story, name: str, function: Any, values: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """Call a function, and add the call to its story."""
    text = None if story.is_over else story.call(name, values, named)
    answer = _answer(story, text, function, values, named)
    if text is None:
        return answer
    if isinstance(answer, Iterator):
        return _noted(story, f"list({text})", answer)
    story.answered(text, answer)
    return answer


def _answer(story: Story, text: str | None, function: Any, values: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """Return the answer of a call; its error is added to the story, if the call can be written, and raised."""
    try:
        return function(*values, **named)
    except Exception as problem:
        if text is not None:
            story.raised(text, problem)
        raise


def _noted(story: Story, call: str, answers: Iterator[Any]) -> Iterator[Any]:
    """Yield the answers, and add them to the story once all of them are known."""
    noted = []
    for each in answers:
        noted.append(each)
        yield each
    story.answered(call, noted)


class _Object:
    """An object of a task, in whose story methods and attributes are noted."""

    def __init__(self, story: Story, own: Any) -> None:
        self._story, self._own = story, own

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._own, name)
        if callable(value):
            return lambda *values, **named: _call(self._story, f"{MADE}.{name}", value, values, named)
        if not self._story.is_over:
            self._story.answered(f"{MADE}.{name}", value)
        return value
