"""Fixtures for the tests of the judge."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.inside import DRIVES
from tests.autograder.judge.chained_kit import LAST, LATER, add_later_lab
from tests.autograder.judge.tiny_kit import Kit


@pytest.fixture
def kit(tiny_root: Path, tiny_course: Course, level: str) -> Kit:
    """Return the tiny kit, which judges in a sandbox of the given level."""
    return Kit(tiny_root, tiny_course, level)


@pytest.fixture
def chained_root(tiny_root: Path) -> Iterator[Path]:
    """The tiny kit with a second lab that builds on the first."""
    add_later_lab(tiny_root)
    yield tiny_root
    for name in [each for each in sys.modules if LATER in each or LAST in each]:
        del sys.modules[name]
    for task in ("six_times", "last_times"):
        DRIVES.pop(task, None)
