"""Runs a notebook with its solutions from top to bottom, as a learner's "run all" does.

`quotes` and `autograder.verify` judge the outputs.
"""

import asyncio
import copy
import os
import subprocess
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient.exceptions import CellExecutionError, DeadKernelError
from nbformat import NotebookNode
from nbformat import write as write_notebook
from traitlets import default

from autograder.builder.kernel_stderr import StderrClient, StderrLost
from autograder.sandbox.process_tree import tree_of
from streamlab.granted_time import Deadline, GrantedClock
from streamlab.views.calls import RAISE_ERRORS

CELL_TIMEOUT_S = 120
LIMITS_ARE_READ_EVERY_S = 0.2
LOST = "the kernel no longer forwards stderr: it ended, or its file descriptor 2 is closed or redirected"
HIDES_STDERR = ("PYTEST_CURRENT_TEST", "PYTHONWARNINGS")


class _KernelOfThisPython(AsyncKernelManager):
    """Runs this interpreter, regardless of the kernels that the user has installed."""

    @default("kernel_spec_manager")
    def _no_installed_kernels(self) -> KernelSpecManager:
        return KernelSpecManager(kernel_dirs=[])


@dataclass(frozen=True)
class CellError:
    """The error of a cell: its id and a message."""

    cell: str
    message: str

    def __str__(self) -> str:
        """Return id and message: "show-2 writes to stderr: FutureWarning: …"."""
        return f"{self.cell} {self.message}"


@dataclass(frozen=True)
class Executed:
    """A notebook with its outputs, and the errors of its cells."""

    notebook: NotebookNode
    errors: list[CellError]


def run_reference(
    root: Path,
    notebook: NotebookNode,
    *,
    earlier: Mapping[str, NotebookNode] | None = None,
    cell_timeout_s: int = CELL_TIMEOUT_S,
    stop: threading.Event | None = None,
) -> Executed:
    """Execute a copy of `notebook` in an empty folder, with `root` on the import path.

    `earlier` are the notebooks of the labs that it builds on, as a learner's work in them. A cell may take
    `cell_timeout_s` of the time that this machine grants the kernel (streamlab.granted_time).
    The run stops at the first cell that raises, also inside `one_line_errors`, and at once if another thread sets
    `stop`. Any output on stderr is an error: nbgrader gives 0 points for it.
    """
    run = copy.deepcopy(notebook)
    with tempfile.TemporaryDirectory(prefix="streamlab-reference-") as folder:
        client = StderrClient(
            run,
            kernel_name="python3",
            kernel_manager_class=_KernelOfThisPython,
            timeout=None,
            resources={"metadata": {"path": folder}},
        )
        for lab, work in (earlier or {}).items():
            (Path(folder) / "earlier" / lab).mkdir(parents=True)
            write_notebook(work, Path(folder) / "earlier" / lab / f"{lab}.ipynb")
        watch = _Watch(client, cell_timeout_s, stop or threading.Event())
        stopped = _execute(watch, run, _environment(root, Path(folder)))
    on_stderr = [CellError(cell, f"writes to stderr: {_last_line(text)}") for cell, text in client.on_stderr]
    return Executed(run, [*on_stderr, *stopped])


def _environment(root: Path, folder: Path) -> dict[str, str]:
    """Return the kernel's environment: `root` on the import path, earlier labs, no IPython settings of the user.

    With pytest's variable, ipykernel does not capture file descriptor 2. With warnings switched off, as the command
    line does for itself, a cell that warns would pass here and lose its points in class.
    """
    search = os.pathsep.join(filter(None, [str(root), os.environ.get("PYTHONPATH")]))
    ours = {"PYTHONPATH": search, "IPYTHONDIR": str(folder / ".ipython"), "STREAMLAB_EARLIER": str(folder / "earlier")}
    return {key: value for key, value in os.environ.items() if key not in HIDES_STDERR} | ours | RAISE_ERRORS


class _Watch:
    """Ends a run at a cell that takes too long, or as soon as another thread sets `stop`."""

    def __init__(self, client: StderrClient, cell_timeout_s: float, stop: threading.Event) -> None:
        self.client, self._cell_timeout_s, self._stop = client, cell_timeout_s, stop
        self._deadline: Deadline | None = None
        client.on_cell_execute = self._begin_cell

    async def _begin_cell(self, **_: object) -> None:
        manager: Any = self.client.km
        kernel: int = manager.provisioner.pid
        clock = GrantedClock(lambda: [each.pid for each in tree_of(kernel)])
        self._deadline = Deadline(self._cell_timeout_s, clock)

    async def run_cells(self, environment: dict[str, str]) -> None:
        """Run all cells; end the kernel only once a cell has begun, since a start cannot be undone.

        Raises TimeoutError at a cell that takes too long.
        """
        execution = self.client.async_execute(env=environment, stderr=subprocess.DEVNULL)  # cells' own is an output
        run = asyncio.ensure_future(execution)
        while not run.done() and not self._is_over:
            await asyncio.wait([run], timeout=LIMITS_ARE_READ_EVERY_S)
        if run.done():
            run.result()
            return
        self.client.shutdown_kernel = "immediate"
        run.cancel()
        with suppress(asyncio.CancelledError, DeadKernelError):
            await run
        if not self._stop.is_set():
            raise TimeoutError(f"no result within {self._cell_timeout_s:g} s")

    @property
    def _is_over(self) -> bool:
        return self._deadline is not None and (self._stop.is_set() or self._deadline.is_over)


def _execute(watch: _Watch, run: NotebookNode, environment: dict[str, str]) -> list[CellError]:
    """Run all cells; return the error that stopped the run, if any."""
    try:
        asyncio.run(watch.run_cells(environment))
    except CellExecutionError as error:
        return [CellError(_last_started(run), f"stops the run: {error.ename}: {_last_line(error.evalue)}")]
    except (TimeoutError, DeadKernelError) as error:
        return [CellError(_last_started(run), f"stops the run: {str(error).splitlines()[0]}")]
    except StderrLost:
        return [CellError(_last_started(run), f"stops the run: {LOST}")]
    return []


def _last_started(run: NotebookNode) -> str:
    started = [cell.id for cell in run.cells if cell.cell_type == "code" and cell.metadata.get("execution")]
    return started[-1] if started else "the kernel"


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    return lines[-1] if lines else "nothing"
