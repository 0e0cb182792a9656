"""Reads the rows of `classify_logs` and compares labels."""

from typing import Any

from autograder.checks import Mismatch, Rows
from autograder.checks.compare import same_value, shown

COLUMNS = ["id", "service", "content", "label", "score"]
PRECISION = 1e-5
NOT_A_NUMBER = (None, "nan")


def frames_of(rows: Rows, count: int) -> list[list[list[Any]]] | Mismatch:
    """Return the rows of each of `count` frames, or a mismatch if they have the wrong form."""
    frames = rows.get("frames")
    if not isinstance(frames, list) or len(frames) != count:
        got = len(frames) if isinstance(frames, list) else frames
        return Mismatch(f"Expected {count} frames for {count} batches; yours are {shown(got)}.", count, got)
    for frame in frames:
        columns = frame.get("columns") if isinstance(frame, dict) else frame
        if columns != COLUMNS:
            return Mismatch(f"Expected frames with the columns {shown(COLUMNS)}; yours have {shown(columns)}.", COLUMNS)
    return [frame["rows"] for frame in frames]


def same_label(expected: list[Any], row: list[Any]) -> Mismatch | None:
    """Compare the label and score of one row. A row without a label must have a score that is no number."""
    label, score = expected
    what = f"{shown(row[2])} from {row[1]}"
    if wrong := same_value(label, row[3], what=f"the label of {what}"):
        return wrong
    if label is None:
        got = row[4]
        return None if got in NOT_A_NUMBER else Mismatch(f"Expected the score of {what} to be NaN; yours is {got}.")
    return same_value(score, row[4], what=f"the score of {what}", tolerance=PRECISION)
