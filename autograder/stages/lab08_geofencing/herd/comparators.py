"""Compares the rows of `contacts` and `scaling` with the right ones."""

from typing import Any

from autograder.checks import Mismatch, Rows, same_items, same_value
from autograder.checks.compare import shown
from autograder.checks.rejection import must_answer

COLUMNS = ["a", "b", "begin", "end", "together_s"]
FIELDS = ["nodes", "offered_per_s", "achieved_per_s", "lag", "lag_growth_per_s", "bound", "speedup"]
TOLERANCE = 1e-9
BEGIN_S = 1_700_000_040


def contacts_text(arguments: list[Any]) -> str:
    """Return the call with these arguments: "contacts(fixes, 5.0, 60, 100, 300)"."""
    return f"contacts(fixes, {', '.join(map(str, arguments))})"


def wrong_contacts(expected: list[Any], rows: Rows, arguments: list[Any], group: str) -> Mismatch | None:
    """Return the first contact of a group that is missing or wrong; times count from the first window."""
    call = contacts_text(arguments)
    if wrong := must_answer(call, "a streaming DataFrame", rows):
        return wrong
    found = rows.get("contacts")
    if sorted(map(str, rows.get("columns") or [])) != sorted(COLUMNS) or not isinstance(found, list):
        return Mismatch(f"Expected the columns {shown(COLUMNS)}; yours are {shown(rows.get('columns'))}.", COLUMNS)
    own = [_relative(each) for each in found if not _is_row(each) or each[0].startswith(group)]
    want = [_relative(each) for each in expected if each[0].startswith(group)]
    return same_items(want, own, what=f"the contacts (a, b, begin, end, together_s) of {call}")


def _is_row(row: Any) -> bool:
    return isinstance(row, list) and len(row) == len(COLUMNS) and isinstance(row[0], str)


def _relative(row: Any) -> Any:
    if not _is_row(row) or any(type(each) not in (int, float) for each in row[2:4]):
        return row
    return [*row[:2], *map(_whole, (row[2] - BEGIN_S, row[3] - BEGIN_S)), row[4]]


def _whole(seconds: float) -> float:
    """Return a whole number as an int: 60.0 and 60 are the same time."""
    return int(seconds) if float(seconds).is_integer() else seconds


def scaling_text(runs: list[Any]) -> str:
    """Return the runs as words; long ones are shown by their number of samples."""
    texts = [
        f"{nodes}: {shown(samples) if len(samples) < 5 else f'[… {len(samples)} samples]'}" for nodes, samples in runs
    ]
    return f"scaling({{{', '.join(texts)}}})"


def wrong_figures(expected: list[Any], rows: Rows, runs: list[Any], fields: list[str]) -> Mismatch | None:
    """Return the first of these fields that is wrong, by its run. Other checks judge the other fields."""
    found = rows.get("scaled")
    if not isinstance(found, list) or [_nodes(each) for each in found] != [each[0] for each in expected]:
        want = f"rows for {shown([each[0] for each in expected])} nodes, each with {len(FIELDS)} fields"
        return Mismatch(f"Expected {want}; yours are {shown(found)} for {scaling_text(runs)}.", expected, found)
    for row, answer in zip(expected, found, strict=True):
        for name in fields:
            want, got = row[FIELDS.index(name)], answer[FIELDS.index(name)]
            near = TOLERANCE * max(1.0, abs(want)) if isinstance(want, int | float) else 0.0
            what = f"{name} of the run with {row[0]} nodes in {scaling_text(runs)}"
            if wrong := same_value(want, got, what=what, tolerance=near):
                return wrong
    return None


def _nodes(row: Any) -> Any:
    return row[0] if isinstance(row, list) and len(row) == len(FIELDS) else None
