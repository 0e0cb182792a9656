"""The command line keeps its contract: exit codes, one line for a mistake, results on stdout."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


def lab(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "autograder.cli", *arguments]
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(Path.home()), "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"}
    environment["STREAMLAB_CALLED_FROM"] = str(cwd)
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=cwd, timeout=300)


def test_help_groups_the_verbs_by_audience() -> None:
    page = lab("--help")

    assert page.returncode == 0
    for word in ("Learners", "Instructors", "Authors", "judge", "verify"):
        assert word in page.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing"], "no verb nothing"),
        (["judge"], "NOTEBOOK"),
        (["judge", "missing.ipynb"], "no file"),
        (["judge", "course.yml"], "expected a notebook"),
        (["judge", "README.md", "--lab", "lab77"], "no lab lab77"),
        (["judge", "README.md", "--json", "/nowhere/x.json"], "no folder /nowhere"),
        (["judge", "README.md", "--sandbox", "none"], "none"),
        (["hint", "lab01_wordcount/nothing"], "no task nothing"),
        (["check", "lab77"], "no lab lab77"),
        (["verify", "lab77"], "no lab lab77"),
        (["reset", "lab77"], "no lab lab77"),
    ],
)
def test_a_mistake_is_one_line_on_stderr_and_exit_code_2(arguments: list[str], message: str) -> None:
    done = lab(*arguments)

    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""


def test_results_of_unreadable_notebooks_in_a_batch_are_written_like_any_other(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "lab01_wordcount.ipynb").write_text("not json")
    target = tmp_path / "results.json"

    files = [str(tmp_path / name / "lab01_wordcount.ipynb") for name in ("a", "b")]
    done = lab("judge", *files, "--json", str(target))

    assert done.returncode == 0
    results = json.loads(target.read_text())
    assert [each["score"] for each in results] == [0, 0]
    assert results[0]["max_score"] > 0
