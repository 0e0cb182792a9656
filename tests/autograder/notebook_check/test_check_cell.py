"""A check cell shows verdicts on the functions of the running notebook."""

import json
import re
import types
from pathlib import Path
from typing import Any

import pytest

from autograder.notebook_check import check, check_cell
from autograder.notebook_check.output import Page
from autograder.notebook_check.public_checks import verdicts_of
from autograder.notebook_check.time_limit import TimeLimit
from streamlab.notebooks.labfile import LabCell
from streamlab.notebooks.loader import Stage, load_cells

LAB = "lab01_wordcount"
ENDLESS = "def words(line):\n    while True:\n        pass\n"
SPLITS = "def words(line):\n    return line.split(' ')\n"


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run a text as the cells of the notebook."""

    def running(source: str) -> None:
        module = types.ModuleType("__main__")
        exec(compile(source, "<words>", "exec"), vars(module))
        monkeypatch.setattr(check_cell, "_live_stage", lambda lab: Stage(lab, module))

    return running


def test_an_endless_loop_is_reported_with_its_line_and_run_only_once(
    notebook: Any, capsys: pytest.CaptureFixture
) -> None:
    notebook(ENDLESS)

    check_cell._check(LAB, "words", 0.5)
    printed = capsys.readouterr().out

    assert re.search(r"no answer within 0\.5 s; it was at line [23] of its cell", printed)
    assert printed.count("no answer within") == 1
    assert "words was not tried: an earlier case did not come to an end." in printed
    assert re.search(r"^[1-9]\.\d s\. Feedback only", printed, re.MULTILINE), "more than one case was waited for"


@pytest.mark.parametrize(
    "leave", ["sys.exit()", "exit()", "quit(0)", "raise SystemExit('done')", "raise GeneratorExit", "raise Own"]
)
def test_a_task_that_exits_gets_a_verdict(leave: str, notebook: Any, capsys: pytest.CaptureFixture) -> None:
    kernels = "from IPython.core.autocall import ExitAutocall\nexit = quit = ExitAutocall()\n"
    notebook(f"import sys\n{kernels}class Own(BaseException): ...\ndef words(line):\n    {leave}\n")

    check("words")

    assert re.search(r"words stopped .*(SystemExit|GeneratorExit|Own)", capsys.readouterr().out)


def test_the_learner_can_interrupt_a_check(notebook: Any) -> None:
    notebook("def words(line):\n    raise KeyboardInterrupt\n")

    with pytest.raises(KeyboardInterrupt):
        check("words")


def test_a_hint_is_a_call_that_a_cell_can_make(notebook: Any, capsys: pytest.CaptureFixture) -> None:
    notebook(SPLITS)

    check("words")
    printed = capsys.readouterr().out

    assert 'hint("words")' in printed
    assert "./lab hint" not in printed


def test_a_notebook_gets_the_verdicts_as_a_page_and_as_text(notebook: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[dict[str, str]] = []
    monkeypatch.setattr(check_cell, "output", Page)
    monkeypatch.setattr(Page, "_show", lambda self, bundle: shown.append(bundle))
    notebook(SPLITS)

    check("words")

    assert "Smallest case that shows it" in shown[-1]["text/plain"]
    assert "Smallest case that shows it" in shown[-1]["text/html"]
    assert "<script" not in shown[-1]["text/html"]


def test_verdicts_are_saved_only_next_to_the_copy_of_the_learner(
    notebook: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notebook(SPLITS)
    stage = check_cell._live_stage(LAB)
    verdicts = verdicts_of(stage, "words", lambda lab: None)
    (tmp_path / "checked.json").write_text('{"count_words": {"a": "pass"}}')

    check_cell.keep_verdicts(tmp_path, verdicts, "9f")
    elsewhere = json.loads((tmp_path / "checked.json").read_text())
    monkeypatch.chdir(tmp_path)
    check_cell.keep_verdicts(tmp_path, verdicts, "9f")
    here = json.loads((tmp_path / "checked.json").read_text())

    assert elsewhere == {"count_words": {"a": "pass"}}
    assert here["count_words"] == {"a": "pass"}
    assert here["words"]["no_word_is_empty"] == "fail"
    assert here["words"]["cell"] == "9f"


@pytest.mark.parametrize("content", ["", "[1]", "null", "3", '"words"', '{"words": {"a": "pa', "[" * 100_000, "\xff"])
def test_a_damaged_file_of_verdicts_is_replaced(
    content: str, notebook: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notebook(SPLITS)
    verdicts = verdicts_of(check_cell._live_stage(LAB), "words", lambda lab: None)
    (tmp_path / "checked.json").write_bytes(content.encode("latin-1"))
    monkeypatch.chdir(tmp_path)

    check_cell.keep_verdicts(tmp_path, verdicts, "9f")

    assert json.loads((tmp_path / "checked.json").read_text())["words"]["no_word_is_empty"] == "fail"


def test_an_error_outside_the_cell_is_not_reported_as_an_error_of_the_task() -> None:
    cells = [LabCell("code", "def words():\n    return []\n", role="task", name="words")]
    stage = load_cells(LAB, cells, module_name="stage_without_argument")

    sentences = {each.sentence for each in verdicts_of(stage, "words", lambda lab: None, TimeLimit(9, lambda: None))}

    assert {each.partition(":")[0] for each in sentences} == {
        "The check of words failed outside its cell with TypeError"
    }
