"""A student unpacks and uses the kit; the notebook that comes back earns full marks from the full kit."""

import json
import os
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest

from autograder.sandbox.bubblewrap import why_not
from streamlab.notebooks.labfile import read_lab

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
LAB = "lab01_wordcount"
DEADLINE_S = 120


def environment(kit: Path) -> dict[str, str]:
    """Return an environment in which this Python imports only the code of `kit`."""
    return {**os.environ, "PYTHONPATH": str(kit), "STREAMLAB_CALLED_FROM": str(kit)}


def lab(kit: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `./lab` of `kit`, which must exit with 0."""
    command = [sys.executable, "-m", "autograder.cli", *arguments]
    done = subprocess.run(command, cwd=kit, env=environment(kit), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture
def student_kit(archive: Path, tmp_path: Path) -> Path:
    """The unpacked student's kit, in a path with a space."""
    with zipfile.ZipFile(archive) as content:
        content.extractall(tmp_path / "my kit")
    return next((tmp_path / "my kit").iterdir())


def start(kit: Path, log: Path) -> Path:
    """Run `./lab start` until JupyterLab prints its address; return the notebook that it created."""
    command = [sys.executable, "-m", "autograder.cli", "start", LAB, "--no-browser"]
    with log.open("w") as output:
        server = subprocess.Popen(command, cwd=kit, env=environment(kit), stdout=output, stderr=subprocess.STDOUT)
    deadline = time.monotonic() + DEADLINE_S
    try:
        while "http://" not in log.read_text():
            assert server.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.05)
    finally:
        server.terminate()
        server.wait(30)
    return kit / "work" / LAB / f"{LAB}.ipynb"


def fill_in(notebook: Path) -> None:
    """Write the reference's answers into the task cells, as a student would."""
    source = read_lab(ROOT / "solutions" / LAB / f"{LAB}.py")
    answers = {cell.name: _without_markers(cell.source) for cell in source.cells if cell.role == "task"}
    content = json.loads(notebook.read_text(encoding="utf-8"))
    for cell in content["cells"]:
        about: dict[str, Any] = cell["metadata"].get("streamlab", {})
        if about.get("role") == "task":
            cell["source"] = answers[about["name"]].splitlines(keepends=True)
    notebook.write_text(json.dumps(content), encoding="utf-8")


def _without_markers(source: str) -> str:
    return "\n".join(line for line in source.split("\n") if "### " not in line)


def test_a_notebook_from_the_students_kit_earns_full_marks_there_and_from_the_full_kit(
    student_kit: Path, tmp_path: Path
) -> None:
    problem = why_not()
    if problem and not os.environ.get("CI"):
        pytest.skip(problem)
    notebook = start(student_kit, tmp_path / "server.log")
    stub = lab(student_kit, "check", f"{LAB}/on_word").stdout
    fill_in(notebook)
    advice = lab(student_kit, "check", LAB).stdout

    results = tmp_path / "results.json"
    lab(ROOT, "judge", str(notebook), "--no-throughput", "--seed", "of this student", "--json", str(results))

    assert "on_word is not written yet" in stub
    assert "31/40 points" in advice, advice
    judged = json.loads(results.read_text())
    assert judged["score"] == judged["max_score"] == 31
    assert judged["streamlab"]["notes"] == []
