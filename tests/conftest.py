"""What all tests share: the one Spark session of the run."""

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """The session that every test uses; it starts at the first test that asks for it."""
    from streamlab.spark import session

    running = session("tests", kafka=True)
    yield running
    running.stop()
