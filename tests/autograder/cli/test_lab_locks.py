"""Packages of a lab are installed into .venv at first use, and only if some are missing."""

import hashlib
import os
import subprocess
import sys
import sysconfig
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

from autograder.cli import lab_locks
from autograder.cli.context import UserError
from autograder.cli.lab_locks import ensure_locks

ROOT = Path(__file__).resolve().parents[3]
LOCK = "requirements-lab42.lock"
WHEEL = {
    "answer_of_lab42.py": "VALUE = 42\n",
    "answer_of_lab42-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: answer-of-lab42\nVersion: 1\n",
    "answer_of_lab42-1.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    "answer_of_lab42-1.dist-info/RECORD": "",
}
USES_IT = """
import sys
from pathlib import Path
from autograder.cli.lab_locks import ensure_locks
for _ in range(2):
    ensure_locks(["requirements-lab42.lock"], Path(sys.argv[1]))
import answer_of_lab42
print(answer_of_lab42.VALUE)
"""


class Done:
    returncode = 0


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    """A kit whose environment sees this one's packages, and a lock of one package that pip finds next to the kit."""
    root = tmp_path / "my kit"
    base = getattr(sys, "_base_executable", sys.executable)
    subprocess.run([base, "-m", "venv", "--without-pip", root / ".venv"], check=True)
    packages = next((root / ".venv").glob("lib/python3*/site-packages"))
    (packages / "others.pth").write_text(f"{sysconfig.get_path('purelib')}\n{ROOT}\n")
    with zipfile.ZipFile(tmp_path / "answer_of_lab42-1-py3-none-any.whl", "w") as wheel:
        for name, content in WHEEL.items():
            wheel.writestr(name, content)
    write_lock(root, hashlib.sha256((tmp_path / "answer_of_lab42-1-py3-none-any.whl").read_bytes()).hexdigest())
    return root


def write_lock(root: Path, digest: str) -> None:
    (root / LOCK).write_text(f"answer-of-lab42==1 \\\n    --hash=sha256:{digest}\n")


def use(kit: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(kit.parent), "PYTHONPATH": ""}
    command = [kit / ".venv" / "bin" / "python", "-c", USES_IT, kit]
    return subprocess.run(command, cwd=kit, env=environment, capture_output=True, text=True, timeout=120)


@pytest.mark.slow
def test_missing_packages_are_installed_once_and_can_be_imported_at_once(kit: Path) -> None:
    done = use(kit)

    messages = [line for line in done.stderr.splitlines() if "installing" in line]
    assert done.stdout == "42\n", done.stderr
    assert messages == [f"lab: installing the packages of {LOCK}, which only some labs need, into .venv (once)"]


@pytest.mark.slow
def test_a_package_that_was_removed_is_installed_again(kit: Path) -> None:
    use(kit)
    for part in kit.glob(".venv/lib/python3*/site-packages/answer_of_lab42-1.dist-info/METADATA"):
        part.unlink()
        part.parent.rename(part.parent.with_name("gone"))

    again = use(kit)

    assert again.stdout == "42\n"
    assert "installing the packages" in again.stderr


@pytest.mark.slow
def test_an_interrupted_installation_is_repaired_though_no_package_seems_to_be_missing(kit: Path) -> None:
    use(kit)
    next(kit.glob(".venv/lib/python3*/site-packages/answer_of_lab42.py")).write_text("")
    stamp = kit / ".venv" / "streamlab-stamp-lab42"
    stamp.rename(stamp.with_name(f"{stamp.name}.unfinished"))

    again = use(kit)

    assert again.stdout == "42\n", again.stderr
    assert again.stderr.count("installing the packages") == 1


def test_an_environment_without_a_stamp_that_the_user_created_is_not_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / LOCK).write_text(f"pytest=={version('pytest')}\n")
    (tmp_path / ".venv").mkdir()
    commands: list[list[str]] = []
    monkeypatch.setattr(lab_locks.subprocess, "run", lambda command, **_: commands.append(command) or Done)
    ensure_locks([LOCK], tmp_path)
    of_user = len(commands)
    monkeypatch.setattr(lab_locks.sys, "prefix", str(tmp_path / ".venv"))
    ensure_locks([LOCK], tmp_path)

    assert (of_user, len(commands)) == (0, 1)  # the second is the kit's own


def test_a_package_with_another_checksum_is_not_installed(kit: Path) -> None:
    write_lock(kit, "0" * 64)

    done = use(kit)

    assert (done.returncode, done.stdout) == (2, "")
    assert "lab: the packages could not be installed; the whole log is" in done.stderr
    assert not list(kit.glob(".venv/lib/python3*/site-packages/answer_of_lab42.py"))


def test_an_environment_of_the_user_is_not_changed_and_the_error_shows_the_command(tmp_path: Path) -> None:
    (tmp_path / LOCK).write_text("no-such-package==1\n")

    with pytest.raises(UserError, match=rf"no-such-package 1 of {LOCK} is not installed in .*pip install"):
        ensure_locks([LOCK], tmp_path)


def test_no_command_runs_if_no_package_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / LOCK).write_text(f"pytest=={version('pytest')}\n")
    monkeypatch.setattr(lab_locks.subprocess, "run", None)

    ensure_locks([LOCK], tmp_path)
