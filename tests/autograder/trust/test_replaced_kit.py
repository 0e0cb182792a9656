"""A notebook that replaces every class and function of every loaded module of the kit earns nothing, and is named.

Its own two tasks return None, so that every point would be one that the replaced kit gave. Where the replaced code is
what the runner itself needs, the process ends, and the report says so.
"""

from pathlib import Path

import pytest

from autograder.hostile.attack import TWO_TASKS
from tests.autograder.trust.submissions import judged, returning

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


@pytest.mark.slow
@pytest.mark.parametrize("lab", TWO_TASKS)
def test_a_notebook_that_replaces_the_whole_kit_earns_nothing_and_is_named(lab: str, tmp_path: Path) -> None:
    tasks = TWO_TASKS[lab]
    cells = {name: f"PLACES = {places}\n{REPLACE}{code}" for name, (places, code) in VARIANTS.items()}

    for name, results in zip(cells, judged(lab, tasks, cells, tmp_path, returning(lab, tasks, "None")), strict=True):
        said = [*results["streamlab"]["notes"], *results["streamlab"]["limits_hit"]]
        assert results["score"] == 0, name
        assert any(CHANGED in each or ENDED in each for each in said), (name, said)
