"""What tests look at from outside."""

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
    """A module of requirements-lab06.lock; in CI it must be there, elsewhere its tests are skipped without it."""
    if os.environ.get("CI"):
        return importlib.import_module(module)
    return pytest.importorskip(module, reason=f"{module} is not installed: `./lab services up redis` installs it")


def cassandra_jars() -> None:
    """Fetch them: in CI they must be there or come, elsewhere a test is skipped if its minute's download fails."""
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
    """An empty folder that other users may enter, as `nobody` must; pytest's own are closed."""
    with tempfile.TemporaryDirectory(prefix="streamlab-test-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


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
