"""Imports of moved modules are found in every form, and the table has the kit's modules."""

from pathlib import Path

import pytest

from autograder.releases.moved_modules import moved_imports, moves

ROOT = Path(__file__).resolve().parents[3]
ENGINE, NOW = "streamlab.engine", "streamlab.lab04_subqueries.engine"
PICTURE = "streamlab.experiments.picture"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import streamlab.engine.windows", {f"{ENGINE}.windows": f"{NOW}.windows"}),
        ("import streamlab.engine.windows as w", {f"{ENGINE}.windows": f"{NOW}.windows"}),
        ("from streamlab import engine", {ENGINE: NOW}),
        ("from streamlab.engine.windows import Pane", {f"{ENGINE}.windows": f"{NOW}.windows"}),
        ("def f():\n    if x:\n        from streamlab import engine", {ENGINE: NOW}),
        ("%matplotlib inline\nfrom streamlab import engine", {ENGINE: NOW}),
        ("from streamlab.experiments import picture, runs", {PICTURE: "streamlab.lab03_log.experiments.grid_plot"}),
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
def test_each_module_of_the_table_exists_under_one_of_its_names(old: str, new: str) -> None:
    assert _exists(old) != _exists(new)


def _exists(module: str) -> bool:
    path = ROOT / module.replace(".", "/")
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()
