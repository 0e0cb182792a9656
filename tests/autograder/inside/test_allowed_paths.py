"""A learner's code may use its own folders, the system's files and this machine without a finding."""

import os
import sys
from pathlib import Path

import pytest

from autograder.inside.allowed_paths import Allowed, stays_on_this_machine


@pytest.fixture
def allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Allowed:
    for name in ("home", "tmp", "kit"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "kit"))
    return Allowed()


@pytest.mark.parametrize("name", ["home/notes.txt", "tmp/x/y", "kit/streamlab/__init__.py"])
def test_reading_its_own_folders_is_allowed(allowed: Allowed, tmp_path: Path, name: str) -> None:
    assert allowed.foreign(tmp_path / name, writes=False) is None


@pytest.mark.parametrize("name", [os.__file__, f"{sys.prefix}/pyvenv.cfg", "/dev/null", 3, b"/usr/share/dict/words"])
def test_reading_files_of_python_and_the_system_is_allowed(allowed: Allowed, name: object) -> None:
    assert allowed.foreign(name, writes=False) is None


@pytest.mark.parametrize("name", ["/proc/4711/task", "/proc/4711/status", "/proc/4711/task/4712/status"])
def test_reading_the_threads_of_a_process_is_allowed_and_writing_is_not(allowed: Allowed, name: str) -> None:
    assert allowed.foreign(name, writes=False) is None
    assert allowed.foreign(name, writes=True) == name


@pytest.mark.parametrize(
    "name", ["/root/.ssh/id_rsa", "/etc/shadow", "/proc/1/environ", "/proc/1/task/1/mem", "/data/turn-1.txt"]
)
def test_reading_elsewhere_is_a_finding(allowed: Allowed, name: str) -> None:
    assert allowed.foreign(name, writes=False) == name


@pytest.mark.parametrize("name", ["/usr/lib/x", "kit/streamlab/__init__.py"])
def test_writing_to_a_read_only_folder_is_a_finding(allowed: Allowed, tmp_path: Path, name: str) -> None:
    assert allowed.foreign(tmp_path / name, writes=True) == str(tmp_path / name)


def test_a_python_below_the_folder_of_the_learner_is_not_code_of_a_cell(
    allowed: Allowed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "tmp" / "kit" / ".venv"))

    assert not Allowed().is_a_cells(str(tmp_path / "tmp/kit/.venv/lib/pyspark/rdd.py"))
    assert Allowed().is_a_cells(str(tmp_path / "tmp/mine.py"))


def test_a_link_is_reported_by_its_target(allowed: Allowed, tmp_path: Path) -> None:
    (tmp_path / "home" / "mine").symlink_to("/etc")

    assert allowed.foreign(tmp_path / "home/mine/shadow", writes=False) == "/etc/shadow"


@pytest.mark.parametrize(
    ("address", "is_local"),
    [
        (("127.0.0.1", 80), True),
        (("::1", 80, 0, 0), True),
        ("localhost", True),
        (None, True),
        ("http://localhost:4040/jobs", True),
        (("192.0.2.1", 80), False),
        ("example.org", False),
        (b"example.org", False),
        ("http://example.org/localhost", False),
    ],
)
def test_only_loopback_stays_on_this_machine(address: object, is_local: bool) -> None:
    assert stays_on_this_machine(address) is is_local
