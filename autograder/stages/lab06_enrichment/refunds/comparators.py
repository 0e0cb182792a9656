"""Reads the rows of `with_refunds`."""

from typing import Any

from autograder.checks import Mismatch, Rows
from autograder.checks.compare import shown
from autograder.checks.rejection import must_answer

FORM = ["id", "account", "cents", "at", "refund_id", "refund_cents", "refunded_at"]
WIDTH = len(FORM)


def files_of(rows: Rows, count: int) -> list[Any] | Mismatch:
    """Return the rows after each of `count` files, or a mismatch if they have the wrong form."""
    if wrong := must_answer("with_refunds", "a streaming DataFrame", rows):
        return wrong
    files = rows.get("files")
    if rows.get("columns") != FORM or not isinstance(files, list) or len(files) != count:
        return Mismatch(f"Expected the columns {shown(FORM)}; yours are {shown(rows.get('columns'))}.", FORM)
    if not all(
        isinstance(file, list) and all(isinstance(row, list) and len(row) == WIDTH for row in file) for file in files
    ):
        return Mismatch(f"Expected rows with {WIDTH} columns; yours are {shown(files)}.", WIDTH)
    return files


def paired(files: list[Any]) -> list[Any]:
    """Return all rows with a refund."""
    return [row for file in files for row in file if row[4] is not None]


def alone(file: list[Any]) -> list[Any]:
    """Return the rows of a file without a refund."""
    return [row for row in file if row[4] is None]
