"""A check cell shows verdicts on the functions of the running notebook."""

import json
import re
import sys
import types
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from autograder.cli import progress_of_learner
from autograder.notebook_check import check, check_cell, hint
from autograder.notebook_check.lab_progress import show_system
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

    check_cell._check(check_cell.load_course(check_cell.ROOT), LAB, "words", 0.5)
    printed = capsys.readouterr().out

    assert re.search(r"no answer within 0\.5 s; it was at line [23] of its cell", printed)
    assert printed.count("no answer within") == 1
    assert "words was not tried: an earlier case timed out." in printed
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


def test_a_hint_is_a_call_that_a_cell_can_make(
    notebook: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "__main__", types.ModuleType("__main__"))
    notebook(SPLITS)

    check("words")
    printed = capsys.readouterr().out

    assert 'hint("words")' in printed
    assert "./lab hint" not in printed
    assert sys.modules["__main__"].hint is hint


def test_hints_come_one_after_the_other_in_notebook_and_shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr(check_cell, "WORK", tmp_path)
    monkeypatch.setattr(progress_of_learner, "WORK", tmp_path)

    hint("words")
    CliRunner().invoke(progress_of_learner.hint, ["words"], catch_exceptions=False)
    hint(f"{LAB}/words")
    hint("words", 1)
    hint("words", 4)
    printed = capsys.readouterr().out

    assert re.findall(r"^(?:Hint|No hint) \d", printed, re.MULTILINE) == ["Hint 1", "Hint 3", "Hint 1", "No hint 4"]
    assert printed.count('next hint: hint("words")') == 2


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the learner's copy of the lab, in which the notebook runs."""
    copy = tmp_path / LAB
    copy.mkdir()
    monkeypatch.setattr(check_cell, "WORK", tmp_path)
    monkeypatch.chdir(copy)
    return copy


def test_a_check_shows_the_bar_of_the_lab_and_the_next_task(
    folder: Path, notebook: Any, capsys: pytest.CaptureFixture
) -> None:
    notebook(SPLITS)
    course = check_cell.load_course(check_cell.ROOT)
    other = {"local_master": dict.fromkeys(course.labs[LAB].tasks["local_master"].checks, "pass")}
    (folder / "checked.json").write_text(json.dumps(other))

    check("words")

    last = capsys.readouterr().out.splitlines()[-1]
    assert re.fullmatch(r"Lab 1: [█░]{10} \d+ of 25 checks pass; next task: words", last)


def test_a_check_that_takes_long_says_so_before_its_first_case() -> None:
    said = list[str]()

    check_cell.Progress("push", said.append, expected_s=60)
    check_cell.Progress("words", said.append)

    assert said == ["checking push takes about 60 s"]


def test_the_check_of_the_last_core_task_shows_the_map_with_the_tasks_that_pass(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr(check_cell, "_check", lambda course, lab, task, limit_s: None)
    monkeypatch.setattr(check_cell, "show_system", lambda lab: print(f"system of {lab}"))
    core = check_cell.load_course(check_cell.ROOT).labs[LAB].core
    passed = {name: dict.fromkeys(task.checks, "pass") for name, task in core.items()}
    (folder / "checked.json").write_text(json.dumps(passed | {"words": {"no_word_is_empty": "fail"}}))

    check("words")
    check("deliver")
    (folder / "checked.json").write_text(json.dumps(passed))
    check("deliver")
    printed = capsys.readouterr().out

    assert printed.count("The complete system. Lab 1 builds tasks of ") == 2
    assert "Tasks that pass: count_words, word_counts, local_master, deliver." in printed
    assert printed.count(f"system of {LAB}") == 1


@pytest.mark.slow
def test_a_finished_core_shows_two_minutes_of_the_system(capsys: pytest.CaptureFixture) -> None:
    show_system(LAB)

    printed = capsys.readouterr().out
    assert printed.startswith("Every task of this lab's core passes.")
    assert "Burst × 10" in printed


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
    assert here["words"]["words_are_runs_of_letters_and_digits"] == "fail"
    assert here["words"]["cell"] == "9f"


def test_the_saved_verdicts_say_which_tasks_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = {"words": {"a": "pass", "b": "pass"}, "count_words": {"a": "pass", "b": "skipped"}, "damaged": 3}
    (tmp_path / "checked.json").write_text(json.dumps(told))

    elsewhere = check_cell._passes(tmp_path)
    monkeypatch.chdir(tmp_path)

    assert elsewhere == {}
    assert check_cell._passes(tmp_path) == {"words": True, "count_words": False}


@pytest.mark.parametrize("content", ["", "[1]", "null", "3", '"words"', '{"words": {"a": "pa', "[" * 100_000, "\xff"])
def test_a_damaged_file_of_verdicts_is_replaced(
    content: str, notebook: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notebook(SPLITS)
    verdicts = verdicts_of(check_cell._live_stage(LAB), "words", lambda lab: None)
    (tmp_path / "checked.json").write_bytes(content.encode("latin-1"))
    monkeypatch.chdir(tmp_path)

    check_cell.keep_verdicts(tmp_path, verdicts, "9f")

    assert (
        json.loads((tmp_path / "checked.json").read_text())["words"]["words_are_runs_of_letters_and_digits"] == "fail"
    )


def test_an_error_outside_the_cell_is_not_reported_as_an_error_of_the_task() -> None:
    cells = [LabCell("code", "def words():\n    return []\n", role="task", name="words")]
    stage = load_cells(LAB, cells, module_name="stage_without_argument")

    sentences = {each.sentence for each in verdicts_of(stage, "words", lambda lab: None, TimeLimit(9, lambda: None))}

    assert all(each.startswith("The check could not use words: TypeError: words() takes 0") for each in sentences)


def test_a_stub_of_an_earlier_lab_is_not_taken_for_the_task() -> None:
    cells = [LabCell("code", "def bucket_of():\n    raise NotImplementedError\n", role="task", name="bucket_of")]
    earlier = load_cells("lab04_subqueries", cells, module_name="stage_without_bucket_of")
    module = types.ModuleType("stage_that_uses_it")
    vars(module)["words"] = lambda line: earlier.bucket_of()

    verdicts = verdicts_of(Stage(LAB, module), "words", lambda lab: None, TimeLimit(9, lambda: None))

    assert {(each.verdict, each.sentence) for each in verdicts} == {("error", "bucket_of is not written yet.")}
