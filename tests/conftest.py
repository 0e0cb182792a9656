"""What all tests share: the one Spark session of the run."""

import os
from collections.abc import Iterator
from typing import Any

import pytest


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
