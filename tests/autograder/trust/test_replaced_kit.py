"""A notebook that replaces every class and function of every loaded module of the kit earns nothing, and is named.

Its own two tasks return None, so that every point would be one that the replaced kit gave. Where the replaced code is
what the runner itself needs, the process ends, and the report says so.
"""

from pathlib import Path

import pytest

from autograder.builder import reference_notebook
from autograder.course import load_course
from autograder.hostile.attack import TWO_TASKS, Attack
from autograder.hostile.notebooks import Targets, as_notebook
from autograder.judge.batch import judge_all
from autograder.judge.request import Request
from autograder.verify.stubs import null_stubs
from streamlab.notebooks.labfile import read_lab

ROOT = Path(__file__).resolve().parents[3]
CHANGED, ENDED = "It changed the judging code in its sandbox", "the process ended by itself"
REPLACE = """
import functools, sys, types

def callables(space):
    return [(key, each) for key, each in list(space.items()) if isinstance(each, (types.FunctionType, type))]

def replace(space, owner, instead):
    for key, value in callables(space):
        try:
            setattr(owner, key, instead(value))
        except (AttributeError, TypeError):
            pass

modules = [each for name, each in list(sys.modules.items()) if name.startswith(PLACES)]
"""
EVERYWHERE = "for module in modules:\n    replace(vars(module), module, instead)\n"
IN_CLASSES = """
for module in modules:
    for _, each in callables(vars(module)):
        if isinstance(each, type) and each.__module__ == module.__name__:
            replace(vars(each), each, instead)
"""
NOTHING = "def instead(value):\n    return lambda *_, **__: None\n"
LOGS = """
log = []

def instead(value):
    def wrapper(*arguments, **named):
        log.append(value)
        return value(*arguments, **named)
    return functools.update_wrapper(wrapper, value, updated=())
"""
COPIES = """
def instead(value):
    if isinstance(value, type):
        return type(value)(value.__name__, (value,), {})
    own = value.__code__, value.__globals__, value.__name__, value.__defaults__, value.__closure__
    copy = types.FunctionType(*own)
    copy.__kwdefaults__ = value.__kwdefaults__
    return copy
"""
KIT, DRIVES = ("streamlab.", "autograder."), ("streamlab.lab", "autograder.stages.")
VARIANTS = {  # name: (modules, code)
    "wrappers that log": (KIT, LOGS + EVERYWHERE + IN_CLASSES),
    "subclasses and copies": (KIT, COPIES + EVERYWHERE),
    "functions that return None": (KIT, NOTHING + EVERYWHERE),
    "functions of the drives that return None": (DRIVES, NOTHING + EVERYWHERE),
    "methods of the drives that return None": (DRIVES, NOTHING + IN_CLASSES + EVERYWHERE),
}


def empty(lab: str) -> str:
    """Return cells in which the lab's two tasks return None."""
    cells = {cell.name: cell for cell in read_lab(ROOT / "solutions" / lab / f"{lab}.py").cells if cell.role == "task"}
    return "\n".join(null_stubs(cells[task])["returns None"] for task in TWO_TASKS[lab])


@pytest.mark.slow
@pytest.mark.parametrize("lab", TWO_TASKS)
def test_a_notebook_that_replaces_the_whole_kit_earns_nothing_and_is_named(lab: str, tmp_path: Path) -> None:
    course, orders = load_course(ROOT), []
    honest, targets = dict(reference_notebook(ROOT, course, lab)), Targets(tmp_path, tmp_path, ROOT)
    request = Request(ROOT, course, lab=lab, throughput=False, tasks=TWO_TASKS[lab])
    for name, (places, code) in VARIANTS.items():
        (tmp_path / name).mkdir()
        cell = f"PLACES = {places}\n{REPLACE}{code}"
        attack = Attack(name, name, cell, "", lab=lab, tasks=TWO_TASKS[lab], without=empty(lab))
        orders.append((as_notebook(attack, honest, targets, tmp_path / name / f"{lab}.ipynb"), request))

    for name, results in zip(VARIANTS, judge_all(orders, 2), strict=True):
        said = [*results["streamlab"]["notes"], *results["streamlab"]["limits_hit"]]
        print(name, results["score"], said, results["streamlab"]["timing"]["total_s"])
        assert results["score"] == 0, name
        assert any(CHANGED in each or ENDED in each for each in said), (name, said)
