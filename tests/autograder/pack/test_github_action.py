"""The repository for GitHub has the starter, the student's kit and a workflow that calls verbs which this kit has."""

import re
import zipfile
from pathlib import Path

import pytest
import yaml

from autograder.course import Course
from autograder.pack import github_action
from autograder.pack.contents import Packed
from autograder.pack.github_action import pack_for_github

LAB = "lab01_wordcount"
KIT = [Packed("lab", True, b""), Packed("course.yml", False, b""), Packed(f"labs/{LAB}/{LAB}.ipynb", False, b"{}")]


@pytest.fixture
def repository(tmp_path: Path, course: Course, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The repository, unpacked; its kit is a small one."""
    monkeypatch.setattr(github_action, "students_files", lambda root, course: KIT)
    pack_for_github(tmp_path, course, LAB, tmp_path / "repository.zip")
    with zipfile.ZipFile(tmp_path / "repository.zip") as archive:
        archive.extractall(tmp_path / "repository")
    return tmp_path / "repository"


def test_the_starter_is_at_the_top_and_the_kit_in_its_folder(repository: Path) -> None:
    files = {path.relative_to(repository).as_posix() for path in repository.rglob("*") if path.is_file()}

    assert files == {
        *(".github/workflows/check.yml", ".gitignore", "README.md", f"{LAB}/{LAB}.ipynb"),
        *("kit/lab", "kit/course.yml", f"kit/labs/{LAB}/{LAB}.ipynb"),
    }


def test_the_workflow_may_only_read_and_judges_this_lab(repository: Path) -> None:
    text = (repository / ".github/workflows/check.yml").read_text()

    workflow = yaml.safe_load(text)
    commands = re.findall(r"\./kit/lab .*", text)
    assert workflow["permissions"] == {"contents": "read"}
    assert [command.split()[1] for command in commands] == ["install", "judge"]
    assert all(f" {LAB}" in command for command in commands)


def test_the_guide_names_the_lab_and_says_that_verdicts_are_no_mark(repository: Path) -> None:
    guide = (repository / "README.md").read_text()

    assert guide.startswith(f"# {LAB}\n")
    assert f"STREAMLAB_WORK=. ./kit/lab start {LAB}" in guide
    assert "The verdicts are advice, and no mark." in guide
