"""Draws the states of something as boxes on a grid, with labelled arrows between them, for the text of a notebook."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

from streamlab.views.system_map import STYLE, tip

COLUMN, ROW, WIDTH, HEIGHT, MARGIN = 210, 116, 112, 40, 34
APART = 9  # half of the distance between an arrow and the one in the opposite direction
TIP = 2  # the ids of the tips on one page differ; the maps use their widths
LABEL_STYLE = """
.system-map .ground { fill: var(--paper) }
.system-map .label { font-size: 12px; stroke: var(--paper); stroke-width: 5; paint-order: stroke }
.system-map .state { font-size: 14px; font-weight: 600; text-anchor: middle }
"""


class Arrow(NamedTuple):
    """A transition between two states, and what causes it."""

    start: str
    end: str
    label: str


def state_diagram(title: str, places: Mapping[str, tuple[int, int]], arrows: Sequence[Arrow]) -> str:
    """Return the diagram as SVG; `places` has the column and the row of each state, both counted from 0."""
    centres = {state: _centre(*place) for state, place in places.items()}
    width = round(max(x for x, _ in centres.values()) + WIDTH / 2 + MARGIN)
    height = round(max(y for _, y in centres.values()) + HEIGHT / 2 + MARGIN)
    pairs = {(arrow.start, arrow.end) for arrow in arrows}
    drawn = [_arrow(arrow, centres, (arrow.end, arrow.start) in pairs) for arrow in arrows]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="system-map" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label="{escape(states_in_words(title, arrows))}">'
        f'<style>{STYLE}{LABEL_STYLE}</style><rect class="ground" width="{width}" height="{height}" rx="8"/>'
        f"{tip(TIP)}{''.join(line for line, _ in drawn)}{''.join(_box(*each) for each in centres.items())}"
        f"{''.join(label for _, label in drawn)}</svg>"
    )


def states_in_words(title: str, arrows: Sequence[Arrow]) -> str:
    """Return the diagram as text.

    Example: states_in_words("A message", [Arrow("sent", "lost", "fault")]) -> "A message. sent to lost: fault."
    """
    return f"{title}. {'; '.join(f'{start} to {end}: {label}' for start, end, label in arrows)}."


def _centre(column: int, row: int) -> tuple[float, float]:
    return MARGIN + WIDTH / 2 + column * COLUMN, MARGIN + HEIGHT / 2 + row * ROW


def _box(state: str, centre: tuple[float, float]) -> str:
    x, y = centre
    rect = f'<rect x="{x - WIDTH / 2:g}" y="{y - HEIGHT / 2:g}" width="{WIDTH}" height="{HEIGHT}" rx="6"/>'
    return f'<g class="box">{rect}<text class="state" x="{x:g}" y="{y + 5:g}">{escape(state)}</text></g>'


def _arrow(arrow: Arrow, centres: Mapping[str, tuple[float, float]], is_double: bool) -> tuple[str, str]:
    """Return the line and its label."""
    (x1, y1), (x2, y2) = centres[arrow.start], centres[arrow.end]
    if arrow.start == arrow.end:
        top = y1 - HEIGHT / 2
        path = f"M{x1 - 20:g} {top:g}C{x1 - 20:g} {top - 26:g} {x1 + 20:g} {top - 26:g} {x1 + 20:g} {top - 1:g}"
        return _line(path), _label(arrow.label, x1 + 38, top - 10)
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    right, down = (x2 - x1) / length, (y2 - y1) / length
    aside = APART if is_double else 0
    beside_x, beside_y = -down * aside, right * aside
    x1, y1, x2, y2 = x1 + beside_x, y1 + beside_y, x2 + beside_x, y2 + beside_y
    out, into = _to_edge(beside_x, beside_y, right, down), _to_edge(beside_x, beside_y, -right, -down)
    path = f"M{x1 + right * out:.1f} {y1 + down * out:.1f}L{x2 - right * into:.1f} {y2 - down * into:.1f}"
    x, y = (x1 + x2) / 2 - 8 * down, (y1 + y2) / 2 - 9 * abs(right) + 4
    anchor = "middle" if not is_double else "start" if down < 0 else "end"
    return _line(path), _label(arrow.label, x if is_double else (x1 + x2) / 2, y, anchor)


def _to_edge(x: float, y: float, right: float, down: float) -> float:
    """Return how far a box's edge is from a point in it, (x, y) from its centre, in the direction (right, down)."""
    ways = ((WIDTH / 2, x, right), (HEIGHT / 2, y, down))
    return min((half - at * (1 if step > 0 else -1)) / abs(step) for half, at, step in ways if step)


def _line(path: str) -> str:
    return f'<path class="edge" d="{path}" marker-end="url(#tip-{TIP})"/>'


def _label(text: str, x: float, y: float, anchor: str = "middle") -> str:
    return f'<text class="label" text-anchor="{anchor}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'
