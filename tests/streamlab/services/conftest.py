"""One broker for all tests that do it no harm, and what tests look at from outside."""

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from streamlab.services import running
from streamlab.services.base import Service


@pytest.fixture(scope="package")
def kafka() -> Iterator[Service]:
    """A real broker; use a topic of your own."""
    with running("kafka") as broker:
        yield broker


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 1 MB, which only root can make."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)], capture_output=True)
    if mounted.returncode != 0:
        pytest.skip(f"no small disk can be mounted here: {mounted.stderr.decode().strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def processes_of(folder: Path) -> list[int]:
    """The processes whose command line names `folder`."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        if any(str(folder) in part for part in process.info["cmdline"] or ()):
            found.append(process.pid)
    return found


def wait_until(reached: Callable[[], bool], limit_s: float = 10.0) -> None:
    deadline_s = time.monotonic() + limit_s
    while not reached():
        assert time.monotonic() < deadline_s, f"not reached within {limit_s:g} s"
        time.sleep(0.02)
