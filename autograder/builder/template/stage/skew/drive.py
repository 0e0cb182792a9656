"""Drives `sample_hot_keys`. The sandbox sees this module, so it must not contain correct answers."""

from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected, plain


@drive("sample_hot_keys")
def sample_hot_keys(stage: Any, case: Any) -> Rows:
    """Return the hot keys and their counts, or the error that the call raised."""
    return or_rejected(lambda: {"counts": plain(stage.sample_hot_keys(case["keys"], case["at_least"]))})
