"""`run_reference` runs all cells of a notebook with its solutions."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.builder import CellError, Executed, reference, run_reference
from autograder.inside.patience import wait_until

ROOT = Path(__file__).resolve().parents[3]
# The kernel's thread that forwards file descriptor 2 is held back until the kernel has said that the cell is over.
FORWARDED_AFTER_THE_CELL = """
import os, sys, threading
kernel, is_over = get_ipython().kernel, threading.Event()
publish_status, write = kernel._publish_status_and_flush, sys.stderr.write
def publish_status_and_release(*status):
    publish_status(*status)
    is_over.set()
def write_late(text):
    is_over.wait()
    return write(text)
kernel._publish_status_and_flush, sys.stderr.write = publish_status_and_release, write_late
code = os.system("echo low >&2")
"""


def _run(root: Path, *sources: str, cell_timeout_s: int = 60) -> Executed:
    cells = [new_code_cell(source, id=f"show-{number}") for number, source in enumerate(sources, 1)]
    return run_reference(
        root, new_notebook(cells=[new_markdown_cell("# Title"), *cells]), cell_timeout_s=cell_timeout_s
    )


def test_cells_run_in_order_and_import_from_the_root_but_work_in_a_separate_folder(tmp_path: Path) -> None:
    (tmp_path / "from_the_root.py").write_text("VALUE = 20", encoding="utf-8")

    run = _run(tmp_path, "from from_the_root import VALUE", "open('left', 'w').close()\nprint(VALUE + 1)")

    assert run.errors == []
    assert run.notebook.cells[2].outputs[0].text == "21\n"
    assert not (tmp_path / "left").exists()


def test_output_on_stderr_is_an_error_that_names_its_cell_and_the_run_continues(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONWARNINGS", "ignore")  # as the command line sets it

    run = _run(tmp_path, "import warnings\nwarnings.warn('old')", "import os\nos.system('echo low >&2')", "print(3)")

    assert [each.cell for each in run.errors] == ["show-1", "show-2"]
    assert run.errors[1].message == "writes to stderr: low"
    assert run.notebook.cells[3].outputs[0].text == "3\n"


@pytest.mark.parametrize("later", [[], ["print(3)"]], ids=["in the last cell", "before another cell"])
def test_stderr_of_a_subprocess_counts_even_if_the_kernel_forwards_it_after_the_cell(
    tmp_path: Path, later: list[str]
) -> None:
    run = _run(tmp_path, "print(1)", FORWARDED_AFTER_THE_CELL, *later)

    assert run.errors == [CellError("show-2", "writes to stderr: low")]


def test_stderr_of_a_cell_that_raises_counts_even_if_the_kernel_forwards_it_after_the_cell(tmp_path: Path) -> None:
    run = _run(tmp_path, FORWARDED_AFTER_THE_CELL + "{}['rate']")

    assert [each.message for each in run.errors] == ["writes to stderr: low", "stops the run: KeyError: 'rate'"]


def test_stderr_of_a_background_process_counts_while_a_later_cell_runs(tmp_path: Path) -> None:
    starts = "import subprocess\nshell = subprocess.Popen(['sh', '-c', 'read go; echo low >&2'], stdin=subprocess.PIPE)"

    run = _run(tmp_path, starts, "shell.communicate(b'go')\n1")

    assert run.errors == [CellError("show-2", "writes to stderr: low")]


def test_a_cell_that_closes_the_descriptor_of_stderr_stops_the_run(tmp_path: Path) -> None:
    run = _run(tmp_path, "import os\nos.close(2)", "print(2)")

    assert [each.cell for each in run.errors] == ["show-1"]
    assert "no longer forwards stderr" in run.errors[0].message


def test_a_run_that_another_thread_stops_ends_its_kernel_without_waiting_for_the_cell(tmp_path: Path) -> None:
    began, stop = tmp_path / "began", threading.Event()
    sleeps = f"import os, time\nos.symlink(str(os.getpid()), {str(began)!r})\ntime.sleep(600)"
    notebook = new_notebook(cells=[new_code_cell(sleeps, id="show-1"), new_code_cell("print(2)", id="show-2")])
    with ThreadPoolExecutor(1) as pool:
        run = pool.submit(run_reference, tmp_path, notebook, stop=stop)
        assert wait_until(began.is_symlink, 60)

        stop.set()

        executed = run.result(timeout=30)
    assert executed.notebook.cells[1].outputs == []
    assert not psutil.pid_exists(int(began.readlink().name))


def test_the_run_stops_at_the_cell_that_raises_and_reports_the_exception(tmp_path: Path) -> None:
    run = _run(tmp_path, "print(1)", "raise KeyError('word')", "print(3)")

    assert run.errors == [CellError("show-2", "stops the run: KeyError: 'word'")]
    assert run.notebook.cells[3].outputs == []


def test_an_experiment_that_would_show_a_learner_its_error_in_one_line_stops_the_run() -> None:
    experiment = "from streamlab import one_line_errors\nwith one_line_errors():\n    {}['rate']"

    run = _run(ROOT, experiment)

    assert run.errors == [CellError("show-1", "stops the run: KeyError: 'rate'")]


def test_a_cell_that_never_ends_is_stopped_and_reported(tmp_path: Path) -> None:
    run = _run(tmp_path, "print(1)", "while True: pass", cell_timeout_s=3)

    assert [each.cell for each in run.errors] == ["show-2"]
    assert run.errors[0].message == "stops the run: no result within 3 s"


def test_time_in_which_the_kernel_waits_for_a_core_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reference, "GrantedClock", lambda pids: lambda: 0.0)
    monkeypatch.setattr("streamlab.granted_time.LONGEST", 600.0)  # a second may last as long as a busy machine needs

    run = _run(tmp_path, "import time\ntime.sleep(2)", "print(2)", cell_timeout_s=1)

    assert run.errors == []


def test_the_given_notebook_is_not_changed(tmp_path: Path) -> None:
    notebook = new_notebook(cells=[new_code_cell("print(1)", id="show-1")])

    run_reference(tmp_path, notebook)

    assert notebook.cells[0].outputs == []
