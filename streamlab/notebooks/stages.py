"""`stage("lab01_wordcount")`: the tasks of an earlier lab, from the learner's own notebook.

Each task is checked at its first use. If it does not pass, the stage falls back to the reference solution and the
notebook says so. A student can thus work on a lab before an earlier one is finished.
"""

import importlib
import os
from collections.abc import Callable, Collection
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from streamlab.notebooks.door import notebook_check
from streamlab.notebooks.labfile import LabCell, read_lab, reference_cells
from streamlab.notebooks.loader import Stage, load_cells
from streamlab.notebooks.recognition import recognized, without_spare_stubs

ROOT = Path(__file__).resolve().parents[2]


def stage(lab: str, on_progress: Callable[[str], None] = print) -> "EarlierStage":
    """Return the tasks of `work/LAB/LAB.ipynb`, or without this file of the kit's `labs/` starter, as attributes.

    Spark's workers can run them, since they are sent by value. `on_progress` gets a line about each fallback to the
    reference solution. Raises FileNotFoundError for an unknown lab.
    Example: stage("lab01_wordcount").words("To be") -> ["to", "be"]
    """
    cells, released = read_lab(notebook_of(lab)).cells, read_lab(ROOT / "labs" / lab / f"{lab}.ipynb").cells
    own = without_spare_stubs(recognized(cells, released), released)
    given = {cell.name for cell in released if cell.role == "given" and cell.name}
    return EarlierStage(_loaded(lab, own, f"stage_{lab}"), on_progress, given)


def silent_stage(lab: str) -> "EarlierStage":
    """Return the same stage without progress messages."""
    return stage(lab, on_progress=lambda text: None)


class EarlierStage:
    """A learner's stage whose tasks are checked at their first use."""

    def __init__(self, own: Stage, on_progress: Callable[[str], None], given: Collection[str] = ()) -> None:
        self._own, self._on_progress, self._given = own, on_progress, given
        self._problems: dict[str, str | None] = {}
        self._settled: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # copying and pickling ask for these before __init__ has run
            raise AttributeError(name)
        if name not in self._settled:
            self._settled[name] = self._settle(name)
        return self._settled[name]

    def why_not_own(self, task: str) -> str | None:
        """Return why the learner's own task does not pass the public checks, or None if it does. They run once."""
        if task not in self._problems:
            self._problems[task] = notebook_check().first_problem(self._own, task, silent_stage)
        return self._problems[task]

    def _settle(self, task: str) -> Any:
        """Return the learner's own task, or the reference solution with a line that says why.

        A function that is given comes from the reference, too, if a task that it calls does not pass.
        """
        called = _names_in(getattr(self._own, task)) if task in self._given else ()
        lab, why = self._own.lab, next(filter(None, map(self.why_not_own, (task, *called))), None)
        if why is None:
            return getattr(self._own, task)
        reference = reference_cells(ROOT, lab)
        self._on_progress(notebook_check().fallback_sentence(f"{lab}/{task}", why, has_reference=bool(reference)))
        fallback = _loaded(lab, reference, f"reference_{lab}") if reference else self._own
        return getattr(fallback, task)


def _names_in(function: Any) -> tuple[str, ...]:
    """Return the global names that a function uses, also in its inner functions."""
    codes = [function.__code__] if isinstance(function, FunctionType) else []
    for code in codes:  # grows while it is read
        codes += [each for each in code.co_consts if isinstance(each, CodeType)]
    return tuple(dict.fromkeys(name for code in codes for name in code.co_names))


def notebook_of(lab: str) -> Path:
    """Return the learner's own notebook of a lab, or the starter; STREAMLAB_EARLIER names a folder other than work/."""
    work = Path(os.environ.get("STREAMLAB_EARLIER") or ROOT / "work")
    for folder in (work, ROOT / "labs"):
        path = folder / lab / f"{lab}.ipynb"
        if path.exists():
            return path
    raise FileNotFoundError(f"no notebook of {lab} in work/ or labs/; `./lab status` lists the labs")


def _loaded(lab: str, cells: list[LabCell], module_name: str) -> Stage:
    loaded = load_cells(lab, cells, module_name=module_name)
    send_by_value(module_name)
    return loaded


def send_by_value(module_name: str) -> None:
    """Make Spark's pickler send this module's functions by value, since Spark's workers cannot import it."""
    from pyspark import cloudpickle

    cloudpickle.register_pickle_by_value(importlib.import_module(module_name))
