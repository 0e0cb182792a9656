"""The one access from this library to the autograder, imported at run time when a notebook calls it."""

import importlib
from typing import Any


def notebook_check() -> Any:
    """Return the package `autograder.notebook_check`, which checks the functions of a running notebook."""
    return importlib.import_module("autograder.notebook_check")
