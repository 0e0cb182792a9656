"""A program of the kit finds the kit from any folder, and none of that folder's modules."""

import os
import subprocess
from pathlib import Path

import pytest

from streamlab.kit_program import KIT, PYTHON, kit_environment, kit_program

IMPORTS = "import random, streamlab; print(random.__file__.startswith(__import__('os').getcwd()), streamlab.__file__)"


@pytest.mark.parametrize("given", [None, "", os.pathsep, f"/mine{os.pathsep}"])
def test_a_program_imports_the_kit_but_nothing_from_its_folder(
    students_folder: Path, monkeypatch: pytest.MonkeyPatch, given: str | None
) -> None:
    monkeypatch.delenv("PYTHONPATH", raising=False)
    if given is not None:
        monkeypatch.setenv("PYTHONPATH", given)

    ran = subprocess.run([*PYTHON, "-c", IMPORTS], env=kit_environment(), capture_output=True, text=True)

    assert ran.stdout.split() == ["False", str(KIT / "streamlab" / "__init__.py")], ran.stderr


def test_the_callers_import_path_comes_after_the_kit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", f"/mine{os.pathsep}{os.pathsep}/theirs")

    assert kit_environment()["PYTHONPATH"].split(os.pathsep) == [str(KIT), "/mine", "/theirs"]


def test_a_module_of_the_kit_runs_as_a_program_in_any_folder(students_folder: Path) -> None:
    program = kit_program("streamlab.spark.cluster", "boss")

    ran = subprocess.run(program, env=kit_environment(), capture_output=True, text=True)

    assert (ran.returncode, ran.stderr) == (2, "lab: expected a role of master, worker, got 'boss'\n")
