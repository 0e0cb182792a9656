"""Fixtures for all tests: a Spark session, a ZooKeeper for each module, the student's kit; and the order of test files.

A failed test also reports the ends of the logs of the long-lived programs that it used.
"""

import fcntl
import os
import signal
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from streamlab.services.process import tail

# These run first, so that all workers finish at about the same time.
SLOW_FILES = ("test_cluster_backend.py", "test_pack_and_back.py", "test_judging.py", "test_form_grader.py")


LOGS = pytest.StashKey[dict[str, Path]]()  # fixture -> log of the program that it starts for many tests


def pytest_configure(config: pytest.Config) -> None:
    """Start with no logs, since no program runs yet; let tests interrupt the programs that they start.

    A shell starts background jobs with SIGINT ignored, and programs inherit that, but not a handler.
    """
    config.stash[LOGS] = {}
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add the ends of the logs to the report of a failure, since the logs are deleted after the tests."""
    report = yield
    if report.failed:
        logs = item.config.stash[LOGS]
        used = [name for name in getattr(item, "fixturenames", ()) if name in logs]
        report.sections += [(f"end of the log of {name}", tail(logs[name])) for name in used]
    return report


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip files without a test that must run alone, if only such tests are selected."""
    only_alone = config.option.markexpr.startswith("alone") and collection_path.name.startswith("test_")
    return True if only_alone and "mark.alone" not in collection_path.read_text(encoding="utf-8") else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the slow files first, otherwise in the order of collection."""
    items.sort(key=lambda item: item.path.name not in SLOW_FILES)


@pytest.fixture(scope="session")
def spark(request: pytest.FixtureRequest) -> Iterator[Any]:
    """The Spark session that all tests share; it starts at the first test that needs it."""
    from streamlab.java import MissingPrerequisite
    from streamlab.spark import session
    from streamlab.spark.jvm import start_early

    try:
        running = session("tests", kafka=True)
    except MissingPrerequisite:  # the connector could not be fetched; only tests of Kafka need it, and they report it
        if os.environ.get("CI"):
            raise
        running = session("tests")
    request.config.stash[LOGS]["spark"] = start_early().log_file
    yield running
    running.stop()


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The student's kit, which `./lab pack` makes once for all workers; `kit.stdout` next to it has its output."""
    from click.testing import CliRunner

    from autograder.cli import pack as verb

    own = tmp_path_factory.getbasetemp()
    folder = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    path = folder / "kit.zip"
    with (folder / "kit.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            done = CliRunner().invoke(verb.pack, ["--to", path.name], env={"STREAMLAB_CALLED_FROM": str(folder)})
            assert done.exit_code == 0, done.output
            path.with_suffix(".stdout").write_text(done.stdout)
    return path


@pytest.fixture(scope="module")
def new_client() -> Iterator[Any]:
    """Return a function that connects one more client to the module's ZooKeeper; all clients end with the module."""
    from kazoo.client import KazooClient

    from streamlab import running

    opened: list[Any] = []
    with running("zookeeper") as zookeeper:

        def new() -> Any:
            opened.append(KazooClient(hosts=zookeeper.address, timeout=4.0))
            opened[-1].start(timeout=20)
            return opened[-1]

        yield new
        for client in opened:
            client.stop()
            client.close()
