"""Plain rows: what leaves a sandbox. Drives make them with this. Keeps out: where the values come from."""

import math
from collections.abc import Callable
from datetime import datetime
from typing import Any

Rows = dict[str, Any]


def plain(value: Any) -> Any:
    """`value` as JSON holds it; what JSON cannot hold becomes a text that names its kind.

    Example: plain((1, {2}, inf)) -> [1, "<set>", "inf"]
    """
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, datetime):
        return value.timestamp()
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    return a_kind(value)


def a_kind(value: Any) -> str:
    """Example: a_kind({1}) -> "<set>"."""
    return f"<{type(value).__name__}>"


def or_rejected(answer: Callable[[], Rows], *errors: type[Exception]) -> Rows:
    """The rows of `answer()`, or the class and the text of the error (ValueError if none is named) that it raised.

    Example: or_rejected(lambda: {"n": int("x")}) -> {"rejected": "ValueError", "text": "invalid literal for int() …"}
    """
    try:
        return answer()
    except Exception as rejection:
        if not isinstance(rejection, errors or ValueError):
            raise
        return {"rejected": type(rejection).__name__, "text": str(rejection)[:300]}
