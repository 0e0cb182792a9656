"""What several checks of Lab 3 do with rows before they compare them.

Keeps out: the answers of a log (`readings_log`).
"""

from autograder.checks import Mismatch, Rows
from autograder.checks.compare import shown


def rejected(call: str, rows: Rows) -> Mismatch | None:
    """Arguments that cannot be meant, and no ValueError: another rejection, or an answer."""
    came = rows.get("rejected")
    if came is not None and (came == "ValueError" or not _is_class(str(came))):
        return None
    gives = f"raises {came}" if came else f"gives {shown(rows)}"
    return Mismatch(f"Expected {call} to raise ValueError; yours {gives}.", "ValueError", rows)


def _is_class(text: str) -> bool:
    """Whether a rejection is told by the class of its error; a drive may give its text in its place.

    Example: _is_class("TypeError") -> True
    """
    return text.isidentifier() and text[:1].isupper()
