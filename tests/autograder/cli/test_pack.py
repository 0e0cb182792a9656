"""`./lab pack` on the command line, and the errors of a student's kit for verbs that it does not have."""

import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder.cli import context
from autograder.cli import pack as verb
from autograder.cli.context import UserError
from autograder.pack import PackRejected
from tests.autograder.cli.conftest import lab


@pytest.fixture(scope="module")
def student_kit(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The kit as a student unpacks it."""
    folder = tmp_path_factory.mktemp("student")
    with zipfile.ZipFile(archive) as content:
        content.extractall(folder)
    return next(path for path in folder.iterdir() if path.is_dir())


@pytest.mark.parametrize("name", ["build", "verify", "test", "new", "grade", "export", "pack"])
def test_a_verb_that_needs_the_full_kit_says_so_in_one_line(student_kit: Path, name: str) -> None:
    done = lab(name, kit=student_kit)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"lab: this is the student's kit; {name} needs the full kit, which your instructor has\n"


def test_help_of_the_students_kit_shows_the_verbs_that_it_has(student_kit: Path) -> None:
    page = lab("--help", kit=student_kit).stdout

    shown = {line.split()[0] for line in page.splitlines() if line.startswith("  ") and line.split()}
    assert {"demo", "doctor", "start", "check", "watch", "status", "hint", "reset", "judge"} <= shown
    assert not {"build", "verify", "test", "grade", "export", "pack"} & shown
    assert "Authors" not in page


def test_status_hint_and_doctor_work_in_the_students_kit(student_kit: Path) -> None:
    assert "lab01_wordcount" in lab("status", kit=student_kit).stdout
    assert lab("hint", "lab01_wordcount/words", kit=student_kit).stdout.startswith("Hint 1 of 3")
    assert lab("doctor", kit=student_kit).stdout.count("checks and points agree") == 1


def test_the_archive_is_written_to_the_given_path_and_its_size_is_shown(archive: Path) -> None:
    with zipfile.ZipFile(archive) as content:
        files = len(content.namelist())

    size = f"{archive.stat().st_size / 1000:,.0f} kB"
    assert archive.with_suffix(".stdout").read_text() == f"{archive}: {files} files, {size}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lab01"], "expected --for SYSTEM together with the lab lab01; without --for, all labs are packed"),
        (["--for", "gradescope"], "expected a lab to pack for gradescope: ./lab pack --for gradescope LAB"),
        (["--for", "github-action", "lab99"], "no lab lab99; `./lab status` lists the labs"),
        (["--no-throughput"], "--no-throughput needs --for gradescope"),
        (["--to", "/nowhere/mine.zip"], "no folder /nowhere to write mine.zip into"),
    ],
)
def test_a_call_that_cannot_pack_is_a_one_line_error(arguments: list[str], message: str) -> None:
    done = CliRunner().invoke(verb.pack, arguments)

    assert isinstance(done.exception, UserError)
    assert str(done.exception) == message


def test_a_rejected_pack_names_each_file_on_stderr_and_exits_with_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reject(*_: object) -> None:
        raise PackRejected(["a.py: holds the solution of words", "b.py: holds ### BEGIN SOLUTION"])

    monkeypatch.setattr("autograder.pack.pack_kit", reject)
    monkeypatch.setattr(verb, "ensure_packages_of", lambda _: None)

    done = CliRunner().invoke(verb.pack, ["--to", str(tmp_path / "kit.zip")])

    assert done.exit_code == 1
    assert "lab: not packed: a.py: holds the solution of words\nlab: not packed: b.py: " in done.stderr
    assert done.stdout == ""


def test_the_packages_of_all_packed_labs_are_installed_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def record(labs: Iterable[str]) -> None:
        raise UserError(" ".join(labs))

    monkeypatch.setattr(verb, "ensure_packages_of", record)
    monkeypatch.setattr("autograder.pack.pack_kit", lambda *_: pytest.fail("packing has begun"))

    done = CliRunner().invoke(verb.pack, ["--to", str(tmp_path / "kit.zip")])

    assert str(done.exception) == " ".join(context.course().labs)
