"""Fixtures for the tests of the judge."""

from pathlib import Path

import pytest

from autograder.course import Course
from tests.autograder.judge.tiny_kit import Kit


@pytest.fixture
def kit(tiny_root: Path, tiny_course: Course, level: str) -> Kit:
    """Return the tiny kit, which judges in a sandbox of the given level."""
    return Kit(tiny_root, tiny_course, level)
