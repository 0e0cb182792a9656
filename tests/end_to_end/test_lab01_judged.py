"""The command line judges Lab 1 on real Spark: what students get earns nothing, the reference everything."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from autograder.sandbox.bubblewrap import why_not

ROOT = Path(__file__).resolve().parents[2]
LAB = "lab01_wordcount"


def judged(path: Path, tmp_path: Path, *options: str) -> dict[str, Any]:
    """Results of `./lab judge PATH`, in isolation wherever there can be isolation."""
    problem = why_not()
    if problem and not os.environ.get("CI"):
        pytest.skip(problem)
    target, page = tmp_path / "results.json", tmp_path / "report.html"
    files = ["--json", str(target), "--html", str(page), "--no-throughput", *options]
    command = [sys.executable, "-m", "autograder.cli", "judge", str(path), *files]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "<script" not in page.read_text()
    results: dict[str, Any] = json.loads(target.read_text())
    return results


def test_the_starter_earns_exactly_nothing(tmp_path: Path) -> None:
    results = judged(ROOT / "labs" / LAB / f"{LAB}.ipynb", tmp_path)

    assert results["score"] == 0
    assert {check["verdict"] for check in results["streamlab"]["checks"]} == {"skipped"}


def test_the_reference_earns_everything_on_another_seed_too(tmp_path: Path) -> None:
    results = judged(ROOT / "solutions" / LAB / f"{LAB}.py", tmp_path, "--seed", "end to end")

    assert results["score"] == results["max_score"] > 0


def test_a_notebook_that_kills_spark_costs_only_the_task_that_did_it(tmp_path: Path) -> None:
    source = (ROOT / "solutions" / LAB / f"{LAB}.py").read_text()
    kill = "import os, signal\nfrom streamlab.spark import jvm\ndef count_words(lines):\n"
    kill += "    os.kill(jvm.start_early().process.pid, signal.SIGKILL)\n    return lines.countByValue()\n"
    path = tmp_path / f"{LAB}.py"
    path.write_text(f"{source}\n# %%\n{kill}")

    checks = judged(path, tmp_path)["streamlab"]["checks"]

    lost = {check["task"] for check in checks if check["verdict"] != "pass"}
    assert lost == {"count_words"}
