"""A lab that `./lab new` creates verifies and passes the tests of every lab without any change."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder.cli.context import UserError
from autograder.cli.new import new

ROOT = Path(__file__).resolve().parents[3]
LAB = "lab98_example"
KIT = ("autograder", "streamlab", "solutions", "labs", "datasets", "tests", "course.yml", "README.md", "pyproject.toml")


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the kit with the new lab."""
    folder = tmp_path_factory.mktemp("kit")
    for name in KIT:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, folder / name)
    done = run(folder, "autograder.cli", "new", LAB, "--title", "An example")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith(f"next: `./lab verify {LAB}`")
    return folder


def run(kit: Path, module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(kit), "STREAMLAB_CALLED_FROM": str(kit), "CI": "true"}
    command = [sys.executable, "-m", module, *arguments]
    return subprocess.run(command, cwd=kit, env=environment, capture_output=True, text=True, timeout=300)


@pytest.mark.slow
def test_new_lab_verifies(kit: Path) -> None:
    done = run(kit, "autograder.cli", "verify", LAB, "--quick")

    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 holes" in done.stdout


@pytest.mark.slow
def test_new_lab_passes_the_tests_of_every_lab(kit: Path) -> None:
    done = run(kit, "pytest", "-q", "tests/autograder/stages/test_every_lab.py", "-k", LAB, "-p", "no:cacheprovider")

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
