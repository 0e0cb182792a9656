"""Counterparts: what the code of a task talks to in one case (stores, a clock, a source), kept out of its reach.

A counterpart lives in the judge's process. The sandbox gets only what `shown()` returns of the case, and its drive asks
the rest question by question. So a notebook cannot read rows that it did not ask for, set the clock, or change what was
counted: the counterpart's rows replace those of the sandbox. Where nothing is graded, as in a notebook or in a warm
sandbox, the counterpart lives in the process of the drive.
"""

import importlib
from collections.abc import Callable
from typing import Any, ClassVar

from autograder.inside.rows import Rows
from autograder.inside.stage_groups import group_modules

Ask = Callable[..., Any]  # ask("name", *arguments) -> the answer


class NoAnswer(Exception):
    """A question that no honest drive asks; the text says why it has no answer."""


class Counterpart:
    """The counterpart of one case. A question is the name of a method in `QUESTIONS`, with plain arguments."""

    QUESTIONS: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, case: dict[str, Any]) -> None:
        self.case = case

    def shown(self) -> dict[str, Any]:
        """Return the part of the case that the sandbox gets."""
        return self.case

    def rows(self) -> Rows:
        """Return what the counterpart has seen, once the case has ended."""
        return {}

    def ask(self, question: Any, *arguments: Any) -> Any:
        """Return the answer to a question. Raises NoAnswer; any code in the sandbox may ask anything."""
        if not isinstance(question, str) or question not in self.QUESTIONS:
            raise NoAnswer("there is no such question")
        try:
            return getattr(self, question)(*arguments)
        except Exception as problem:
            raise NoAnswer(f"the question cannot be answered: {type(problem).__name__}") from None


COUNTERPARTS: dict[str, type[Counterpart]] = {}


def counterpart(*tasks: str) -> Callable[[type[Counterpart]], type[Counterpart]]:
    """Register the decorated class as the counterpart of these tasks."""

    def register(kind: type[Counterpart]) -> type[Counterpart]:
        COUNTERPARTS.update(dict.fromkeys(tasks, kind))
        return kind

    return register


def counterpart_of(task: str, case: dict[str, Any]) -> Counterpart:
    """Return a new counterpart for one case; for a task without one, it shows the whole case and answers nothing."""
    return COUNTERPARTS.get(task, Counterpart)(case)


def load_counterparts(lab: str) -> None:
    """Import the counterparts of all groups of a lab, which registers them in `COUNTERPARTS`."""
    for name in group_modules(lab, "drive_counterpart"):
        importlib.import_module(name)
