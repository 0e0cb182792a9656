"""Without the last lab, the rest of the kit builds and its tests pass: no other part needs the lab."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.course import load_course

ROOT = Path(__file__).resolve().parents[1]
LAST = list(load_course(ROOT).labs)[-1]
TESTS = ("test_tree.py", "docker", "autograder/builder", "autograder/checks", "autograder/course", "autograder/hostile")
MORE_TESTS = ("autograder/releases", "autograder/report", "autograder/cli/test_experiments.py")
IN_PARALLEL = ("-n", "2", "-m", "not slow and not docker and not alone")


def listed(*patterns: str) -> list[str]:
    done = subprocess.run(["git", "ls-files", *patterns], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in done.stdout.splitlines() if (ROOT / name).is_file()]


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    """A copy of the kit without the files of the last lab, its section of course.yml, and the lines that name it."""
    for name in set(listed()) - set(listed(f"*{LAST}*")):
        copy = tmp_path / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy)
        if name != "course.yml" and copy.suffix in (".py", ".yml", ".sh", "") and copy.stat().st_size < 100_000:
            copy.write_text(without(LAST, copy.read_text(encoding="utf-8")), encoding="utf-8")
    course = (ROOT / "course.yml").read_text(encoding="utf-8")
    (tmp_path / "course.yml").write_text(re.split(rf"\n+  {LAST}:\n", course)[0] + "\n", encoding="utf-8")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)  # tests list the files of a lab
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    return tmp_path


def without(lab: str, text: str) -> str:
    """Return a text without the lab's name in a loop of the shell, and without the other lines that have it."""
    lines = [re.sub(rf"(for \w+ in .*) {lab}\b", r"\1", line) for line in text.splitlines(keepends=True)]
    return "".join(line for line in lines if lab not in line)


def run_in(kit: Path, *arguments: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(kit)}
    done = subprocess.run([sys.executable, *arguments], cwd=kit, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]


@pytest.mark.slow
def test_the_kit_builds_and_its_quick_tests_pass_without_the_last_lab(kit: Path) -> None:
    run_in(kit, "-P", "-m", "autograder.cli", "build")

    run_in(kit, "-P", "-m", "autograder.cli", "build", "--check")
    run_in(kit, "-m", "pytest", "-q", "--collect-only", "tests")
    run_in(kit, "-m", "pytest", "-q", *IN_PARALLEL, *(f"tests/{name}" for name in (*TESTS, *MORE_TESTS)))
