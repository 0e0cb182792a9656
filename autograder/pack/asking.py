"""Ask the oracles what the checks of the public cases ask them, and write down the answers: `python -m` of this module.

Runs in a process of its own, with the kit in question on its path, since it puts a recorder around each function of
the oracles before cases and checks are imported. Each check is then called once for each public case, with rows that
hold nothing: a check asks the oracle before it looks at the rows (docs/authors.md).
"""

import importlib
import json
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, get_origin

from autograder.checks.recorded import ANY_TYPE, NotPlain, encoded, question, without_iterators
from autograder.checks.registry import load_stage
from autograder.judge.jobs import PUBLIC_SEED

Answers = dict[str, dict[str, Any]]  # function -> question -> answer


class NotRecordable(Exception):
    """An oracle that cannot be recorded; the text names the function."""


class Recorder:
    """What oracles were asked from outside, and their answers; `answers[module]` are those of one oracle."""

    def __init__(self) -> None:
        self.answers: dict[str, Answers] = {}
        self._is_inside = False

    def listen(self, module: ModuleType) -> None:
        """Put a recorder around each function that a module defines."""
        answers = self.answers[module.__name__] = {}
        for name, value in list(vars(module).items()):
            if _is_function(value) and value.__module__ == module.__name__:
                setattr(module, name, self._recording(value, answers.setdefault(name, {})))

    def _recording(self, function: Callable[..., Any], answers: dict[str, Any]) -> Callable[..., Any]:
        @wraps(function)
        def asked(*given: Any, **kwargs: Any) -> Any:
            if self._is_inside:
                return function(*given, **kwargs)
            args = without_iterators(given)
            try:
                key = question(args, kwargs)
                answer = self._inside(function, args, kwargs)
                answers[key] = encoded(answer)
            except Exception as problem:
                why = f"{type(problem).__name__}: {problem}"
                raise NotRecordable(f"{function.__module__}.{function.__name__} for a public case: {why}") from None
            return answer

        return asked

    def _inside(self, function: Callable[..., Any], args: list[Any], kwargs: dict[str, Any]) -> Any:
        """Answer; what one oracle asks another is not recorded."""
        self._is_inside = True
        try:
            return function(*args, **kwargs)
        finally:
            self._is_inside = False


def _is_function(value: object) -> bool:
    return isinstance(value, FunctionType) or (callable(value) and hasattr(value, "__wrapped__"))


def ask_all(labs: list[str]) -> None:
    """Call each check of the labs with each of its public cases, and what modules of the labs list in ALSO_JUDGED."""
    checks = [check for lab in labs for check in load_stage(lab).checks]
    made = {cases: cases(PUBLIC_SEED) for cases in dict.fromkeys(check.cases for check in checks)}
    judged = [(check.judge, case) for check in checks for case in made[check.cases]]
    for module in [module for name, module in sys.modules.items() if name.startswith("autograder.stages.")]:
        judged += getattr(module, "ALSO_JUDGED", ())
    for judge, case in judged:
        with suppress(LookupError, TypeError, ValueError, AttributeError):
            judge(case, {})


def constant_of(module: ModuleType, name: str) -> Any:
    """Return a constant as JSON; a type, which only annotations use, as `ANY_TYPE`."""
    value = getattr(module, name)
    if isinstance(value, type) or get_origin(value) is not None:
        return ANY_TYPE
    try:
        return encoded(value)
    except NotPlain as problem:
        raise NotRecordable(f"{module.__name__}.{name}: {problem}") from None


def recorded(labs: list[str], used: dict[str, list[str]]) -> dict[str, Any]:
    """Return for each oracle module its constants and answers, of the names of it that others use."""
    recorder = Recorder()
    modules = {name: importlib.import_module(name) for name in used}
    for module in modules.values():
        recorder.listen(module)
    ask_all(labs)
    return {name: _of_module(module, used[name], recorder.answers[name]) for name, module in modules.items()}


def _of_module(module: ModuleType, names: list[str], answers: Answers) -> dict[str, Any]:
    return {
        "constants": {name: constant_of(module, name) for name in names if name not in answers},
        "answers": {name: dict(sorted(answers[name].items())) for name in names if name in answers},
    }


def main(order_file: str, answer_file: str) -> None:
    """Carry out an order {"labs": […], "used": {module: names}}; writes {"error": …} where an oracle is none."""
    order = json.loads(Path(order_file).read_text(encoding="utf-8"))
    try:
        found: dict[str, Any] = {"modules": recorded(order["labs"], order["used"])}
    except NotRecordable as problem:
        found = {"error": str(problem)}
    Path(answer_file).write_text(json.dumps(found, allow_nan=False), encoding="ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])
