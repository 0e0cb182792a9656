"""Imports of moved modules are found in every form, and the table has the kit's modules."""

import importlib

import pytest

from autograder.releases.moved_modules import moved_imports, moves

ENGINE, NOW = "streamlab.engine", "streamlab.lab04_subqueries.engine"
PICTURE = "streamlab.experiments.picture"
WORDS = {
    "streamlab.harmonic.words": "streamlab.lab07_irm.datatypes",
    "streamlab.harmonic.words.Executor": "streamlab.spark.executors.Executor",
}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import streamlab.engine.windows", {f"{ENGINE}.windows": f"{NOW}.windows"}),
        ("import streamlab.engine.windows as w", {f"{ENGINE}.windows": f"{NOW}.windows"}),
        ("from streamlab import engine", {ENGINE: NOW}),
        ("from streamlab.engine.windows import Pane", {f"{ENGINE}.windows": f"{NOW}.windows"}),
        ("def f():\n    if x:\n        from streamlab import engine", {ENGINE: NOW}),
        ("%matplotlib inline\nfrom streamlab import engine", {ENGINE: NOW}),
        ("from streamlab.experiments import picture, grid", {PICTURE: "streamlab.experiments.grid_plot"}),
        ("from streamlab import check, mood", {"streamlab.mood": "streamlab.lab02_windows.mood"}),
        ("from streamlab.harmonic.words import Executor, Order", WORDS),
        ("from streamlab import check, session", {}),
        ("import streamlab.engineering", {}),
        ("from . import engine", {}),
        ("%%bash\necho streamlab.engine", {}),
        ("from streamlab import engine (", {}),
    ],
)
def test_a_moved_import_is_found(source: str, found: dict[str, str]) -> None:
    assert moved_imports(source) == found


@pytest.mark.parametrize(("old", "new"), moves().items())
def test_each_name_of_the_table_exists_under_its_new_name_only(old: str, new: str) -> None:
    assert (_exists(old), _exists(new)) == (False, True)


def _exists(name: str) -> bool:
    """Return whether a module exists, or a name in it."""
    try:
        importlib.import_module(name)
    except ModuleNotFoundError:
        module, _, last = name.rpartition(".")
        return bool(module) and _exists(module) and hasattr(importlib.import_module(module), last)
    return True
