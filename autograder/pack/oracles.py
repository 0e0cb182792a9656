"""Replaces the oracles in the student's kit by modules of the same names that look up recorded answers.

An oracle is a correct solution in plain Python, so students do not get its code. The imports in the kit's files show
which of its names are needed; `asking` records the answers in a separate process.
"""

import ast
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from autograder.course import Course
from autograder.pack.contents import NotPackable, Packed

# Paths under the kit's root; {lab} stands for each lab of the course.
ORACLES = ("autograder/stages/{lab}/*/oracle*.py",)
RECORDING_S_MAX = 300.0
HEAD = '''\
"""Answers to the public cases, recorded when this kit was packed: the full kit computes them here."""

from typing import Any

from autograder.checks.recorded import Recorded

_RECORDED = Recorded(__file__)
'''


def oracle_files(root: Path, course: Course) -> list[Path]:
    """Return the paths of the modules of all oracles."""
    patterns = [each.format(lab=lab) for each in ORACLES for lab in course.labs]
    return sorted({path for pattern in patterns for path in root.glob(pattern)})


def recorded_oracles(root: Path, course: Course, files: Iterable[Packed]) -> list[Packed]:
    """Return, for each oracle that the files of the kit use, the module that looks up answers and the answers' file.

    Raises NotPackable for a name that an oracle does not have, or that cannot be recorded.
    """
    used = {_module(root, path): set[str]() for path in oracle_files(root, course)}
    for file in files:
        may_use = file.name.endswith(".py") and b"oracle" in file.content
        for module, name in _used_names(file) if may_use else ():
            if module in used:
                used[module].add(name)
    order = {module: sorted(names) for module, names in used.items() if names}
    recorded = _recorded(root, {"labs": list(course.labs), "used": order})
    return [file for module in order for file in _packed(module, recorded[module])]


def _module(root: Path, path: Path) -> str:
    """Return the module name of a path: autograder/checks/pairs.py -> "autograder.checks.pairs"."""
    return ".".join(path.relative_to(root).with_suffix("").parts)


def _used_names(file: Packed) -> Iterator[tuple[str, str]]:
    """Yield (module, name) for each name that a file imports, or reads as an attribute of an imported module."""
    nodes = list(ast.walk(ast.parse(file.content)))
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    modules = {each.asname or each.name: f"{node.module}.{each.name}" for node in imports for each in node.names}
    yield from ((str(node.module), each.name) for node in imports for each in node.names)
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            yield modules[node.value.id], node.attr


def _recorded(root: Path, order: dict[str, Any]) -> dict[str, Any]:
    """Run `asking` on an order for the kit in the folder `root`, and return its result."""
    with tempfile.TemporaryDirectory(prefix="streamlab-") as folder:
        files = Path(folder, "order.json"), Path(folder, "answers.json")
        files[0].write_text(json.dumps(order), encoding="utf-8")
        environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-m", "autograder.pack.asking", *map(str, files)]
        done = subprocess.run(
            command, cwd=root, env=environment, capture_output=True, text=True, timeout=RECORDING_S_MAX, check=False
        )
        if done.returncode != 0:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise NotPackable(f"the answers of the oracles could not be recorded: {last}")
        found: dict[str, Any] = json.loads(files[1].read_text(encoding="ascii"))
    if "error" in found:
        raise NotPackable(str(found["error"]))
    modules: dict[str, Any] = found["modules"]
    return modules


def _packed(module: str, recorded: dict[str, Any]) -> Iterator[Packed]:
    path = module.replace(".", "/")
    lines = [f'{name}: Any = _RECORDED.constant("{name}")' for name in recorded["constants"]]
    lines += [f'{name} = _RECORDED.function("{name}")' for name in recorded["answers"]]
    yield Packed(f"{path}.py", False, (HEAD + "\n".join(lines) + "\n").encode())
    yield Packed(f"{path}.json", False, (json.dumps(recorded, separators=(",", ":")) + "\n").encode("ascii"))
