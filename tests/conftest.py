"""What all tests share: the one Spark session of the run, and the order of their files."""

import os
from collections.abc import Iterator
from typing import Any

import pytest

# They come first, so that two workers end at the same time.
SLOW_FILES = ("test_cluster_backend.py", "test_form_grader.py", "test_pack_and_back.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The slow files first; else in the order in which they were collected."""
    items.sort(key=lambda item: item.path.name not in SLOW_FILES)


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """The session that every test uses; it starts at the first test that asks for it."""
    from streamlab.java import MissingPrerequisite
    from streamlab.spark import session

    try:
        running = session("tests", kafka=True)
    except MissingPrerequisite:  # the connector could not be fetched: only tests of Kafka need it, and say so
        if os.environ.get("CI"):
            raise
        running = session("tests")
    yield running
    running.stop()
