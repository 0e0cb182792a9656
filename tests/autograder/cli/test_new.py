"""A lab that `./lab new` creates, in either form, verifies and passes the tests of every lab without any change."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder.cli.context import UserError
from autograder.cli.new import new
from tests.autograder.cli.conftest import ROOT

LAB, SMALL = "lab98_example", "lab99_small"
KIT = ("autograder", "streamlab", "solutions", "labs", "datasets", "tests", "course.yml", "README.md", "pyproject.toml")


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the kit with a new lab of each form."""
    folder = tmp_path_factory.mktemp("kit")
    for name in KIT:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, folder / name)
    for lab, options in {LAB: ("--title", "An example"), SMALL: ("--small",)}.items():
        done = run(folder, "autograder.cli", "new", lab, *options)
        assert done.returncode == 0, done.stderr
        assert done.stdout.splitlines()[-1].startswith(f"next: `./lab verify {lab}`")
    return folder


def run(kit: Path, module: str, *arguments: str, ci: str = "true") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(kit), "STREAMLAB_CALLED_FROM": str(kit), "CI": ci}
    command = [sys.executable, "-m", module, *arguments]
    return subprocess.run(command, cwd=kit, env=environment, capture_output=True, text=True, timeout=300)


@pytest.mark.slow
def test_new_lab_verifies(kit: Path) -> None:
    done = run(kit, "autograder.cli", "verify", LAB, "--quick")

    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 holes" in done.stdout


@pytest.mark.slow
def test_small_lab_is_judged_and_verifies_by_automatic_mutants(kit: Path) -> None:
    done = run(kit, "autograder.cli", "verify", SMALL, "--quick", ci="")  # writes messages.txt

    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"starter and reference .* 0 of 5 and 5 of 5\n", done.stdout), done.stdout
    assert re.search(r"automatic mutants .* (\d\d) of \1 caught, 0 listed\n", done.stdout), done.stdout
    assert "0 holes" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("lab", [LAB, SMALL])
def test_new_lab_passes_the_tests_of_every_lab(kit: Path, lab: str) -> None:
    done = run(kit, "pytest", "-q", "tests/autograder/stages/test_every_lab.py", "-k", lab, "-p", "no:cacheprovider")

    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


@pytest.mark.slow
def test_the_attacks_do_not_miss_a_new_lab_with_one_task(kit: Path) -> None:
    done = run(kit, "pytest", "-q", "tests/autograder/hostile/test_attack.py", "-p", "no:cacheprovider")

    assert done.returncode == 0, done.stdout


def test_a_bad_name_is_a_one_line_error() -> None:
    done = CliRunner().invoke(new, ["joins"])

    assert isinstance(done.exception, UserError)
    assert str(done.exception) == "'joins' is not a lab name; expected lab, two digits, _ and a topic: lab10_example"
    assert done.stdout == ""
