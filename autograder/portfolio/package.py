"""Makes the files of a package from a selection of tasks: modules, then tests recorded on them, then the README."""

import importlib
import os
import sys
from collections.abc import Iterable, Mapping
from importlib.metadata import packages_distributions, version
from pathlib import Path

from autograder.course import Course
from autograder.portfolio import PACKAGE
from autograder.portfolio.module_text import module_text
from autograder.portfolio.readme import Contents, readme
from autograder.portfolio.recording_processes import recorded_tests
from autograder.portfolio.selection import Selection
from autograder.portfolio.tests_text import OF_THE_PACKAGE, tests_text
from streamlab.kit_program import KIT
from streamlab.progress import OnProgress

HERE = Path(__file__).resolve().parent
PROGRAM, MAP = (next(HERE.glob(f"lab*_{name}.py"), None) for name in ("program", "map"))  # a course may lack the system
FIND_KIT = '''\
"""Finds StreamLab: as Python does, or at the place where it was when it wrote this package."""

import importlib.util
import sys
from pathlib import Path

KIT = Path(__file__).resolve().parents[1] / {kit!r}

if importlib.util.find_spec("streamlab") is None:
    sys.path.append(str(KIT.resolve()))
'''
PROJECT = """\
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "{name}"
version = "1.0"
requires-python = ">=3.11"
dependencies = [{dependencies}]

[tool.setuptools]
packages = ["{package}"]

[tool.pytest.ini_options]
pythonpath = ["."]
testpaths = ["tests"]
"""


def files_of(course: Course, selection: Selection, folder: Path, on_progress: OnProgress) -> dict[str, str]:
    """Return {path: text} of all files of the package in `folder`. Raises recording_processes.NotImportable."""
    files = _modules(course, selection, os.path.relpath(KIT, folder))
    recorded = recorded_tests(files, on_progress)
    tests = {"tests/test_package.py": OF_THE_PACKAGE}
    for lab in selection.modules:
        of_lab = {task.split("/")[1]: found for task, found in recorded.items() if task.startswith(f"{lab}/")}
        if text := tests_text(lab, of_lab):
            tests[f"tests/test_{lab}.py"] = text
    counts = {task: len({test.claim for test in found}) for task, found in recorded.items()}
    return {**files, **tests, **_about(course, selection, counts, folder)}


def _modules(course: Course, selection: Selection, kit: str) -> dict[str, str]:
    labs = [lab for lab in course.labs if lab in selection.modules]
    texts = {lab: module_text(course.labs[lab].title, selection.modules[lab], selection.units[lab]) for lab in labs}
    files = {f"{PACKAGE}/{lab}.py": text for lab, text in texts.items()}
    files[f"{PACKAGE}/find_kit.py"] = FIND_KIT.format(kit=kit)
    files[f"{PACKAGE}/__init__.py"] = _init(labs, selection.tasks)
    return files | ({f"{PACKAGE}/__main__.py": PROGRAM.read_text(encoding="utf-8")} if PROGRAM else {})


def _init(labs: Iterable[str], tasks: list[str]) -> str:
    pairs = [task.split("/") for task in tasks]
    imports = ["from . import find_kit  # before the modules, which import StreamLab"]
    for lab in labs:
        imports += [f"from .{lab} import {name}" for of_lab, name in pairs if of_lab == lab]
    named = "\n".join(f'    "{lab}/{name}": {name},' for lab, name in pairs)
    exported = "\n".join(f'    "{name}",' for name in sorted(["TASKS", *(name for _, name in pairs)]))
    head = '"""Parts of a streaming system; TASKS is {LAB/TASK: function or class}."""'
    return "\n".join([head, "", *imports, "", f"TASKS = {{\n{named}\n}}", "", f"__all__ = [\n{exported}\n]", ""])


def _about(course: Course, selection: Selection, counts: Mapping[str, int], folder: Path) -> dict[str, str]:
    """Return pyproject.toml, the map and the README."""
    packages = _packages(selection)
    dependencies = ", ".join(f'"{each}"' for each in packages)
    project = PROJECT.format(name=PACKAGE.replace("_", "-"), package=PACKAGE, dependencies=dependencies)
    picture, words = "", ""
    if MAP:
        picture, words = importlib.import_module(f"{__package__}.{MAP.stem}").map_picture(course, selection.tasks)
    about = Contents(selection.tasks, counts, selection.left_out_lines(), packages, os.path.relpath(KIT, folder), words)
    return {"pyproject.toml": project, "README.md": readme(course, about)} | ({"system.svg": picture} if MAP else {})


def _packages(selection: Selection) -> list[str]:
    """Return the packages of others that the modules import, as requirements. Example: ["pyspark==4.0.5"]"""
    used = [selection.units[lab][at].imports for lab, module in selection.modules.items() for at in module.units]
    roots = {(module or name).split(" ")[0].partition(".")[0] for module, name in filter(None, used)}
    distributions = packages_distributions()
    names = {distributions[root][0] for root in roots - sys.stdlib_module_names if root in distributions}
    return [f"{name}=={version(name)}" for name in sorted(names)]
