"""Tasks of earlier labs in a sandbox: `earlier("lab01_wordcount").words`, each from the cells that the judge gave.

Whether those are the learner's own or the reference's was settled outside. Keeps out: a notebook's own way to earlier
labs (streamlab.notebooks.stages), which this takes the place of.
"""

from typing import Any

from streamlab.notebooks.labfile import LabCell
from streamlab.notebooks.loader import Stage, TaskMissing, load_cells
from streamlab.notebooks.stages import send_by_value


class Earlier:
    """Loads the cells of a task when it is asked for; `cells` by full names, "lab01_wordcount/words"."""

    def __init__(self, cells: dict[str, list[dict[str, Any]]]) -> None:
        self._cells = cells
        self._loaded: dict[str, Stage] = {}

    def __call__(self, lab: str) -> "_EarlierLab":
        """The tasks of one earlier lab, as attributes."""
        return _EarlierLab(self, lab)

    def task(self, lab: str, name: str) -> Any:
        """The task itself; raises TaskMissing if the judge gave no cells for it."""
        full = f"{lab}/{name}"
        if not self._cells.get(full):
            raise TaskMissing(f"{full} is not there: nothing of an earlier lab passes for it")
        if full not in self._loaded:
            module = f"stage_{lab}_{name}"
            self._loaded[full] = load_cells(lab, [LabCell(**cell) for cell in self._cells[full]], module_name=module)
            send_by_value(module)
        return getattr(self._loaded[full], name)


class _EarlierLab:
    def __init__(self, earlier: Earlier, lab: str) -> None:
        self._earlier, self._lab = earlier, lab

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # asked by copying and pickling, before there is anything
            raise AttributeError(name)
        return self._earlier.task(self._lab, name)
