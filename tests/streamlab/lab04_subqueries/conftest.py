"""The reference of Lab 4 for the tests of its engine."""

from typing import Any

import pytest

from tests.autograder.stages.driven_reference import reference


@pytest.fixture(scope="module")
def parts() -> Any:
    return reference("lab04_subqueries")
