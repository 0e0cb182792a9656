"""Reads the rows of `fraud_windows`."""

from typing import Any

from autograder.checks import Mismatch, Rows
from autograder.checks.compare import key_of, shown
from autograder.checks.rejection import must_answer

FORM = ["start", "end", "account", "amount_cents", "transactions", "suspicious"]
WIDTH = len(FORM)


def windows_of(rows: Rows) -> list[Any] | Mismatch:
    """Return the windows, or a mismatch if they have the wrong form."""
    if wrong := must_answer("fraud_windows", "a streaming DataFrame", rows):
        return wrong
    windows = rows.get("windows")
    if rows.get("columns") != FORM or not isinstance(windows, list):
        return Mismatch(f"Expected the columns {shown(FORM)}; yours are {shown(rows.get('columns'))}.", FORM)
    if any(not isinstance(each, list) or len(each) != WIDTH for each in windows):
        return Mismatch(f"Expected windows with {WIDTH} columns; yours are {shown(windows)}.", WIDTH)
    return windows


def each_once(windows: Any) -> Any:
    """Return the windows without those that are equal to an earlier one."""
    if not isinstance(windows, list):
        return windows
    return list({key_of(each): each for each in windows}.values())


def total(windows: list[Any]) -> Any:
    """Return how many transactions all windows count."""
    counts = [each[4] for each in windows]
    return sum(counts) if all(isinstance(each, int) for each in counts) else counts
