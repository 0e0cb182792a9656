"""`./lab demo` shows the system, then judges the reference; a student's kit judges the baseline of the notebook."""

import json
import shutil
from pathlib import Path

import pytest

from autograder.cli import demo
from streamlab.notebooks.labfile import read_lab
from tests.autograder.cli.conftest import ROOT

STARTER = Path("labs", demo.LAB, f"{demo.LAB}.ipynb")
BASELINE = Path("autograder", "stages", demo.LAB, "baselines", "slides_pipeline.py")


def test_the_last_line_points_to_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    demo._where_next()

    assert "./lab system up --virtual" in capsys.readouterr().out.splitlines()[-1]


def test_a_kit_with_a_reference_judges_the_reference(tmp_path: Path) -> None:
    work, about = demo._work_to_judge(ROOT / STARTER, tmp_path)

    assert work == ROOT / "solutions" / demo.LAB / f"{demo.LAB}.py"
    assert about == "the kit's reference"
    assert list(tmp_path.iterdir()) == []


def test_a_kit_without_a_reference_judges_the_starter_with_the_tasks_of_the_baseline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit = tmp_path / "kit"
    for path in (STARTER, BASELINE):
        (kit / path).parent.mkdir(parents=True)
        shutil.copy(ROOT / path, kit / path)
    monkeypatch.setattr(demo, "ROOT", kit)

    work, about = demo._work_to_judge(kit / STARTER, tmp_path)

    filled = {cell.name: cell.source for cell in read_lab(work).cells if cell.role == "task"}
    printed = {cell.name: cell.source for cell in read_lab(ROOT / BASELINE).cells if cell.role == "task"}
    assert work == tmp_path / "slides_pipeline.ipynb"
    assert "the slides' pipeline" in about
    assert {task for task, code in filled.items() if "NotImplementedError" not in code} == set(printed)
    assert printed.items() <= filled.items()
    assert json.loads(work.read_text())["metadata"]["streamlab"]["lab"] == demo.LAB
