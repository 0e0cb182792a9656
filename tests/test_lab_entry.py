"""`./lab` makes its own environment, from anywhere, and says in one line what is missing."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CLI = "import os, sys\nprint(sys.prefix, os.environ['STREAMLAB_CALLED_FROM'], *sys.argv[1:], sep='|')\n"


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    """A kit whose lock is empty and whose command line only tells how it was called; its path has a space."""
    root = tmp_path / "my kit"
    (root / "autograder" / "cli").mkdir(parents=True)
    for package in ("autograder", "autograder/cli"):
        (root / package / "__init__.py").write_text("")
    (root / "autograder" / "cli" / "__main__.py").write_text(CLI)
    (root / "requirements.lock").write_text("# nothing\n")
    shutil.copy(ROOT / "lab", root / "lab")
    return root


def run(program: Path | str, *arguments: str, cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": f"{Path(sys.base_prefix) / 'bin'}:/usr/bin:/bin", "HOME": str(cwd), **more}
    command = [str(program), *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=120)


def test_it_works_from_another_folder_in_a_path_with_a_space_and_through_a_link(kit: Path, tmp_path: Path) -> None:
    first = run(kit / "lab", "judge", "a file.ipynb", cwd=tmp_path)
    (tmp_path / "link").symlink_to(kit / "lab")
    linked = run(tmp_path / "link", "x", cwd=tmp_path)

    assert first.stdout.strip() == f"{kit}/.venv|{tmp_path}|judge|a file.ipynb"
    assert "installing" in first.stderr
    assert linked.stdout.strip() == f"{kit}/.venv|{tmp_path}|x"
    assert linked.stderr == ""


def test_it_installs_again_when_the_lock_changes_or_the_folder_moves(kit: Path, tmp_path: Path) -> None:
    run(kit / "lab", cwd=tmp_path)
    (kit / "requirements.lock").write_text("# still nothing\n")
    changed = run(kit / "lab", cwd=tmp_path)
    kit.rename(tmp_path / "moved")
    moved = run(tmp_path / "moved" / "lab", cwd=tmp_path)

    assert "installing" in changed.stderr
    assert "installing" in moved.stderr
    assert moved.stdout.startswith(f"{tmp_path}/moved/.venv|")


def test_an_install_that_fails_is_told_and_tried_again_the_next_time(kit: Path, tmp_path: Path) -> None:
    (kit / "requirements.lock").write_text("no such package, surely==1\n")

    failed = run(kit / "lab", cwd=tmp_path)

    assert failed.returncode == 2
    assert "could not be installed" in failed.stderr
    assert not (kit / ".venv" / "streamlab-stamp").exists()
    assert not (kit / ".venv-lock").exists()


def test_a_lock_of_a_lab_that_was_killed_does_not_block(kit: Path, tmp_path: Path) -> None:
    (kit / ".venv-lock").mkdir()
    ended = subprocess.Popen(["true"])
    ended.wait()
    (kit / ".venv-lock" / "pid").write_text(str(ended.pid))

    assert run(kit / "lab", cwd=tmp_path).returncode == 0


def test_without_a_fitting_python_it_says_how_to_get_one(kit: Path, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("sh", "dirname", "readlink", "cat", "cksum", "mkdir", "rm", "sleep"):
        (tools / name).symlink_to(shutil.which(name) or "/bin/sh")
    (kit / "lab").write_text((kit / "lab").read_text().replace("/usr/bin/python3", "/nowhere/python3"))

    done = run("/bin/sh", str(kit / "lab"), cwd=tmp_path, PATH=str(tools))

    assert done.returncode == 2
    assert "Python 3.11, 3.12 or 3.13 not found" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.skipif(os.geteuid() == 0 and not os.environ.get("CI"), reason="root can write everywhere")
def test_a_folder_that_cannot_be_written_is_one_line(kit: Path, tmp_path: Path) -> None:
    if os.geteuid() == 0:
        shutil.chown(kit, 0, 0)
        command = ["setpriv", "--reuid=65534", "--clear-groups", "/bin/sh", str(kit / "lab")]
        above = [each for each in tmp_path.parents if each.is_relative_to(tempfile.gettempdir())]
        for folder in (tmp_path, *above[:-1]):
            folder.chmod(0o755)
    else:
        kit.chmod(0o555)
        command = ["/bin/sh", str(kit / "lab")]

    done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd="/")

    assert done.returncode == 2
    assert "cannot be written" in done.stderr
