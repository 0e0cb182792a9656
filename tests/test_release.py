"""`.ci/release` makes a release in one command, or changes nothing and says why in one line."""

import shutil
import subprocess
from datetime import date
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / ".ci" / "release"
FILES = {
    "course.yml": 'course: Small\nrelease: "2026.9"\n',
    "pyproject.toml": '[project]\nname = "small"\nversion = "2026.9"\n',
    "CITATION.cff": 'cff-version: 1.2.0\nversion: "2026.9"\ndate-released: "2026-11-25"\n',
    "docker/Dockerfile": "FROM scratch\nARG STREAMLAB_RELEASE=2026.9\n",
    "CHANGELOG.md": "# Changelog\n\n## Unreleased\n\n- Labs have doors.\n\n## 2026.9 (2026-11-25)\n\n- First.\n",
    "labs/small.ipynb": "2026.9\n",
    "lab": '#!/bin/sh\n[ "$1" = build ] && sed -n \'s/^release: *"\\(.*\\)"$/\\1/p\' course.yml >labs/small.ipynb\n',
}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository of release 2026.9 with one commit; its `./lab build` writes the release into a notebook."""
    for name, content in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    (tmp_path / "lab").chmod(0o755)
    (tmp_path / ".ci").mkdir()
    shutil.copy(SCRIPT, tmp_path / ".ci" / "release")
    git(tmp_path, "init", "--quiet", "--initial-branch", "main")
    git(tmp_path, "config", "user.name", "Author")
    git(tmp_path, "config", "user.email", "author@example.org")
    commit(tmp_path)
    return tmp_path


def git(repository: Path, *arguments: str) -> str:
    command = ["git", "-C", str(repository), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def commit(repository: Path) -> None:
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message", "Change something")


def release(repository: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    script = str(repository / ".ci" / "release")
    return subprocess.run([script, *arguments], cwd="/", capture_output=True, text=True, timeout=60)


def test_a_release_sets_the_number_everywhere_rebuilds_commits_and_tags(repository: Path) -> None:
    done = release(repository, "2026.10")

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "committed and tagged 2026.10; `git push --follow-tags` publishes it\n"
    changed = git(repository, "show", "--name-only", "--format=%s", "2026.10^{commit}").splitlines()
    assert changed[0] == "Release 2026.10"
    assert sorted(changed[2:]) == sorted(set(FILES) - {"lab"})
    numbered = [name for name in FILES if "2026.10" in (repository / name).read_text()]
    assert sorted(numbered) == sorted(set(FILES) - {"lab"})
    assert git(repository, "cat-file", "-t", "2026.10") == "tag"
    assert git(repository, "status", "--porcelain") == ""


def test_the_entries_of_unreleased_become_those_of_the_release_with_its_date(repository: Path) -> None:
    release(repository, "2026.10")

    today = date.today().isoformat()
    assert (repository / "CHANGELOG.md").read_text() == (
        f"# Changelog\n\n## Unreleased\n\n## 2026.10 ({today})\n\n- Labs have doors.\n\n"
        "## 2026.9 (2026-11-25)\n\n- First.\n"
    )
    assert f'date-released: "{today}"' in (repository / "CITATION.cff").read_text()


@pytest.mark.parametrize(
    ("number", "why"),
    [
        ("2026.9", "2026.9 is not newer than 2026.9, the release in course.yml; choose a higher number"),
        ("2026.8", "2026.8 is not newer than 2026.9, the release in course.yml; choose a higher number"),
        ("2025.10", "2025.10 is not newer than 2026.9, the release in course.yml; choose a higher number"),
        ("v2026.10", "expected a number like 2026.2 (year, dot, count), got 'v2026.10'"),
        ("2026.010", "expected a number like 2026.2 (year, dot, count), got '2026.010'"),
    ],
)
def test_a_number_that_is_not_newer_or_not_a_number_is_rejected(repository: Path, number: str, why: str) -> None:
    assert_rejected(repository, number, why)


def test_uncommitted_changes_are_rejected(repository: Path) -> None:
    (repository / "notes.txt").write_text("mine")

    assert_rejected(repository, "2026.10", "uncommitted changes (notes.txt); commit or stash them first")
    assert (repository / "notes.txt").read_text() == "mine"


def test_an_empty_unreleased_section_is_rejected(repository: Path) -> None:
    changelog = repository / "CHANGELOG.md"
    changelog.write_text(FILES["CHANGELOG.md"].replace("- Labs have doors.\n", ""))
    commit(repository)

    why = 'CHANGELOG.md: expected entries in the section "## Unreleased", got none; list the changes'
    assert_rejected(repository, "2026.10", why)


def test_a_tag_that_exists_is_rejected(repository: Path) -> None:
    git(repository, "tag", "2026.10")

    assert_rejected(repository, "2026.10", "the tag 2026.10 exists already; choose a higher number")


def test_a_file_without_the_number_is_rejected(repository: Path) -> None:
    (repository / "docker" / "Dockerfile").write_text("FROM scratch\n")
    commit(repository)

    why = r"docker/Dockerfile: expected one line that matches ^(ARG STREAMLAB_RELEASE=)\S+, got 0"
    assert_rejected(repository, "2026.10", why)


def test_if_the_build_fails_everything_is_as_before(repository: Path) -> None:
    (repository / "lab").write_text("#!/bin/sh\ntouch labs/half.ipynb\nexit 2\n")
    commit(repository)

    assert_rejected(repository, "2026.10", "`./lab build` failed, for the reason above; nothing has changed")


def test_without_a_number_it_says_how_to_call_it(repository: Path) -> None:
    done = release(repository)

    assert (done.returncode, done.stderr) == (2, "usage: .ci/release NUMBER, for example .ci/release 2026.2\n")


def assert_rejected(repository: Path, number: str, why: str) -> None:
    """Assert that the release fails with this one line, and that commits, tags and files are as before."""
    state = [("rev-parse", "HEAD"), ("tag", "--list"), ("status", "--porcelain")]
    before = [git(repository, *each) for each in state]

    done = release(repository, number)

    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"release: {why}\n")
    assert [git(repository, *each) for each in state] == before


def test_every_line_that_a_release_sets_is_in_this_repository() -> None:
    number = yaml.safe_load((ROOT / "course.yml").read_text(encoding="utf-8"))["release"]

    assert f'version = "{number}"' in (ROOT / "pyproject.toml").read_text()
    assert f'version: "{number}"' in (ROOT / "CITATION.cff").read_text()
    assert f"ARG STREAMLAB_RELEASE={number}\n" in (ROOT / "docker" / "Dockerfile").read_text()
    assert f"\n## {number} (" in (ROOT / "CHANGELOG.md").read_text()
