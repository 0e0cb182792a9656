"""The kit becomes one commit of a repository; a file that left the kit leaves the repository, nothing else is lost."""

import subprocess
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.pack import PackRejected, to_git
from autograder.pack.contents import Packed
from autograder.pack.to_git import commit_kit

OLD = [Packed("lab", True, b"#!/bin/sh\n"), Packed("streamlab/old.py", False, b"")]
NEW = [Packed("lab", True, b"#!/bin/sh\n"), Packed("streamlab/new.py", False, b"")]


@pytest.fixture
def repository(tmp_path: Path, course: Course, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new repository with a kit, made by a teacher who has told git their name."""
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "T")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "t@x.org")
    monkeypatch.setattr(to_git, "students_files", lambda root, course: OLD)
    commit_kit(tmp_path, course, tmp_path / "repository")
    monkeypatch.setattr(to_git, "students_files", lambda root, course: NEW)
    return tmp_path / "repository"


def test_an_update_replaces_the_files_in_a_second_commit(repository: Path, tmp_path: Path, course: Course) -> None:
    commit_kit(tmp_path, course, repository)

    assert git(repository, "ls-files").split() == [".gitignore", "lab", "streamlab/new.py"]
    assert git(repository, "rev-list", "--count", "HEAD").strip() == "2"
    assert git(repository, "ls-files", "--stage", "lab").startswith("100755")


def test_the_same_kit_again_is_no_commit(repository: Path, tmp_path: Path, course: Course) -> None:
    commit_kit(tmp_path, course, repository)

    assert commit_kit(tmp_path, course, repository).endswith("2 files, as before; nothing to commit")


def test_uncommitted_work_is_not_replaced(repository: Path, tmp_path: Path, course: Course) -> None:
    (repository / "lab").write_text("mine")

    with pytest.raises(PackRejected, match=r"has changes that are not committed \(M lab\)"):
        commit_kit(tmp_path, course, repository)
    assert (repository / "lab").read_text() == "mine"


def test_a_folder_with_other_files_is_rejected(tmp_path: Path, course: Course, repository: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.tex").touch()

    with pytest.raises(PackRejected, match="is not empty and not a git repository"):
        commit_kit(tmp_path, course, tmp_path / "other")


def git(repository: Path, *command: str) -> str:
    """Return the output of a git command."""
    return subprocess.run(["git", *command], cwd=repository, capture_output=True, text=True, check=True).stdout
