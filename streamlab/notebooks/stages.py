"""`stage("lab01_wordcount")`: the tasks of an earlier lab, from the learner's own notebook.

Each task is checked when it is first asked for. Where it does not pass, the reference stands in, and the notebook says
so: a lab can be worked on though an earlier one is not done. Keeps out: marks, which only the judge gives.
"""

import importlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from streamlab.notebooks.driving import first_problem
from streamlab.notebooks.labfile import read_lab
from streamlab.notebooks.loading import Stage, load_cells

ROOT = Path(__file__).resolve().parents[2]


def stage(lab: str, told: Callable[[str], None] = print) -> "EarlierStage":
    """The tasks of `work/LAB/LAB.ipynb` (else of the kit's `labs/` starter) as attributes.

    They can go to Spark's workers: they are sent by value. `told` gets the line that says what stands in.
    Raises FileNotFoundError for an unknown lab.
    Example: stage("lab01_wordcount").words("To be") -> ["to", "be"]
    """
    return EarlierStage(_loaded(lab, notebook_of(lab), f"stage_{lab}"), told)


def silent_stage(lab: str) -> "EarlierStage":
    """The same without a word, for whoever says it in another way."""
    return stage(lab, told=lambda text: None)


class EarlierStage:
    """A learner's stage whose tasks are checked at their first use."""

    def __init__(self, own: Stage, told: Callable[[str], None]) -> None:
        self._own, self._told, self._settled = own, told, dict[str, Any]()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # asked by copying and pickling, before there is anything
            raise AttributeError(name)
        if name not in self._settled:
            self._settled[name] = self._settle(name)
        return self._settled[name]

    def _settle(self, task: str) -> Any:
        """The learner's own, or the reference's, with a line that says why."""
        from autograder.judge.chain import stand_in_sentence

        lab = self._own.lab
        why = first_problem(self._own, task, silent_stage)
        if why is None:
            return getattr(self._own, task)
        reference = reference_of(lab)
        self._told(stand_in_sentence(f"{lab}/{task}", why, reference is not None))
        stands_in = _loaded(lab, reference, f"reference_{lab}") if reference else self._own
        return getattr(stands_in, task)


def earlier_problem(name: str) -> str | None:
    """Why a task of an earlier lab ("lab01_wordcount/words") is not the learner's own; None if it is."""
    lab, task = name.split("/")
    return first_problem(_loaded(lab, notebook_of(lab), f"stage_{lab}"), task, silent_stage)


def notebook_of(lab: str) -> Path:
    """The learner's own notebook of a lab, else the starter; STREAMLAB_EARLIER names another folder than work/."""
    work = Path(os.environ.get("STREAMLAB_EARLIER") or ROOT / "work")
    for folder in (work, ROOT / "labs"):
        path = folder / lab / f"{lab}.ipynb"
        if path.exists():
            return path
    raise FileNotFoundError(f"no notebook of {lab} in work/ or labs/; `./lab status` shows the labs there are")


def reference_of(lab: str) -> Path | None:
    """The source with the kit's own solutions; a student's kit has none."""
    path = ROOT / "solutions" / lab / f"{lab}.py"
    return path if path.exists() else None


def _loaded(lab: str, path: Path, module_name: str) -> Stage:
    loaded = load_cells(lab, read_lab(path).cells, module_name=module_name)
    send_by_value(module_name)
    return loaded


def send_by_value(module_name: str) -> None:
    """Tell Spark's pickler that its workers cannot import this module."""
    from pyspark import cloudpickle

    cloudpickle.register_pickle_by_value(importlib.import_module(module_name))
