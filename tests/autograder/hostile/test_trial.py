"""The trial finds what an attack gains, disturbs or leaves; `./lab verify --attacks` shows that attacks fail."""

import os
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from autograder.course import load_course
from autograder.hostile import trial
from autograder.hostile.attack import Attack, read_attacks
from autograder.hostile.trial import Trial, table, try_all
from autograder.judge.request import Request
from autograder.sandbox.bubblewrap import why_not

pytestmark = [pytest.mark.alone, pytest.mark.slow]  # the trial searches all processes for those that an attack left
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def _bubblewrap_works() -> None:
    problem = why_not()
    if problem and not os.environ.get("CI"):
        pytest.skip(problem)
    assert problem is None, problem


def tried(monkeypatch: pytest.MonkeyPatch, folder: Path, *attacks: Attack) -> Trial:
    monkeypatch.setattr(trial, "read_attacks", lambda: list(attacks))
    monkeypatch.setattr(trial, "FILE_ATTACKS", [])
    return try_all(
        Request(ROOT, load_course(ROOT), workers=2), folder, throughput_checks=False, on_progress=lambda text: None
    )


def attack(name: str) -> Attack:
    return next(each for each in read_attacks() if each.name == name)


def test_points_that_an_attack_gains_or_costs_are_a_hole(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    right = 'def words(line):\n    return [w.casefold() for w in re.findall(r"[^\\W_]+(?:\'[^\\W_]+)*", line)]\n'
    gains = Attack("gains", "It is right.", right, named="Passed 34 cases")
    costs = Attack("costs", "It breaks the other task.", "def deliver(*_):\n    return 1\n", named="words")
    silent = Attack("silent", "It does nothing.", "x = 1\n", named="never said")

    found = tried(monkeypatch, tmp_path, gains, costs, silent)
    holes = found.holes()

    assert [hole.split(" ")[1:3] for hole in holes] == [["costs", "cost"], ["gains", "gained"], ["silent", "is"]]
    assert [line.split()[0] for line in table(found.attack_results)] == ["costs", "gains", "silent"]


def test_a_changed_file_or_a_process_left_outside_is_a_hole(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    judge_each, left = trial.judge_each, []

    def judge_and_meddle(*order: Any) -> Any:
        (trial_of[0] / "secret").write_text("known")
        left.append(subprocess.Popen(["sleep", "100"]))
        return judge_each(*order)

    trial_of: list[Path] = []
    outside = trial.outside

    def remembered(*arguments: Any) -> Any:
        context = outside(*arguments)

        class Remembered:
            def __enter__(self) -> Any:
                around = context.__enter__()
                trial_of.append(around.targets.class_folder)
                return replace(around)

            def __exit__(self, *problem: Any) -> Any:
                return context.__exit__(*problem)

        return Remembered()

    monkeypatch.setattr(trial, "outside", remembered)
    monkeypatch.setattr(trial, "judge_each", judge_and_meddle)
    monkeypatch.setattr("autograder.hostile.surroundings.EXIT_GRACE_S", 0.1)
    try:
        holes = tried(monkeypatch, tmp_path, attack("half_a_character")).holes()
    finally:
        for each in left:
            each.kill()
            each.wait()

    assert any(hole.endswith("class/secret") for hole in holes)
    assert any("left the process" in hole and "sleep" in hole for hole in holes)
