"""Definitions of the kit with another purpose, which a student could hand in as a task of a lab.

These are what the drives, comparators and workloads of a lab and its library define, and the throughput baselines. For
a task that is a function, a candidate takes as many arguments as the task requires; for a class, it has one of the
task's public methods.
"""

import ast
import importlib
import inspect
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from autograder.inside import DRIVES
from streamlab.notebooks.labfile import read_lab

ROOT = Path(__file__).resolve().parents[3]
STAGES = ROOT / "autograder" / "stages"
OF_A_GROUP = ("drive*.py", "comparators*.py", "workload*.py")  # a student's kit has these as they are
PASTED = """import sys, types
sources = {{name: source for name, source in {sources!r}.items() if name not in sys.modules}}
for name, source in sources.items():
    sys.modules[name] = types.ModuleType(name)
    exec(source, vars(sys.modules[name]))
{task} = vars(sys.modules[{module!r}])[{name!r}]
for name in sources:
    del sys.modules[name]
"""
INNER = "import {module}\nown = dict(vars({module}))\nexec({source!r}, own)\n{task} = own[{name!r}]\n"
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Candidate:
    """A definition, for example "indexes.drive_stubs.FencesByLongitude", and the cell that hands it in as `task`."""

    task: str
    name: str
    cell: str


def candidates_of(lab: str, tasks: list[str]) -> list[Candidate]:
    """Return the candidates for each of these tasks, whose drives are loaded.

    Tasks that need Spark have only those from modules that use it, and those with the task's own name.
    """
    wanted = {task: _definition(lab, task) for task in tasks}
    found = [each for module in _modules(lab) for each in _of_module(module, wanted)]
    return found + [each for each in _baselines(lab) if each.task in wanted]


def _definition(lab: str, task: str) -> ast.stmt:
    """Return the definition of a task in the reference."""
    cells = read_lab(ROOT / "solutions" / lab / f"{lab}.py").cells
    source = next(cell.source for cell in cells if cell.role == "task" and cell.name == task)
    return next(node for node in ast.parse(source).body if getattr(node, "name", "") == task)


def _modules(lab: str) -> Iterator[ModuleType]:
    paths = [path for pattern in OF_A_GROUP for path in (STAGES / lab).glob(f"*/{pattern}")]
    for path in sorted([*paths, *(ROOT / "streamlab" / lab).rglob("*.py")]):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        yield importlib.import_module(name)


def _of_module(module: ModuleType, wanted: dict[str, ast.stmt]) -> Iterator[Candidate]:
    uses_spark = "pyspark" in Path(module.__file__ or "").read_text(encoding="utf-8")
    for name, value, inner in [*_outer(module), *_inner(module)]:
        for task, definition in wanted.items():
            is_for_it = uses_spark or name == task or not DRIVES[task].needs_spark
            if is_for_it and _can_be(value, definition):
                short = module.__name__.partition(".lab")[2].partition(".")[2]
                yield Candidate(task, f"{short}.{name}", _cell(module.__name__, name, task, inner))


def _outer(module: ModuleType) -> Iterator[tuple[str, Any, str]]:
    for name, value in vars(module).items():
        is_own = getattr(value, "__module__", "") == module.__name__
        if is_own and (_is_of_drives(module) or not name.startswith("_")):
            yield name, value, ""


def _inner(module: ModuleType) -> Iterator[tuple[str, Any, str]]:
    """Yield name, value and source of what functions of a drive define, except for closures that assign outside."""
    if not _is_of_drives(module):
        return
    for outer in ast.walk(ast.parse(inspect.getsource(module))):
        for node in outer.body if isinstance(outer, Function) else []:
            if isinstance(node, Function | ast.ClassDef) and "nonlocal " not in (source := ast.unparse(node)):
                own = dict(vars(module))
                exec(source, own)
                yield node.name, own[node.name], source


def _is_of_drives(module: ModuleType) -> bool:
    return module.__name__.rpartition(".")[2].startswith("drive")


def _cell(module: str, name: str, task: str, inner: str) -> str:
    """Return a cell that defines the task by a name of a module; what a sandbox does not see is pasted."""
    if inner:
        return INNER.format(module=module, name=name, task=task, source=inner)
    if _is_seen(module):
        return f"from {module} import {name} as {task}\n"
    return PASTED.format(module=module, name=name, task=task, sources=_sources(module))


def _is_seen(module: str) -> bool:
    """Return whether a sandbox can import a module."""
    is_hidden = module.startswith(("autograder.stages.", "autograder.checks"))
    return not is_hidden or module.rpartition(".")[2].startswith("drive")


def _sources(module: str) -> dict[str, str]:
    """Return the source of a module after those of the modules that it imports and a sandbox does not see."""
    source = Path(importlib.import_module(module).__file__ or "").read_text(encoding="utf-8")
    below: dict[str, str] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            names = [node.module or "", *(f"{node.module}.{each.name}" for each in node.names)]
            for hidden in (name for name in names if name in sys.modules and not _is_seen(name)):
                below |= _sources(hidden)
    return {**below, module: source}


def _can_be(value: Any, task: ast.stmt) -> bool:
    if isinstance(task, ast.ClassDef):
        methods = [node.name for node in task.body if isinstance(node, Function) and not node.name.startswith("_")]
        return inspect.isclass(value) and any(hasattr(value, each) for each in methods)
    assert isinstance(task, Function)
    if not inspect.isfunction(value) or _is_async(value) != isinstance(task, ast.AsyncFunctionDef):
        return False
    required = len(task.args.posonlyargs) + len(task.args.args) - len(task.args.defaults)
    try:
        inspect.signature(value).bind(*range(required))
    except TypeError:
        return False
    return True


def _is_async(value: Any) -> bool:
    return inspect.iscoroutinefunction(value) or inspect.isasyncgenfunction(value)


def _baselines(lab: str) -> Iterator[Candidate]:
    for path in sorted((STAGES / lab / "baselines").glob("*.py")):
        for cell in read_lab(path).cells:
            if cell.role == "task" and cell.name:
                yield Candidate(cell.name, f"baselines.{path.stem}", path.read_text(encoding="utf-8"))
