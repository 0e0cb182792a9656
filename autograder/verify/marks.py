"""The marks of `mutants.py` and `alternatives.py`; those files are read (`variants`) and never executed.

They are functions here so that editors and type checkers know the names.
"""

from collections.abc import Callable
from typing import Any


def mutant(name: str, killed_by: str | list[str], *edits: tuple[str, str], **options: str) -> Any:
    """Mark a wrong version, or make one by edits; options: `task` (whose mutant), `of` (the reference's definition)."""


def alternative(name: str, *, task: str = "") -> Callable[[Any], Any]:
    """Mark another right solution of `task` (default: the definition's name)."""
    return lambda definition: definition


def right(definition: Any = None, *, task: str = "") -> Any:
    """Mark a right version that the edits below it start from."""
    return definition
