"""Releases are ordered by their numbers."""

import pytest

from autograder.releases.release_order import is_newer


@pytest.mark.parametrize(
    ("release", "other", "expected"),
    [
        ("2026.2", "2026.1", True),
        ("2026.10", "2026.9", True),
        ("2026.1", "2026.1", False),
        ("2026.1", "2026.2", False),
        ("2026.1.1", "2026.1", True),
        ("spring", "2026.1", False),
        ("²", "1", False),
    ],
)
def test_a_release_is_newer_by_its_numbers(release: str, other: str, expected: bool) -> None:
    assert is_newer(release, other) is expected
