"""Compares the cells of a circle with those that it touches and those that its boxes touch."""

from collections import Counter

from autograder.checks import Case, Mismatch, Rows
from autograder.checks.compare import key_of, shown

Cell = list[int]


def wrong_cells(case: Case, touched: list[Cell], in_boxes: list[Cell], rows: Rows) -> Mismatch | None:
    """Return the first cell that is missing, that comes twice, or that lies outside the boxes."""
    call = f"cells_near({case['lon']!r}, {case['lat']!r}, {case['distance_m']!r})"
    found = rows.get("cells")
    if not isinstance(found, list):
        return Mismatch(f"Expected {call} to return a list of cells; yours returns {shown(found)}.", touched, found)
    counts = Counter(map(key_of, found))
    allowed = set(map(key_of, in_boxes))
    for cell in touched:
        if not counts[key_of(cell)]:
            return Mismatch(f"Expected {shown(cell)} among {call}; yours lack it: {shown(found)}.", touched, found)
    for cell in found:
        if key_of(cell) not in allowed:
            sentence = f"Expected {call} to have no cell outside the circle's boxes; yours has {shown(cell)}."
            return Mismatch(sentence, in_boxes, found)
        if counts[key_of(cell)] > 1:
            return Mismatch(f"Expected each cell once in {call}; yours has {shown(cell)} twice.", touched, found)
    return None
