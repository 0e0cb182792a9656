"""A copy of this kit that a test may change."""

import shutil
from pathlib import Path

import pytest

from autograder.course import Course, load_course

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = ("autograder", "streamlab", "labs", "solutions", "datasets", "docker", "docs", "LICENSES", ".devcontainer")
LAB_LOCKS = [path.name for path in ROOT.glob("requirements-*") if "-uv." not in path.name]
LOCKS = ("requirements.in", "requirements.lock", "requirements-uv.lock", *LAB_LOCKS)
FILES = ("lab", ".dockerignore", "LICENSE", "NOTICE", "course.yml", "README.md", *LOCKS)


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    """A copy of the files of the kit that matter for packing."""
    return copied(tmp_path / "a kit")


def copied(root: Path) -> Path:
    """Copy this kit into the new folder `root`, and return it."""
    for name in FOLDERS:
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints"))
    for name in FILES:
        shutil.copy(ROOT / name, root / name)
    return root


@pytest.fixture
def course() -> Course:
    """The course of this kit."""
    return load_course(ROOT)
