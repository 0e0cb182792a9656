"""Wraps the functions of oracles to record the answers to checks and cases, or to replay recorded answers."""

import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from types import FunctionType, ModuleType
from typing import Any, Literal

from autograder.checks.recorded import UnknownQuestion, decoded, encoded, question, without_iterators
from autograder.checks.registry import load_stage
from autograder.judge.jobs import PUBLIC_SEED

Answers = dict[str, dict[str, Any]]  # function -> question -> answer
Mode = Literal["off", "record", "replay"]
PACKAGES = ("autograder.checks.", "autograder.stages.")


class NotRecordable(Exception):
    """An oracle cannot be recorded; the message names the function."""


class Recorder:
    """Records the calls of oracles from other modules and their answers; `answers[module]` are those of one oracle.

    `mode` applies to each thread that has not entered `switched`.
    """

    def __init__(self, mode: Mode) -> None:
        self.answers: dict[str, Answers] = {}
        self._default: Mode = mode
        self._of_thread = threading.local()

    @contextmanager
    def switched(self, mode: Mode) -> Iterator[None]:
        """Set this thread's mode in the block: record, replay, or call the oracles themselves (off)."""
        before = self._mode
        self._of_thread.mode = mode
        try:
            yield
        finally:
            self._of_thread.mode = before

    @property
    def _mode(self) -> Mode:
        mode: Mode = getattr(self._of_thread, "mode", self._default)
        return mode

    def listen(self, modules: Iterable[ModuleType]) -> None:
        """Wrap each function that these modules define, in every module that has imported it so far."""
        wrappers: dict[int, Any] = {}
        for module in modules:
            answers = self.answers[module.__name__] = {}
            for name, value in list(vars(module).items()):
                if _is_function(value) and value.__module__ == module.__name__:
                    wrappers[id(value)] = self._wrapped(value, answers.setdefault(name, {}))
        for importer in [each for name, each in list(sys.modules.items()) if name.startswith(PACKAGES)]:
            for name, value in list(vars(importer).items()):
                if id(value) in wrappers:
                    setattr(importer, name, wrappers[id(value)])

    def _wrapped(self, function: Callable[..., Any], answers: dict[str, Any]) -> Callable[..., Any]:
        @wraps(function)
        def wrapper(*raw_args: Any, **kwargs: Any) -> Any:
            mode = self._mode
            if mode == "off":
                return function(*raw_args, **kwargs)
            args = without_iterators(raw_args)
            if mode == "record":
                return self._recorded_answer(function, answers, args, kwargs)
            key = question(args, kwargs)
            if key not in answers:
                raise UnknownQuestion(f"{function.__name__} was not asked this before the rows were looked at")
            return decoded(answers[key])

        return wrapper

    def _recorded_answer(
        self, function: Callable[..., Any], answers: dict[str, Any], args: list[Any], kwargs: dict[str, Any]
    ) -> Any:
        """Call the oracle and record its answer; calls from one oracle to another are not recorded."""
        try:
            key = question(args, kwargs)
            with self.switched("off"):
                answer = function(*args, **kwargs)
            answers[key] = encoded(answer)
        except Exception as problem:
            why = f"{type(problem).__name__}: {problem}"
            raise NotRecordable(f"{function.__module__}.{function.__name__} for a public case: {why}") from None
        return answer


def _is_function(value: object) -> bool:
    return isinstance(value, FunctionType) or (callable(value) and hasattr(value, "__wrapped__"))


def ask_all(labs: Iterable[str]) -> None:
    """Call each check of the labs with each of its public cases, and each pair that a module lists in ALSO_JUDGED.

    The rows are empty: a check asks the oracle before it looks at the rows (docs/authors.md).
    """
    checks = [check for lab in labs for check in load_stage(lab).checks]
    public_cases = {cases: cases(PUBLIC_SEED) for cases in dict.fromkeys(check.cases for check in checks)}
    calls = [(check.judge, case) for check in checks for case in public_cases[check.cases]]
    for module in [module for name, module in sys.modules.items() if name.startswith(PACKAGES)]:
        calls += getattr(module, "ALSO_JUDGED", ())
    for judge, case in calls:
        with suppress(LookupError, TypeError, ValueError, AttributeError):
            judge(case, {})
