"""Fixtures for the tests of several packages."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from streamlab.services import running
from streamlab.services.base import Service
from tests.conftest import LOGS


@pytest.fixture(scope="session")
def kafka(request: pytest.FixtureRequest) -> Iterator[Service]:
    """Yield one real broker for all tests that do not harm it; each test uses its own topic."""
    with running("kafka") as broker:
        request.config.stash[LOGS]["kafka"] = broker.log
        yield broker


@pytest.fixture(scope="session")
def postgres() -> Iterator[Service]:
    """Yield one database for all tests that do not harm it."""
    with running("postgres") as server:
        yield server


@pytest.fixture(scope="module")
def valkey() -> Iterator[Service]:
    """Yield one cache for the tests of a module that do not harm it."""
    with running("redis") as server:
        yield server


@pytest.fixture
def students_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with a student's files, named as standard modules; a program that imports one of them fails."""
    folder = tmp_path / "notebooks"
    folder.mkdir()
    for name in ("json", "pickle", "random", "socket"):
        (folder / f"{name}.py").write_text("raise ImportError('a file of the student')", encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Yield the folder of a 1 MB disk, which only root can mount."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)], capture_output=True)
    if mounted.returncode != 0:
        pytest.skip(f"no small disk can be mounted here: {mounted.stderr.decode().strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)
