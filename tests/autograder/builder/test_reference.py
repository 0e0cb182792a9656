"""`run_reference` runs all cells of a notebook with its solutions."""

from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.builder import CellError, Executed, run_reference

ROOT = Path(__file__).resolve().parents[3]


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

    low = "import os, time\nos.system('echo low >&2')\ntime.sleep(1)"  # a thread of the kernel forwards it meanwhile
    run = _run(tmp_path, "import warnings\nwarnings.warn('old')", low, "print(3)")

    assert [each.cell for each in run.errors] == ["show-1", "show-2"]
    assert run.errors[1].message == "writes to stderr: low"
    assert run.notebook.cells[3].outputs[0].text == "3\n"


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
    assert "3 seconds" in run.errors[0].message


def test_the_given_notebook_is_not_changed(tmp_path: Path) -> None:
    notebook = new_notebook(cells=[new_code_cell("print(1)", id="show-1")])

    run_reference(tmp_path, notebook)

    assert notebook.cells[0].outputs == []
