"""The markers used in `mutants.py` and `alternatives.py`; verification reads those files and never executes them.

They are functions here so that editors and type checkers know the names.
"""

from collections.abc import Callable
from typing import Any


def mutant(name: str, killed_by: str | list[str], *edits: tuple[str, str], **options: str) -> Any:
    """Mark a wrong version, or make one by edits of the base above; option: `task` (its task)."""


def reference(name: str) -> None:
    """Have the edits below start from the reference's definition of this name."""


def alternative(name: str, *, task: str = "") -> Callable[[Any], Any]:
    """Mark another correct solution of `task` (default: the definition's name)."""
    return lambda definition: definition


def right(definition: Any = None, *, task: str = "") -> Any:
    """Mark a correct version that the edits below it start from."""
    return definition


def survivor(task: str, before: str, after: str, *, reason: str) -> None:
    """List an automatic mutant that no check can catch: the line of the reference, what it becomes, and why.

    Example: survivor("deliver", "now_ms = 0", "now_ms = 1", reason="equivalent: overwritten before it is read")
    """
