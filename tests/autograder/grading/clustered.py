"""A kit with small labs that a cluster's workers can have, too, and a class that is judged with it."""

import json
import os
import shutil
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from tests.autograder.judge import chained_kit, test_throughput
from tests.streamlab.spark.plain_cluster import PlainCluster, wait_until

ROOT = Path(__file__).resolve().parents[3]
SANDBOX = "autograder.inside"
LAB, LATER = "lab99_tiny", "lab98_later"
JOB = Path(__file__).with_name("grading_job.py")
SECONDS = "import time\ndef double(n):\n    time.sleep({s})\n    return 2 * n"
RIGHT = {"double": "def double(n):\n    return n + n", "triple": "def triple(n):\n    return 3 * n"}
MEASURED = {"ratio", "low", "high", "pairs", "rate_per_s", "baseline_per_s", "samples", "sentence"}


def make_kit(root: Path, course: str, drive: str, checks: str) -> Path:
    """Copy this kit, with a course of the tiny lab with a throughput check and a lab that builds on it."""
    skip = shutil.ignore_patterns("__pycache__", "lab0*", "hostile")
    for name in ("streamlab", "autograder", "solutions", "labs"):
        shutil.copytree(ROOT / name, root / name, ignore=skip)
    rule = "{checks: {twice_the_number: 2}, throughput: {baseline: slow, threshold: 1.5, points: 2}}"
    course = course.replace("points: 4", "points: 6").replace("{checks: {twice_the_number: 2}}", rule)
    limits = "limits: {wall_s: 240, load_s: 60, case_s: 60, memory_mb: 1600, output_mb: 4, processes: 1000}"
    lines = [limits if line.startswith("limits:") else line for line in course.splitlines()]
    (root / "course.yml").write_text("\n".join(lines) + f"\n{chained_kit.ENTRY}")
    _stage(root, LAB, drive + test_throughput.THROUGHPUT_DRIVE, checks + test_throughput.THROUGHPUT_CHECK)
    _stage(root, LATER, chained_kit.DRIVE, chained_kit.CHECKS)
    (root / "autograder/stages" / LAB / "baselines").mkdir()
    (root / "autograder/stages" / LAB / "baselines/slow.py").write_text(f"# %%\n{test_throughput.SLOW}\n")
    (root / "solutions" / LAB).mkdir()
    (root / "solutions" / LAB / f"{LAB}.py").write_text(f'# %% task="double"\n{RIGHT["double"]}\n')
    return root


def _stage(root: Path, lab: str, drive: str, checks: str) -> None:
    folder = root / "autograder/stages" / lab / "group"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").touch()
    for name, text in {"__init__.py": "", "drive.py": drive, "checks.py": checks}.items():
        (folder / name).write_text(text)


@dataclass
class ClusteredClass:
    """A class, the programs that grade it, and its results."""

    kit: Path
    folder: Path
    environment: dict[str, str]

    def hand_in(self, student: str, *sources: str, lab: str = LAB) -> Path:
        """Hand in a notebook with these cells; return its path."""
        path = self.folder / "submitted" / student / lab / f"{lab}.ipynb"
        path.parent.mkdir(parents=True)
        cells = [{"cell_type": "code", "metadata": {}, "source": source} for source in sources]
        about = {"streamlab": {"lab": lab, "release": "1"}}
        path.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": about, "cells": cells}))
        return path

    def judging(self, lab: str = LAB, *more: str, master: str | None = None) -> "subprocess.Popen[str]":
        """Start the program that judges the class."""
        command = [sys.executable, str(JOB), lab, *more, *(["--master", master] if master else [])]
        return self._start(command)

    def grade(self, *arguments: str, **environment: str) -> "subprocess.Popen[str]":
        """Start `./lab grade`."""
        return self._start([sys.executable, "-m", "autograder.cli", "grade", *arguments], **environment)

    def _start(self, command: list[str], **more: str) -> "subprocess.Popen[str]":
        own = {**os.environ, **self.environment, "PYTHONPATH": str(self.kit), "STREAMLAB_CLASS": str(self.folder)}
        own = {**own, **more}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(command, env=own, cwd=self.kit, text=True, **pipes)

    def results(self, lab: str = LAB) -> dict[str, Any]:
        """Return the cached results without the figures that vary from run to run, and delete them for the next run."""
        found = {
            path.stem: json.loads(path.read_text(encoding="utf-8"))
            for path in sorted((self.folder / "results" / lab).glob("*.json"))
        }
        shutil.rmtree(self.folder / "results")
        for each in found.values():
            each["results"]["streamlab"].pop("timing")
            _without_figures(each["results"])
        return found


def _without_figures(results: dict[str, Any]) -> None:
    throughput_checks = results["streamlab"]["throughput"]
    names = {
        f"{results['streamlab']['lab']}/{throughput['task']}/{throughput['check']}" for throughput in throughput_checks
    }
    for throughput in throughput_checks:
        for name in MEASURED:
            throughput.pop(name)
    for test in results["tests"]:
        if test["name"] in names:
            test.pop("output")


def ended(process: "subprocess.Popen[str]", limit_s: float = 120.0) -> tuple[int, str, str]:
    """Wait for the end; return exit code and unread output. `communicate` would lose lines that are buffered here."""
    assert process.stdout is not None
    assert process.stderr is not None
    stop = threading.Timer(limit_s, process.kill)
    stop.start()
    try:
        out, err = process.stdout.read(), process.stderr.read()
        return process.wait(), out, err
    finally:
        stop.cancel()


def sandboxes_of(cluster: PlainCluster) -> list[psutil.Process]:
    """Return the sandboxes that run on the workers, at any depth of the process tree."""
    below = [each for worker in cluster.workers for each in psutil.Process(worker.pid).children(recursive=True)]
    return [each for each in below if each.is_running() and SANDBOX in _command_of(each)]


def _command_of(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


def until_sandboxes_run(cluster: PlainCluster, count: int) -> list[psutil.Process]:
    found: list[psutil.Process] = []

    def enough() -> bool:
        found[:] = sandboxes_of(cluster)
        return len(found) >= count

    wait_until(enough, f"there are no {count} sandboxes")
    return found


def until_all_have_ended(processes: list[psutil.Process]) -> None:
    wait_until(lambda: not any(each.is_running() for each in processes), "a sandbox outlives its task")


def executor_of(sandbox: psutil.Process) -> int:
    return next(each.pid for each in sandbox.parents() if "CoarseGrainedExecutorBackend" in _command_of(each))
