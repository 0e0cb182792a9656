"""`./lab new` in a copy of the kit: its lab verifies and passes what holds for every lab, from the first minute."""

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


def test_new_lab_verifies(kit: Path) -> None:
    done = run(kit, "autograder.cli", "verify", LAB, "--quick")

    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 holes" in done.stdout


def test_new_lab_passes_what_holds_for_every_lab(kit: Path) -> None:
    done = run(kit, "pytest", "-q", "tests/autograder/stages/test_every_lab.py", "-k", LAB, "-p", "no:cacheprovider")

    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


def test_a_bad_name_is_the_users_mistake_in_one_line() -> None:
    done = CliRunner().invoke(new, ["joins"])

    assert isinstance(done.exception, UserError)
    assert str(done.exception) == "'joins' is no name for a lab; expected lab, two digits, _ and a topic: lab10_example"
    assert done.stdout == ""
