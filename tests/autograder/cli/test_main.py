"""The command line keeps its contract: exit codes, one line for a mistake, results on stdout."""

import json
import re
import runpy
import shutil
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from autograder.cli import main
from autograder.course import CourseError
from tests.autograder.cli.conftest import Mistake, lab


def test_help_groups_the_verbs_by_audience() -> None:
    page = CliRunner().invoke(main.lab, ["--help"])

    assert page.exit_code == 0
    for word in ("Learners", "Instructors", "Authors", "judge", "verify", "dataset"):
        assert word in page.output
    assert "dataset" in main.FOR_WHOM["Everyone"]


def test_a_mistake_ends_the_process_with_one_line_and_exit_code_2() -> None:
    done = lab("nothing")

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "lab: no verb nothing; `./lab --help` lists the verbs\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["judge"], "NOTEBOOK"),
        (["judge", "missing.ipynb"], "no file"),
        (["judge", "course.yml"], "expected a notebook"),
        (["judge", "README.md", "--lab", "lab77"], "no lab lab77"),
        (["judge", "README.md", "--json", "/nowhere/x.json"], "no folder /nowhere"),
        (["judge", "README.md", "--json", "/tmp"], "expected a file to write, got the folder /tmp"),
        (["judge", "README.md", "--html", "/tmp"], "expected a file to write, got the folder /tmp"),
        (["judge", "README.md", "--sandbox", "none"], "none"),
        (["hint", "lab01_wordcount/nothing"], "no task nothing"),
        (["check", "lab77"], "no lab lab77"),
        (["verify", "lab77"], "no lab lab77"),
        (["reset", "lab77"], "no lab lab77"),
    ],
)
def test_a_mistake_is_one_line_on_stderr_and_exit_code_2(mistake: Mistake, arguments: list[str], message: str) -> None:
    assert message in mistake(*arguments)


def test_results_of_unreadable_notebooks_in_a_batch_are_written_like_any_other(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "lab01_wordcount.ipynb").write_text("not json")
    target = tmp_path / "results.json"

    files = [str(tmp_path / name / "lab01_wordcount.ipynb") for name in ("a", "b")]
    done = lab("judge", *files, "--json", str(target))

    assert done.returncode == 0
    results = json.loads(target.read_text())
    assert [each["score"] for each in results] == [0, 0]
    assert results[0]["max_score"] > 0


@pytest.fixture
def fails(monkeypatch: pytest.MonkeyPatch) -> list[BaseException]:
    """Replace every verb by one that raises the exception in this list."""
    problems = list[BaseException]()

    def fail() -> None:
        raise problems[0]

    command = click.Command("fails", callback=fail)
    monkeypatch.setattr(main.Verbs, "resolve_command", lambda *_: ("fails", command, []))
    monkeypatch.setattr(sys, "argv", ["lab", "fails"])
    return problems


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        (
            IsADirectoryError(21, "Is a directory", "/class/exports"),
            "cannot use /class/exports: Is a directory; check the path, its permissions and the free space",
        ),
        (OSError(28, "No space left on device"), "No space left on device; `./lab doctor` checks this machine"),
        (TimeoutError("kafka did not answer within 5 s"), "kafka did not answer within 5 s"),
        (ConnectionError(), "ConnectionError"),
        (CourseError("policy.yml line 1: expected a date"), "policy.yml line 1: expected a date"),
        (
            shutil.Error([("a", "b", "[Errno 28] No space left on device: 'b'"), ("c", "d", "…")]),  # of copytree
            "cannot copy a file: [Errno 28] No space left on device: 'b'",
        ),
    ],
    ids=["with a path", "without a path", "a sentence", "without a text", "of the course", "of a copy"],
)
def test_an_error_of_the_system_or_the_course_is_one_line_and_exit_code_2(
    fails: list[BaseException], capsys: pytest.CaptureFixture[str], problem: Exception, message: str
) -> None:
    fails.append(problem)

    with pytest.raises(SystemExit) as ended:
        main.run()

    assert ended.value.code == 2
    assert capsys.readouterr().err == f"lab: {message}\n"


def test_ctrl_c_in_a_verb_is_one_line_and_exit_code_130(
    fails: list[BaseException], capsys: pytest.CaptureFixture[str]
) -> None:
    fails.append(KeyboardInterrupt())

    with pytest.raises(SystemExit) as ended:
        main.run()

    assert ended.value.code == 130
    assert capsys.readouterr().err == "\nlab: stopped; what was written stays\n"  # the terminal has shown ^C


def test_ctrl_c_while_the_command_line_is_imported_is_one_line_and_exit_code_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Interrupted:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "autograder.cli.main":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "autograder.cli.main")
    monkeypatch.setattr(sys, "meta_path", [Interrupted(), *sys.meta_path])

    with pytest.raises((SystemExit, KeyboardInterrupt)) as ended:  # the second one would end pytest
        runpy.run_module("autograder.cli", run_name="__main__")

    assert ended.type is SystemExit
    assert ended.value.args == (130,)
    assert capsys.readouterr().err == "lab: stopped; what was written stays\n"


def options_of(verb: str) -> set[str]:
    command = main.lab.get_command(click.Context(main.lab), verb)
    assert command is not None
    return {option.removeprefix("--") for param in command.params for option in param.opts}


RENAMED = [(verb, old, new) for verb in main.VERBS for old, new in main.OLD_NAMES.items() if new in options_of(verb)]


def test_the_old_names_of_options_are_those_of_the_throughput_checks() -> None:
    assert RENAMED == [
        ("check", "race", "throughput"),
        ("judge", "no-race", "no-throughput"),
        ("grade", "no-race", "no-throughput"),
        ("pack", "no-race", "no-throughput"),
    ]


@pytest.mark.parametrize(("verb", "old", "new"), RENAMED)
def test_the_old_name_of_an_option_still_sets_it(verb: str, old: str, new: str) -> None:
    lab_context = main.lab.make_context("lab", [verb])
    command = main.lab.get_command(lab_context, verb)
    assert command is not None

    context = command.make_context(verb, [f"--{old}", "lab01_wordcount"], parent=lab_context)

    assert context.params[new.replace("-", "_")] is True


@pytest.mark.parametrize(("verb", "old", "new"), RENAMED)
def test_the_help_shows_only_the_new_name_of_an_option(verb: str, old: str, new: str) -> None:
    page = CliRunner().invoke(main.lab, [verb, "--help"]).output

    assert f"--{new}" in page
    assert not re.search(rf"--{old}\b", page)
