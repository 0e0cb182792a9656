"""`stage("lab01_wordcount")`: the tasks of an earlier lab, from the learner's own notebook.

Keeps out: judging; whether a stage is right is told by `./lab check`.
"""

import importlib
from pathlib import Path

from streamlab.notebooks.labfile import read_lab
from streamlab.notebooks.loading import Stage, load_cells

ROOT = Path(__file__).resolve().parents[2]


def stage(lab: str) -> Stage:
    """Load the learner's `work/LAB/LAB.ipynb` (else the kit's `labs/` starter) as a stage.

    Its functions can go to Spark's workers: they are sent by value. Raises FileNotFoundError for an unknown lab.
    Example: stage("lab01_wordcount").words("To be") -> ["to", "be"]
    """
    path = notebook_of(lab)
    loaded = load_cells(lab, read_lab(path).cells, module_name=f"stage_{lab}")
    _send_by_value(f"stage_{lab}")
    return loaded


def notebook_of(lab: str) -> Path:
    """The learner's own notebook of a lab, else the starter."""
    for path in (ROOT / "work" / lab / f"{lab}.ipynb", ROOT / "labs" / lab / f"{lab}.ipynb"):
        if path.exists():
            return path
    raise FileNotFoundError(f"no notebook of {lab} in work/ or labs/; `./lab status` shows the labs there are")


def _send_by_value(module_name: str) -> None:
    """Tell Spark's pickler that its workers cannot import this module."""
    from pyspark import cloudpickle

    cloudpickle.register_pickle_by_value(importlib.import_module(module_name))
