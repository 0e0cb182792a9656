"""Writes the student's kit into a git repository, as one commit: for nbgitpuller and for templates of a class."""

import subprocess
from pathlib import Path

from autograder.course import Course
from autograder.pack.archive import PackRejected, folder_name, students_files, write_files

IGNORED = ".venv*\n.cache/\nwork/\n__pycache__/\n.ipynb_checkpoints/\n"


def commit_kit(root: Path, course: Course, repository: Path) -> str:
    """Replace all files of `repository` by those of the kit of `root`, and commit them; return a sentence about it.

    The folder becomes a repository if it does not exist or is empty. Raises PackRejected, also if it holds changes that
    are not committed.
    """
    files = students_files(root, course)
    _require_clean(repository)
    _git(repository, "rm", "-r", "--quiet", "--ignore-unmatch", ".")
    write_files(files, repository)
    (repository / ".gitignore").write_text(IGNORED, encoding="utf-8")
    _git(repository, "add", "--all", "--force", *(file.name for file in files), ".gitignore")
    if not _git(repository, "status", "--porcelain"):
        return f"{repository}: {len(files)} files, as before; nothing to commit"
    _git(repository, "commit", "--quiet", "--message", f"Update the kit to {folder_name(course)}")
    return f"{repository}: {len(files)} files, committed; push it where your students pull from"


def _require_clean(repository: Path) -> None:
    """Make an empty folder a repository; raises PackRejected for other folders, and for uncommitted changes."""
    repository.mkdir(parents=True, exist_ok=True)
    if not any(repository.iterdir()):
        _git(repository, "init", "--quiet")
    if not (repository / ".git").exists():
        raise PackRejected([f"{repository} is not empty and not a git repository; name another folder"])
    if changes := _git(repository, "status", "--porcelain"):
        first = changes.splitlines()[0].strip()
        raise PackRejected([f"{repository} has changes that are not committed ({first}); commit or remove them"])


def _git(repository: Path, *command: str) -> str:
    done = subprocess.run(["git", *command], cwd=repository, capture_output=True, text=True, check=False)
    if done.returncode:
        why = (done.stderr.strip() or done.stdout.strip() or "no message").splitlines()[0]
        raise PackRejected([f"git {command[0]} failed in {repository}: {why}"])
    return done.stdout
