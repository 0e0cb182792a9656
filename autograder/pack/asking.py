"""Records the oracles' answers to the checks of the public cases; a program, started with `python -m`.

It runs in a separate process with the kit on its import path, since it must wrap the oracles before cases and checks
are imported.
"""

import importlib
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, get_origin

from autograder.checks.recorded import ANY_TYPE, NotPlain, encoded
from autograder.pack.recorder import Answers, NotRecordable, Recorder, ask_all


def recorded(labs: list[str], used: dict[str, list[str]]) -> dict[str, Any]:
    """Return the constants and answers of each oracle module, for the names that other modules use."""
    recorder = Recorder("record")
    modules = {name: importlib.import_module(name) for name in used}
    recorder.listen(modules.values())
    ask_all(labs)
    return {name: _of_module(module, used[name], recorder.answers[name]) for name, module in modules.items()}


def _of_module(module: ModuleType, names: list[str], answers: Answers) -> dict[str, Any]:
    return {
        "constants": {name: _constant(module, name) for name in names if name not in answers},
        "answers": {name: dict(sorted(answers[name].items())) for name in names if name in answers},
    }


def _constant(module: ModuleType, name: str) -> Any:
    """Return a constant as JSON; a type, which only annotations use, as `ANY_TYPE`."""
    value = getattr(module, name)
    if isinstance(value, type) or get_origin(value) is not None:
        return ANY_TYPE
    try:
        return encoded(value)
    except NotPlain as problem:
        raise NotRecordable(f"{module.__name__}.{name}: {problem}") from None


def main(order_file: str, answer_file: str) -> None:
    """Carry out an order {"labs": […], "used": {module: names}}; write {"error": …} if a value cannot be recorded."""
    order = json.loads(Path(order_file).read_text(encoding="utf-8"))
    try:
        found: dict[str, Any] = {"modules": recorded(order["labs"], order["used"])}
    except NotRecordable as problem:
        found = {"error": str(problem)}
    Path(answer_file).write_text(json.dumps(found, allow_nan=False), encoding="ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])
