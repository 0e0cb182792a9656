"""Helpers and fixtures for the tests of services."""

import importlib
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest


def server_programs(module: str) -> Any:
    """Import a module of requirements-databases.lock; outside CI, skip the tests if it is not installed."""
    if os.environ.get("CI"):
        return importlib.import_module(module)
    return pytest.importorskip(module, reason=f"{module} is not installed: `./lab services up redis` installs it")


def cassandra_jars() -> None:
    """Download Cassandra's jars, which takes a minute; outside CI, skip the test if the download fails."""
    from streamlab.java.download import FetchFailed
    from streamlab.services.cassandra import Cassandra

    try:
        Cassandra.fetch()
    except FetchFailed as problem:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(problem))


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Yield an empty folder that other users, such as `nobody`, may enter; pytest's own folders are closed."""
    with tempfile.TemporaryDirectory(prefix="streamlab-test-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def processes_of(folder: Path) -> list[int]:
    """Return the ids of the processes whose command line contains `folder`."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        if any(str(folder) in part for part in process.info["cmdline"] or ()):
            found.append(process.pid)
    return found


def wait_until(reached: Callable[[], bool], limit_s: float = 30.0) -> None:
    deadline_s = time.monotonic() + limit_s
    while not reached():
        assert time.monotonic() < deadline_s, f"not reached within {limit_s:g} s"
        time.sleep(0.02)
