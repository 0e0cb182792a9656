"""A recorder around the functions of oracles: it notes what checks and cases ask, or answers from what it has noted."""

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
    """An oracle that cannot be recorded; the text names the function."""


class Recorder:
    """What oracles were asked from outside, and their answers; `answers[module]` are those of one oracle.

    `mode` is that of each thread that has not entered `switched`.
    """

    def __init__(self, mode: Mode) -> None:
        self.answers: dict[str, Answers] = {}
        self._default: Mode = mode
        self._of_thread = threading.local()

    @contextmanager
    def switched(self, mode: Mode) -> Iterator[None]:
        """The block in which this thread records, replays, or asks the oracles themselves."""
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
        """Put a recorder around each function that these modules define, wherever it has been imported by now."""
        around: dict[int, Any] = {}
        for module in modules:
            answers = self.answers[module.__name__] = {}
            for name, value in list(vars(module).items()):
                if _is_function(value) and value.__module__ == module.__name__:
                    around[id(value)] = self._around(value, answers.setdefault(name, {}))
        for importer in [each for name, each in list(sys.modules.items()) if name.startswith(PACKAGES)]:
            for name, value in list(vars(importer).items()):
                if id(value) in around:
                    setattr(importer, name, around[id(value)])

    def _around(self, function: Callable[..., Any], answers: dict[str, Any]) -> Callable[..., Any]:
        @wraps(function)
        def asked(*given: Any, **kwargs: Any) -> Any:
            mode = self._mode
            if mode == "off":
                return function(*given, **kwargs)
            args = without_iterators(given)
            if mode == "record":
                return self._noted(function, answers, args, kwargs)
            key = question(args, kwargs)
            if key not in answers:
                raise UnknownQuestion(f"{function.__name__} was not asked this before the rows were looked at")
            return decoded(answers[key])

        return asked

    def _noted(
        self, function: Callable[..., Any], answers: dict[str, Any], args: list[Any], kwargs: dict[str, Any]
    ) -> Any:
        """Answer, and note it; what one oracle asks another is not noted."""
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
    """Call each check of the labs with each of its public cases, and what modules of the labs list in ALSO_JUDGED.

    The rows hold nothing: a check asks the oracle before it looks at the rows (docs/authors.md).
    """
    checks = [check for lab in labs for check in load_stage(lab).checks]
    made = {cases: cases(PUBLIC_SEED) for cases in dict.fromkeys(check.cases for check in checks)}
    judged = [(check.judge, case) for check in checks for case in made[check.cases]]
    for module in [module for name, module in sys.modules.items() if name.startswith(PACKAGES)]:
        judged += getattr(module, "ALSO_JUDGED", ())
    for judge, case in judged:
        with suppress(LookupError, TypeError, ValueError, AttributeError):
            judge(case, {})
