"""The verbs for learners copy, check and reset work without losing any."""

import errno
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from autograder.cli import lab09_system, learner, progress_of_learner
from autograder.cli.context import UserError, course
from autograder.judge.cell_digests import CELL
from autograder.notebook_check.standing import CHECKED, TaskVerdicts, newest_verdicts

LAB = "lab01_wordcount"


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty work folder that replaces the learner's."""
    folder = tmp_path / "work"
    for module in (learner, progress_of_learner):
        monkeypatch.setattr(module, "WORK", folder)
    return folder


def test_the_copy_of_a_starter_is_created_once_and_never_overwritten(work: Path) -> None:
    notebook = learner.copy_of_starter(LAB)
    notebook.write_text("mine")

    assert learner.copy_of_starter(LAB) == work / LAB / f"{LAB}.ipynb"
    assert notebook.read_text() == "mine"


def test_a_copy_that_a_full_disk_ends_leaves_no_notebook_and_the_next_start_copies_it(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def copy_half(source: str, target: str, *, follow_symlinks: bool = True) -> None:
        Path(target).write_bytes(Path(source).read_bytes()[:100])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as full_disk:
        full_disk.setattr(shutil, "copyfile", copy_half)  # copy2 calls it
        with pytest.raises(OSError, match="No space left on device"):
            learner.copy_of_starter(LAB)

    assert list((work / LAB).iterdir()) == []
    assert json.loads(learner.copy_of_starter(LAB).read_text())["cells"]


def test_the_notebook_is_copied_last(work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    released = tmp_path / "labs" / LAB
    for name in ("data/z.csv", f"{LAB}.ipynb", "z.txt"):
        (released / name).parent.mkdir(parents=True, exist_ok=True)
        (released / name).write_text(name)
    monkeypatch.setattr(learner, "ROOT", tmp_path)
    copied: list[str] = []
    replace = os.replace
    monkeypatch.setattr(os, "replace", lambda old, new: (copied.append(Path(new).name), replace(old, new)))

    notebook = learner.copy_of_starter(LAB)

    assert copied == ["z.csv", "z.txt", notebook.name]
    assert (work / LAB / "data" / "z.csv").read_text() == "data/z.csv"


def test_the_newest_report_is_also_written_next_to_the_labs(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = {"streamlab": {"lab": LAB, "checks": []}}
    monkeypatch.setattr(learner, "judged", lambda *_: [judged])
    learner.copy_of_starter(LAB)

    assert CliRunner().invoke(learner.check, [LAB]).exit_code == 0

    assert (work / "report.html").read_bytes() == (work / LAB / "report.html").read_bytes()


def test_reset_moves_the_old_work_aside_each_time(work: Path) -> None:
    for text in ("first", "second"):
        learner.copy_of_starter(LAB).write_text(text)
        assert CliRunner().invoke(learner.reset, [LAB]).exit_code == 0

    old_work = sorted(path.read_text() for path in work.glob(f"{LAB}.before-*/{LAB}.ipynb"))
    assert old_work == ["first", "second"]
    assert json.loads((work / LAB / f"{LAB}.ipynb").read_text())["cells"]


def test_status_shows_which_labs_were_started_and_their_points(work: Path) -> None:
    before = CliRunner().invoke(progress_of_learner.status).output
    learner.copy_of_starter(LAB)
    started = CliRunner().invoke(progress_of_learner.status).output
    (work / LAB / "checked.json").write_text('{"words": {"no_word_is_empty": "pass", "odd": "pass"}}')
    checked = CliRunner().invoke(progress_of_learner.status).output

    assert re.search(rf"^{LAB} +░+ +-/40 +not started ", before, re.MULTILINE)
    assert re.search(rf"^{LAB} +░+ +-/40 +none yet ", started, re.MULTILINE)
    assert re.search(rf"^{LAB} +░+ +1/40 +1 of 25 ★0/6 ", checked, re.MULTILINE)


def test_status_shows_the_next_task_the_bar_of_a_lab_and_the_parts_that_pass(work: Path) -> None:
    passing(work, LAB, "words", "deliver")

    shown = CliRunner().invoke(progress_of_learner.status).output

    assert re.search(rf"^{LAB} +██████░░░░ +", shown, re.MULTILINE)  # 15 of 25 checks
    assert "● Phones, tills → ○ Connector → ○ Log" in shown
    assert "◐ Route → ○ Split → ○ Desk" in shown
    assert shown.endswith("\nnext task: count_words; `./lab start lab01_wordcount` opens its notebook\n")


def test_a_bonus_task_makes_no_part_pass_and_is_no_next_task(work: Path) -> None:
    for name, lab in course().labs.items():
        passing(work, name, *lab.core)

    shown = CliRunner().invoke(progress_of_learner.status).output

    assert "○" not in shown.partition("none yet")[2]
    assert shown.endswith("every task passes; `./lab check` judges all labs again\n")


def test_status_is_ascii_where_stdout_is_not_utf_8(work: Path) -> None:
    passing(work, LAB, "words")

    shown = CliRunner(charset="ascii").invoke(progress_of_learner.status).output

    assert shown.isascii()
    assert "- Phones, tills -> - Connector -> - Log" in shown
    assert "/ Route" in shown


def test_status_has_at_most_30_lines_with_notebooks_of_an_older_release(work: Path) -> None:
    for name, lab in course().labs.items():
        passing(work, name, *lab.core)
        notebook = json.loads(learner.copy_of_starter(name).read_text(encoding="utf-8"))
        notebook["metadata"]["streamlab"]["release"] = "2026.1"
        (work / name / f"{name}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")

    lines = CliRunner().invoke(progress_of_learner.status).output.splitlines()

    assert sum("`./lab update" in line for line in lines) == progress_of_learner.OFFERS_MAX
    assert len(lines) <= 30 - progress_of_learner.OFFERS_MAX  # on a terminal, each offer takes two


def passing(work: Path, lab: str, *tasks: str) -> None:
    """Write verdicts with which these tasks pass all their checks."""
    verdicts = {task: dict.fromkeys(course().labs[lab].tasks[task].checks, "pass") for task in tasks}
    (work / lab).mkdir(parents=True, exist_ok=True)
    (work / lab / "checked.json").write_text(json.dumps(verdicts), encoding="utf-8")


def test_status_fits_80_columns(work: Path) -> None:
    (work / LAB).mkdir(parents=True)
    (work / LAB / "checked.json").write_text('{"words": {"no_word_is_empty": "pass"}}')

    lines = CliRunner().invoke(progress_of_learner.status).output.splitlines()

    assert max(map(len, lines)) <= 80


def test_a_hint_on_a_terminal_is_wrapped_between_words_only(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Hint 1 of 3: " + "`(?<![A-Z])a-very-long-pattern-without-a-blank-in-it` and some more words. " * 4
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "60")

    lines = progress_of_learner.wrapped(
        text + "\n    indented = code that stays as it is, however long its line may be"
    ).splitlines()

    assert " ".join(lines[:-1]).split() == text.split()
    assert max(map(len, lines[:-1])) <= 60
    assert lines[-1].startswith("    indented = code")


def test_a_hint_in_a_pipe_is_one_line() -> None:
    assert progress_of_learner.wrapped("word " * 100) == ("word " * 100).strip()


def test_start_shows_the_address_and_how_to_end_it_but_no_log(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(os, "execve", lambda program, command, environment: started.append(command))

    output = CliRunner().invoke(learner.start, [LAB, "--no-browser", "--port", "8899"]).output

    assert "Ctrl-C and then y ends it" in output
    assert "--log-level=ERROR" in started[0]  # errors stay; the address is logged as critical


def test_each_call_shows_the_next_hint_and_the_last_one_repeats(work: Path) -> None:
    shown = [CliRunner().invoke(progress_of_learner.hint, [f"{LAB}/words"]).output[:11] for _ in range(4)]

    assert shown == ["Hint 1 of 3", "Hint 2 of 3", "Hint 3 of 3", "Hint 3 of 3"]


@pytest.mark.parametrize(
    "content",
    ["not json", "[]", "null", "3", "[" * 100_000]
    + [f'{{"{LAB}/words": {number}}}' for number in ('"2"', "null", "[]", "1.5", "-7")],
)
def test_a_broken_file_of_shown_hints_starts_at_the_first_hint_again(work: Path, content: str) -> None:
    work.mkdir()
    (work / ".hints.json").write_text(content)

    shown = [CliRunner().invoke(progress_of_learner.hint, [f"{LAB}/words"]).output[:11] for _ in range(2)]

    assert shown == ["Hint 1 of 3", "Hint 2 of 3"]


def test_a_hint_is_shown_even_if_it_cannot_be_remembered(work: Path) -> None:
    (work / ".hints.json").mkdir(parents=True)  # cannot be written, not even by root

    ran = CliRunner().invoke(progress_of_learner.hint, [f"{LAB}/words"])

    assert ran.exit_code == 0
    assert ran.stdout.startswith("Hint 1 of 3")
    file = work / ".hints.json"
    assert ran.stderr == (
        f"lab: cannot remember that hint 1 was shown ({file}: Is a directory); `--number` chooses a hint\n"
    )


def test_a_hint_is_shown_even_if_the_work_folder_cannot_be_created(work: Path) -> None:
    work.write_text("a file")

    ran = CliRunner().invoke(progress_of_learner.hint, [f"{LAB}/words"])

    assert ran.stdout.startswith("Hint 1 of 3")
    assert len(ran.stderr.splitlines()) == 1


def test_a_check_that_completes_a_core_shows_the_system_once(
    work: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    core = course().labs[LAB].core
    passed = {name: dict.fromkeys(task.checks, "pass") for name, task in core.items()}

    def judged_as(verdicts: dict[str, dict[str, str]]) -> None:
        learner.copy_of_starter(LAB)
        monkeypatch.setattr(learner, "keep", lambda *_: (work / LAB / "checked.json").write_text(json.dumps(verdicts)))
        learner._check(LAB, None, False, None)

    monkeypatch.setattr(learner, "judged_work", lambda *_: {})
    monkeypatch.setattr(learner, "print_results", lambda *_: None)
    monkeypatch.setattr(lab09_system, "show_minutes", lambda lab: print(f"minutes of {lab}"))
    for verdicts in (passed | {"words": {}}, passed, passed):
        judged_as(verdicts)

    assert capsys.readouterr().out.count(f"minutes of {LAB}") == 1


def test_a_check_of_one_task_counts_until_the_lab_is_checked(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (task, about), *_ = course().labs[LAB].core.items()
    verdicts = dict.fromkeys(about.checks, "pass")

    def judged(verdict: str) -> dict[str, Any]:
        checks = [{"task": task, "check": name, "verdict": verdict} for name in verdicts]
        return {"streamlab": {"checks": checks, "digests": {"tasks": {task: "9f"}}}}

    learner.copy_of_starter(LAB)
    monkeypatch.setattr(learner, "print_results", lambda *_: None)
    monkeypatch.setattr(learner, "write", lambda found, file, *_, **__: file.write_text(json.dumps(found[0])))
    monkeypatch.setattr(learner.shutil, "copyfile", lambda *_: None)

    monkeypatch.setattr(learner, "judged_work", lambda *_: judged("pass"))
    learner._check(LAB, task, False, None)
    assert newest_verdicts(work / LAB) == {task: TaskVerdicts(set(verdicts), "9f", set())}

    monkeypatch.setattr(learner, "judged_work", lambda *_: judged("fail"))
    learner._check(LAB, None, False, None)
    assert json.loads((work / LAB / CHECKED).read_text())[task] == {**dict.fromkeys(verdicts, "fail"), CELL: "9f"}
    learner._check(LAB, task, False, None)
    assert newest_verdicts(work / LAB) == {task: TaskVerdicts(set(), "9f", set())}


def test_a_check_that_takes_long_says_so_first(
    work: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(learner, "judged", lambda *_: [{}])
    learner.copy_of_starter("lab08_geofencing")

    learner.judged_work("lab08_geofencing", ("push", "contains"), False, None)
    learner.judged_work("lab08_geofencing", ("contains",), False, None)

    assert capsys.readouterr().err == "checking push, contains takes about 60 s\n"


def test_checking_a_lab_that_was_never_started_says_how_to_start_it(work: Path) -> None:
    outcome = CliRunner().invoke(learner.check, [LAB])

    assert isinstance(outcome.exception, UserError)
    assert f"./lab start {LAB}" in str(outcome.exception)


def test_jupyterlab_starts_from_a_folder_with_a_jupyter_py(
    work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "jupyter.py").write_text("raise SystemExit('a file of the caller ran')\n")
    commands: list[list[str]] = []
    monkeypatch.setattr(learner.os, "execve", lambda _, command, __: commands.append(command))
    CliRunner().invoke(learner.start, [LAB])
    [command] = commands

    jupyter = [*command[: command.index("lab")], "--version"]
    done = subprocess.run(jupyter, cwd=tmp_path, capture_output=True, text=True)

    assert done.stdout.startswith("Selected Jupyter core packages"), done.stderr
