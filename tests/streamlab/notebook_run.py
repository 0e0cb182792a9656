"""Runs a cell in a real kernel, for tests of what a notebook shows and saves."""

from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

# Three batches end, one at each wait, after the view's own `remember(number)`; then the stop button is pressed.
THREE_BATCHES = """
from types import SimpleNamespace
from streamlab.views.metrics import Batch, BatchMetrics

metrics = BatchMetrics(SimpleNamespace(addStreamingListener=lambda listener: None))
wait = metrics.wait_change
def a_batch_ends(seen, timeout_s):
    if seen == 3:
        raise KeyboardInterrupt
    remember(seen + 1)
    metrics._add(Batch(1000 * seen, 10 * seen, 0, 100))
    return wait(seen, timeout_s)
metrics.wait_change = a_batch_ends
"""


def outputs_of(source: str) -> list[Any]:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(Path(__file__).parent)}}).execute()
    outputs: list[Any] = notebook.cells[0].outputs
    return outputs
