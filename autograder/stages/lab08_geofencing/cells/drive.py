"""Drives `cells_near` with one circle."""

from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, plain


@drive("cells_near")
def cells_near(stage: Any, case: Any) -> Rows:
    """Return the cells."""
    return {"cells": plain(stage.cells_near(case["lon"], case["lat"], case["distance_m"]))}
