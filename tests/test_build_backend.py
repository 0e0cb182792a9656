"""`pip install .` does not half-install the kit: it stops and says what to do instead."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def test_pip_stops_and_says_that_the_kit_runs_from_a_clone(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "install", "--no-index", "--disable-pip-version-check", "--target"]

    done = subprocess.run([*pip, str(tmp_path / "packages"), str(ROOT)], capture_output=True, text=True, timeout=60)

    said = [line.strip() for line in (done.stdout + done.stderr).splitlines() if "streamlab runs from" in line]
    assert done.returncode == 1
    assert [line.partition(":")[0] for line in said] == ["streamlab runs from a clone"]
    assert "Traceback" not in done.stdout + done.stderr
    assert not (tmp_path / "packages").exists()


def test_streamlab_can_be_imported_from_another_folder_as_the_message_says(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "import streamlab; print(streamlab.__file__)"]

    done = subprocess.run(command, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True)

    assert done.stdout.strip() == str(ROOT / "streamlab" / "__init__.py")
