"""The command line judges a notebook of Lab 1 that kills Spark; verification judges starter and reference."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.sandbox.bubblewrap import why_not

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
LAB = "lab01_wordcount"
REFERENCE = ROOT / "solutions" / LAB / f"{LAB}.py"
KILLS_SPARK = """
# %%
import os, signal
from streamlab.spark import jvm

def count_words(lines):
    os.kill(jvm.start_early().process.pid, signal.SIGKILL)
    return lines.countByValue()
"""


def test_a_notebook_that_kills_spark_loses_only_the_points_of_that_task(tmp_path: Path) -> None:
    problem = why_not()
    if problem and not os.environ.get("CI"):
        pytest.skip(problem)
    killer, target, page = tmp_path / f"{LAB}.py", tmp_path / "results.json", tmp_path / "report.html"
    killer.write_text(REFERENCE.read_text() + KILLS_SPARK)
    options = ["--json", str(target), "--html", str(page), "--no-throughput", "--seed", "end to end"]
    command = [sys.executable, "-m", "autograder.cli", "judge", str(killer), *options]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)

    assert done.returncode == 0, done.stderr
    assert "<script" not in page.read_text()
    checks = json.loads(target.read_text())["streamlab"]["checks"]
    assert {check["task"] for check in checks if check["verdict"] != "pass"} == {"count_words"}
