"""The one door from this library to the autograder: opened at run time, by what a notebook calls."""

import importlib
from typing import Any


def live() -> Any:
    """The package `autograder.live`, which checks the functions of a running notebook."""
    return importlib.import_module("autograder.live")
