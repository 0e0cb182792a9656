"""Runs the cells of a lab and holds the names that they define, for notebooks and percent sources.

Tasks are found by name, never by position: moved, split or retyped cells load the same.
A cell that fails is reported, and the other cells still run.
"""

import builtins
import linecache
import os
import re
import sys
import traceback
import types
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any

from streamlab.notebooks.labfile import LabCell
from streamlab.notebooks.shell import QuietShell

RUN_ON_LOADING = (None, "given", "task")


class TaskMissing(AttributeError):
    """The stage has no such task; the message gives the reason as far as it is known."""


class Stopped(BaseException):
    """The base of alarms that stop a cell or a task from outside; all other errors are those of its code."""


@dataclass(frozen=True)
class CellError:
    """The error that stopped one cell."""

    cell: str
    line: int
    kind: str
    message: str

    def sentence(self) -> str:
        """Return the error as one line.

        Example: "count_words, line 3: NameError: name 'x' is not defined"
        """
        return f"{self.cell}, line {self.line}: {self.kind}: {self.message}"


class Stage:
    """The tasks of one lab as attributes: `stage.count_words`."""

    def __init__(self, lab: str, module: types.ModuleType) -> None:
        self.lab, self._module = lab, module
        self.errors: list[CellError] = []
        self.notes: list[str] = []
        self.texts: dict[str | None, str] = {}  # task -> the type of its cell, if this is not code

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in vars(self._module):
            raise TaskMissing(self._why_missing(name))
        return vars(self._module)[name]

    def _why_missing(self, name: str) -> str:
        own = next((each for each in self.errors if each.cell == name), None)
        if own:
            return f"{name} is not defined: its cell stopped at {own.sentence()}"
        if name in self.texts:
            how = "click to the left of it and press Y (in command mode) to make it a code cell"
            return f"{name} is not defined: its cell is a {self.texts[name]} cell, which does not run; {how}"
        return f"{name} is not defined: its cell is missing, was not run, or ended with an error"

    @contextmanager
    def replaced(self, **names: Any) -> Iterator["Stage"]:
        """Replace global names of the stage while the block runs: `stage.replaced(words=f)`."""
        space = vars(self._module)
        before = {name: space[name] for name in names if name in space}
        space.update(names)
        try:
            yield self
        finally:
            for name in names:
                space.pop(name, None)
            space.update(before)


def load_cells(
    lab: str,
    cells: Iterable[LabCell],
    *,
    module_name: str,
    before_cell: Callable[[int, LabCell], None] = lambda at, cell: None,
) -> Stage:
    """Run the cells that define names (given, tasks, a learner's own) in a new module, in order.

    `before_cell(position, cell)` is called before each cell that runs. `module_name` is `__main__` if the stage is
    the main program (as in a notebook), so that Spark sends its functions by value.
    """
    module = types.ModuleType(module_name)
    shell = QuietShell(vars(module))
    vars(module).update(get_ipython=lambda: shell, display=lambda *_, **__: None)
    sys.modules[module_name] = module
    stage = Stage(lab, module)
    with closing(shell):
        for at, cell in enumerate(cells):
            if cell.role == "task" and cell.kind != "code":
                stage.texts[cell.name] = cell.kind
            if cell.kind == "code" and cell.role in RUN_ON_LOADING and cell.source.strip():
                before_cell(at, cell)
                error = run_cell(cell, shell)
                if error:
                    stage.errors.append(error)
    stage.notes.extend(dict.fromkeys(shell.notes))
    return stage


def run_cell(cell: LabCell, shell: QuietShell) -> CellError | None:
    """Run one cell in `shell`; return the error that stopped it, or None."""
    file = f"<{cell.label}>"
    linecache.cache[file] = (len(cell.source), None, re.findall(r".*\n|.+", cell.source), file)
    try:
        with _without_keyboard():
            shell.run(cell.source, file)
    except Stopped:
        raise
    except BaseException as problem:
        return CellError(cell.label, place_in_cells(problem)[0], type(problem).__name__, one_line(problem))
    return None


def place_in_cells(problem: BaseException) -> tuple[int, str]:
    """Return the last line of a cell in the error's traceback, from 1, and the cell's label; (0, "") if none."""
    if isinstance(problem, SyntaxError) and problem.lineno:
        return problem.lineno, label_of(problem.filename or "")
    frames = traceback.extract_tb(problem.__traceback__)
    places = [(frame.lineno, label_of(frame.filename)) for frame in frames if is_cell(frame.filename)]
    return next(((line, label) for line, label in reversed(places) if line), (0, ""))


def label_of(file: str) -> str:
    """Return the label of a cell that was loaded here, from the name of its file; "" for any other file."""
    return file[1:-1] if file.startswith("<") and is_cell(file) else ""


def is_cell(file: str) -> bool:
    """Return whether the file is a cell: one that was loaded here, or one of a running notebook."""
    folder = os.path.basename(os.path.dirname(file))
    named = file.startswith("<") and file.endswith(">") and not file.startswith(("<frozen ", "<string>"))
    return named or folder.startswith("ipykernel_")


def one_line(problem: BaseException) -> str:
    """Return the first line of the error's message, shortened."""
    text = problem.msg if isinstance(problem, SyntaxError) else str(problem)
    lines = text.strip().splitlines()
    return shortened(lines[0] if lines else "")


def shortened(text: str, limit: int = 300) -> str:
    """Return a text of at most `limit` characters; one that was cut ends in "…"."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


@contextmanager
def _without_keyboard() -> Iterator[None]:
    def reject(prompt: object = "") -> str:
        raise EOFError("input() gets no answer while a lab is judged; take the value as an argument")

    before, builtins.input = builtins.input, reject
    try:
        yield
    finally:
        builtins.input = before
