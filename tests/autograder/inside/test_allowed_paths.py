"""What a learner's code may use without a word: its own places, the system's files, this machine."""

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
def test_reading_its_own_places_is_usual(allowed: Allowed, tmp_path: Path, name: str) -> None:
    assert allowed.foreign(tmp_path / name, writes=False) is None


@pytest.mark.parametrize("name", [os.__file__, f"{sys.prefix}/pyvenv.cfg", "/dev/null", 3, b"/usr/share/dict/words"])
def test_reading_pythons_and_the_systems_files_is_usual(allowed: Allowed, name: object) -> None:
    assert allowed.foreign(name, writes=False) is None


@pytest.mark.parametrize("name", ["/proc/4711/task", "/proc/4711/status", "/proc/4711/task/4712/status"])
def test_reading_the_threads_of_a_process_is_usual_and_writing_is_not(allowed: Allowed, name: str) -> None:
    assert allowed.foreign(name, writes=False) is None
    assert allowed.foreign(name, writes=True) == name


@pytest.mark.parametrize(
    "name", ["/root/.ssh/id_rsa", "/etc/shadow", "/proc/1/environ", "/proc/1/task/1/mem", "/data/turn-1.txt"]
)
def test_reading_elsewhere_is_named(allowed: Allowed, name: str) -> None:
    assert allowed.foreign(name, writes=False) == name


@pytest.mark.parametrize("name", ["/usr/lib/x", "kit/streamlab/__init__.py"])
def test_writing_where_it_may_only_read_is_named(allowed: Allowed, tmp_path: Path, name: str) -> None:
    assert allowed.foreign(tmp_path / name, writes=True) == str(tmp_path / name)


def test_a_python_that_lies_below_the_learners_folder_is_not_the_learners(
    allowed: Allowed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "tmp" / "kit" / ".venv"))

    assert not Allowed().is_a_cells(str(tmp_path / "tmp/kit/.venv/lib/pyspark/rdd.py"))
    assert Allowed().is_a_cells(str(tmp_path / "tmp/mine.py"))


def test_a_link_is_named_by_where_it_leads(allowed: Allowed, tmp_path: Path) -> None:
    (tmp_path / "home" / "mine").symlink_to("/etc")

    assert allowed.foreign(tmp_path / "home/mine/shadow", writes=False) == "/etc/shadow"


@pytest.mark.parametrize(
    ("address", "stays"),
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
def test_only_loopback_stays_on_this_machine(address: object, stays: bool) -> None:
    assert stays_on_this_machine(address) is stays
