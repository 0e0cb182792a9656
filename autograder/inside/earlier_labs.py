"""Tasks of earlier labs in a sandbox: `earlier("lab01_wordcount").words`, each from the cells that the judge sent.

The judge has already decided whether these are the learner's own cells or the reference's. If it did not send the
reference's cells, the task is called in a second sandbox (autograder.inside.calls). In a sandbox, this module replaces
`streamlab.notebooks.stages`, which a notebook uses for earlier labs.
"""

from collections.abc import Iterable
from typing import Any

from autograder.inside.calls import CELLS, Peer
from streamlab.notebooks.labfile import LabCell
from streamlab.notebooks.loader import Stage, TaskMissing, load_cells
from streamlab.notebooks.stages import send_by_value


class Earlier:
    """Loads the cells of a task at its first use; `cells` has them by full task name, "lab01_wordcount/words".

    The tasks in `called` are in the second sandbox, which `peer` calls.
    """

    def __init__(
        self, cells: dict[str, list[dict[str, Any]]], called: Iterable[str] = (), peer: Peer | None = None
    ) -> None:
        self._cells = cells
        self._called = {full: peer.remote(full, full.partition("/")[2]) for full in called} if peer else {}
        self._loaded: dict[str, Stage] = {}

    def __call__(self, lab: str) -> "_EarlierLab":
        """Return an object with the tasks of one earlier lab as attributes."""
        return _EarlierLab(self, lab)

    def task(self, lab: str, name: str) -> Any:
        """Return a task of an earlier lab. Raises TaskMissing if the judge sent no cells for it."""
        full = f"{lab}/{name}"
        if full in self._called:
            return self._called[full]
        if not self._cells.get(full):
            raise TaskMissing(f"{full} is missing: no earlier notebook has a version of it that passes")
        if full not in self._loaded:
            module = f"{CELLS}{lab}_{name}"
            self._loaded[full] = load_cells(lab, [LabCell(**cell) for cell in self._cells[full]], module_name=module)
            send_by_value(module)
        return getattr(self._loaded[full], name)


class _EarlierLab:
    def __init__(self, earlier: Earlier, lab: str) -> None:
        self._earlier, self._lab = earlier, lab

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # copy and pickle look these up before `__init__` has run
            raise AttributeError(name)
        return self._earlier.task(self._lab, name)
