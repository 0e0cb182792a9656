"""`./lab test` selects tests and turns pytest's exit codes into its own; `./lab verify` checks its options first."""

import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from autograder.cli import author
from autograder.cli.context import UserError, course
from autograder.verify import digest, verification

PASSED, FAILED, NONE_SELECTED = 0, 1, 5
Runs = list[list[str]]


@pytest.fixture
def codes(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[list[int], Runs]]:
    """Replace pytest by a list of exit codes, and record the arguments of each run."""
    to_come, runs = list[int](), Runs()

    def run(command: list[str], **_: object) -> "subprocess.CompletedProcess[str]":
        runs.append(command[3:])  # after python -m pytest
        return subprocess.CompletedProcess(command, to_come.pop(0))

    monkeypatch.setattr(author, "ensure_all_packages", lambda: None)
    monkeypatch.setattr(author.subprocess, "run", run)
    return to_come, runs


def exit_code(*arguments: str) -> int:
    return CliRunner().invoke(author.test, list(arguments)).exit_code


@pytest.mark.parametrize(
    ("arguments", "selected"),
    [
        ([], ["not alone and not docker and not slow", "alone and not docker and not slow"]),
        (["--all"], ["not alone and not docker", "alone and not docker"]),
    ],
)
def test_slow_tests_run_with_all_only(codes: tuple[list[int], Runs], arguments: list[str], selected: list[str]) -> None:
    to_come, runs = codes
    to_come += [PASSED, PASSED]

    assert exit_code(*arguments) == 0
    assert [run[run.index("-m") + 1] for run in runs] == selected


def test_options_of_pytest_are_passed_on_unchanged(codes: tuple[list[int], Runs]) -> None:
    to_come, runs = codes
    to_come += [PASSED]

    assert exit_code("tests/x.py", "-k", "name") == 0
    assert runs == [["tests/x.py", "-k", "name"]]


@pytest.mark.parametrize(
    ("arguments", "of_pytest", "expected"),
    [
        ([], [FAILED, PASSED], 1),
        ([], [PASSED, FAILED], 1),
        ([], [PASSED, NONE_SELECTED], 0),  # every test that must run alone is slow
        ([], [NONE_SELECTED, PASSED], 1),
        (["--all"], [PASSED, NONE_SELECTED], 1),
        (["tests/gone.py"], [NONE_SELECTED], 1),
    ],
)
def test_a_failed_run_or_one_without_tests_fails(
    codes: tuple[list[int], Runs], arguments: list[str], of_pytest: list[int], expected: int
) -> None:
    to_come, runs = codes
    to_come += of_pytest

    assert exit_code(*arguments) == expected
    assert len(runs) == len(of_pytest)


def test_build_check_names_the_verifications_whose_files_have_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    of_before = dict.fromkeys(("digest", "earlier", "messages"), "of before")
    records: dict[str, Any] = {
        "lab02_windows": of_before | {"digest": "x"},
        "lab04_subqueries": of_before | {"earlier": "x"},
        "lab05_placement": of_before | {"messages": "x"},
        "hostile": {"bubblewrap": {"digest": "x"}},
    }
    monkeypatch.setattr("autograder.builder.stale", lambda root: [])
    monkeypatch.setattr(digest, "digest_of_lab", lambda root, course, lab: "of before")
    monkeypatch.setattr(digest, "digest_of_earlier", lambda root, course, lab: "of before")
    monkeypatch.setattr(digest, "digest_of_text", lambda text: "of before")
    monkeypatch.setattr(digest, "digest_of_attacks", lambda root: "of before")
    monkeypatch.setattr(digest, "read_verified", lambda folder: records.get(folder.name, of_before))

    ran = CliRunner().invoke(author.build, ["--check"])

    assert ran.exit_code == 0
    due = [line.split("`")[1] for line in ran.stdout.splitlines()[1:]]
    assert due == [
        f"./lab verify {each}" for each in ("lab02_windows", "lab04_subqueries", "lab05_placement", "--attacks")
    ]


@pytest.mark.parametrize(("name", "message"), [("missing/x.json", "no folder"), (".", "got the folder")])
def test_verify_rejects_an_output_file_that_it_cannot_write_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, message: str
) -> None:
    monkeypatch.setattr(author, "ensure_packages_of", lambda _: pytest.fail("the work has begun"))

    ran = CliRunner().invoke(author.verify, ["--json", str(tmp_path / name)])

    assert isinstance(ran.exception, UserError)
    assert message in str(ran.exception)


def test_the_help_of_verify_shows_the_default_numbers_of_repeats_and_seeds() -> None:
    page = " ".join(CliRunner().invoke(author.verify, ["--help"]).output.split())

    plain = f"{verification.REPEATS} and {verification.SEEDS}"
    slow = f"{verification.HEAVY_REPEATS} and {verification.HEAVY_SEEDS}"
    of_all = f"{verification.REPEATS} and {verification.SEEDS_OF_ALL}"
    of_all += f", {verification.HEAVY_REPEATS_OF_ALL} and {verification.HEAVY_SEEDS_OF_ALL}"
    assert f"default: {plain}, for slow tasks {slow} ({of_all} with --all)" in page


def test_the_packages_of_every_lab_are_installed_before_the_attacks_on_every_lab(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def record(labs: Iterable[str]) -> None:
        raise UserError(" ".join(labs))

    monkeypatch.setattr(author, "ensure_packages_of", record)

    ran = CliRunner().invoke(author.verify, ["--attacks"])

    assert str(ran.exception) == " ".join(course().labs)
