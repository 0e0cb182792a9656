"""The small course as a fixture."""

from pathlib import Path

import pytest

from tests.autograder.builder.small_course import SmallCourse


@pytest.fixture
def small(tmp_path: Path) -> SmallCourse:
    """A course that builds without problems."""
    return SmallCourse(tmp_path / "course of one")
