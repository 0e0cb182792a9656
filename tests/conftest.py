"""What tests share: a Spark session, a ZooKeeper for each module, the student's kit, and the order of their files.

A failed test also reports the ends of the logs of the long-lived programs that it used.
"""

import fcntl
import os
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from streamlab.services.process import tail

# They come first, so that all workers end at about the same time.
SLOW_FILES = ("test_cluster_backend.py", "test_pack_and_back.py", "test_judging.py", "test_form_grader.py")


LOGS = pytest.StashKey[dict[str, Path]]()  # fixture -> the log of the program that it starts once for many tests


def pytest_configure(config: pytest.Config) -> None:
    """No program runs yet."""
    config.stash[LOGS] = {}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Such a program ends with the tests and its log goes with it, so a failure takes along what it said last."""
    report = yield
    if report.failed:
        logs = item.config.stash[LOGS]
        used = [name for name in getattr(item, "fixturenames", ()) if name in logs]
        report.sections += [(f"end of the log of {name}", tail(logs[name])) for name in used]
    return report


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where only tests that need the machine to themselves are run, files without one are not even loaded."""
    only_alone = config.option.markexpr.startswith("alone") and collection_path.name.startswith("test_")
    return True if only_alone and "mark.alone" not in collection_path.read_text(encoding="utf-8") else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The slow files first; else in the order in which they were collected."""
    items.sort(key=lambda item: item.path.name not in SLOW_FILES)


@pytest.fixture(scope="session")
def spark(request: pytest.FixtureRequest) -> Iterator[Any]:
    """The session that every test uses; it starts at the first test that asks for it."""
    from streamlab.java import MissingPrerequisite
    from streamlab.spark import session
    from streamlab.spark.jvm import start_early

    try:
        running = session("tests", kafka=True)
    except MissingPrerequisite:  # the connector could not be fetched: only tests of Kafka need it, and say so
        if os.environ.get("CI"):
            raise
        running = session("tests")
    request.config.stash[LOGS]["spark"] = start_early().log_file
    yield running
    running.stop()


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The student's kit, which `./lab pack` makes once for all workers; the file `.told` beside it has what it said."""
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
            path.with_suffix(".told").write_text(done.stdout)
    return path


@pytest.fixture(scope="module")
def new_client() -> Iterator[Any]:
    """Connects one more client to the ZooKeeper of the module at each call; all of them end with the module."""
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
