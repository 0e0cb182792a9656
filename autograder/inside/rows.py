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


def or_rejected(answer: Callable[[], Rows]) -> Rows:
    """The rows of `answer()`, or the text of the ValueError with which it rejected."""
    try:
        return answer()
    except ValueError as refusal:
        return {"rejected": str(refusal)[:200]}
