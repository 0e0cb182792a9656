"""A kit with one small lab, written to a folder."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import autograder.stages
from autograder.inside import DRIVES
from tests.autograder.verify.small_lab import FILES, LAB

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def kit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The root of the kit: the real streamlab and runner, but its own course, stage, solution and starter."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "streamlab").symlink_to(ROOT / "streamlab")
    (tmp_path / "autograder/inside").symlink_to(ROOT / "autograder/inside")
    stages = [*autograder.stages.__path__, str(tmp_path / "autograder/stages")]
    monkeypatch.setattr(autograder.stages, "__path__", stages)
    yield tmp_path
    for name in [each for each in sys.modules if LAB in each]:
        del sys.modules[name]
    for task in ("halve", "quarter"):
        DRIVES.pop(task, None)
