"""Draws the map of the system with the labs that build each part, for the README and the top of each notebook.

The parts of one lab have a thicker frame, a filled corner and the names of its tasks. The map is as high as these names
need.
"""

from collections.abc import Collection, Iterable, Mapping
from html import escape
from itertools import groupby, pairwise
from typing import NamedTuple

from streamlab.views.system_map import (
    MARKS,
    NOT_YET,
    PADDING,
    PARTS,
    STYLE,
    YOURS,
    Part,
    Place,
    Tasks,
    lab_number,
    name_of,
    tip,
    title,
)

WIDTH, GAP, HEAD, ROW, LABS_Y, NAMES_Y, CORNER = 1026, 26, 48, 17, 39, 58, 12
HERE_STYLE = """
.system-map .ground { fill: var(--paper) }
.system-map .here > rect { stroke: var(--own); stroke-width: 3.5 }
.system-map .corner { fill: var(--own) }
.system-map .title { font-size: 14px }
.system-map .name { font-size: 12px }
"""
# x, width and columns of each box; rows from top to bottom
ABOVE = {"leader": (328, 152, 1), "scaler": (496, 342, 3), "levels": (868, 150, 1)}
SIDE = {"sources": (8, 118, 1), "connector": (144, 138, 1), "log": (296, 148, 1), "alerts": (918, 100, 1)}
JOB = {"job": (462, 438, 3)}
INSIDE = {"route": (472, 120, 1), "split": (608, 116, 1), "desk": (740, 150, 1)}
BELOW = {"store": (612, 264, 2), "dead": (898, 120, 1)}
# The rows of the map in a terminal, with what is between two parts
ROWS = (
    ("data flow", " → ", ("sources", "connector", "log", "job", "alerts")),
    ("in the job", " → ", ("route", "split", "desk")),
    ("around it", "   ", ("store", "leader", "scaler", "levels")),
)
Row = dict[str, tuple[int, int, int]]


class _Drawn(NamedTuple):
    """The places of the boxes, the paths of the edges, and the height of the map."""

    places: dict[str, Place]
    edges: tuple[str, ...]
    height: int


def labs_map(tasks: Tasks, lab: str = "", passed: Collection[str] | None = None) -> str:
    """Return the map as SVG, with the parts of `lab` highlighted; without a lab, no part is.

    `tasks` gives those of each box as "LAB/TASK". If `passed` is given, each name has a mark: a full circle if the
    task is in it, otherwise an empty one.
    """
    own = {box: [task for task in of_box if task.startswith(f"{lab}/")] for box, of_box in tasks.items()}
    drawn = _drawn({box: len(names) for box, names in own.items()})
    boxes = [_box(part, tasks, own.get(part.box, []), drawn.places[part.box], passed) for part in PARTS]
    edges = "".join(f'<path class="edge" d="{path}" marker-end="url(#tip-{WIDTH})"/>' for path in drawn.edges)
    legend = _legend(lab, drawn.height - 12) if lab else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="system-map" width="{WIDTH}" height="{drawn.height}" '
        f'viewBox="0 0 {WIDTH} {drawn.height}" role="img" aria-label="{escape(labs_in_words(tasks, lab))}">'
        f'<style>{STYLE}{HERE_STYLE}</style><rect class="ground" width="{WIDTH}" height="{drawn.height}" rx="8"/>'
        f"{tip(WIDTH)}{''.join(boxes)}{edges}{legend}</svg>"
    )


def labs_in_words(tasks: Tasks, lab: str = "") -> str:
    """Return the map as text: the tasks of `lab` in its parts, or the labs of each part.

    Example: labs_in_words(…, "lab03_log") -> "The complete system. Lab 3 builds tasks of Log: Segment, PartitionLog; …"
    """
    if lab:
        own = {box: [name_of(task) for task in of_box if task.startswith(f"{lab}/")] for box, of_box in tasks.items()}
        parts = [f"{part.title}: {', '.join(own[part.box])}" for part in PARTS if own.get(part.box)]
        return f"The complete system. Lab {lab_number(lab)} builds tasks of {'; '.join(parts) or 'no part'}."
    parts = [f"{part.title}: {_labs(tasks.get(part.box, ())) or 'given'}" for part in PARTS]
    return f"The complete system, and the labs that build each part. {'. '.join(parts)}."


def map_in_rows(marks: Mapping[str, str]) -> list[str]:
    """Return the map for a terminal, at most 80 characters wide: each part that has a mark, in the data flow's order.

    Example: map_in_rows({"sources": "x", "log": "-"}) -> ["  data flow   x Phones, tills → - Log"]
    """
    titles = {part.box: part.title for part in PARTS}
    lines = []
    for name, between, boxes in ROWS:
        if shown := between.join(f"{marks[box]} {titles[box]}" for box in boxes if marks.get(box)):
            lines.append(f"  {name:<12}{shown}")
    return lines


def _drawn(names: dict[str, int]) -> _Drawn:
    """Lay out the rows below each other, each as high as its box with the most names."""

    def height(box: str, columns: int) -> int:
        return HEAD + ROW * -(-names.get(box, 0) // columns) + (6 if names.get(box) else 0)

    def row(boxes: Row, y: int) -> dict[str, Place]:
        high = max(height(box, columns) for box, (_, _, columns) in boxes.items())
        return {box: Place(x, y, width, high, columns) for box, (x, width, columns) in boxes.items()}

    above = row(ABOVE, 8)
    job_y = above["leader"].y + above["leader"].height + GAP
    inside = row(INSIDE, job_y + height("job", 3))
    middle = inside["route"].y + inside["route"].height // 2
    side = {box: place._replace(y=middle - place.height // 2) for box, place in row(SIDE, 0).items()}
    lowest = inside["route"].y + inside["route"].height + 10
    shift = max(0, 8 - side["log"].y)
    job = {"job": Place(JOB["job"][0], job_y, JOB["job"][1], lowest - job_y, 3)}
    below = row(BELOW, max(lowest, side["alerts"].y + side["alerts"].height) + GAP)
    places = above | side | job | inside | below
    places = {box: place._replace(y=place.y + shift) for box, place in places.items()}
    return _Drawn(places, _edges(places), places["store"].y + places["store"].height + 8)


def _edges(places: dict[str, Place]) -> tuple[str, ...]:
    """Return the arrows: along the data flow, from above into the job and from alerts up, from below and to below."""

    def right(start: str, end: str) -> str:
        y = places["route"].y + places["route"].height // 2
        return f"M{places[start].x + places[start].width} {y}H{places[end].x - 1}"

    def down(start: str, end: str, x: int) -> str:
        return f"M{x} {places[start].y + places[start].height}V{places[end].y - 1}"

    def up(start: str, end: str, x: int) -> str:
        return f"M{x} {places[start].y}V{places[end].y + places[end].height + 1}"

    flow = ("sources", "connector", "log", "route", "split", "desk", "alerts")
    across = [right(start, end) for start, end in pairwise(flow)]
    job = places["job"]
    around = [down("leader", "job", 471), down("scaler", "job", 667), up("alerts", "levels", 968)]
    dead = f"M{job.x + job.width} {job.y + job.height - 8}H909V{places['dead'].y - 1}"
    return (*across, *around, up("store", "job", 744), dead)


def _box(part: Part, tasks: Tasks, own: list[str], place: Place, passed: Collection[str] | None) -> str:
    """Return a box with its title, its labs and the names of the highlighted lab's tasks."""
    x, y, width, height, columns = place
    rows = [
        title(part, place),
        f'<text class="lab" x="{x + PADDING}" y="{y + LABS_Y}">{_labs(tasks.get(part.box, ()))}</text>',
    ]
    for at, task in enumerate(own):
        row, column = divmod(at, columns)
        name_x = x + PADDING + column * (width - PADDING) // columns
        rows.append(_name(task, name_x, y + NAMES_Y + row * ROW, passed))
    if own:
        rows.append(f'<path class="corner" d="M{x + width - CORNER} {y}h{CORNER}v{CORNER}z"/>')
    kind = " ".join(["box", *["inner"] * bool(part.inside), *["here"] * bool(own)])
    return f'<g class="{kind}"><rect x="{x}" y="{y}" width="{width}" height="{height}" rx="8"/>{"".join(rows)}</g>'


def _name(task: str, x: int, y: int, passed: Collection[str] | None) -> str:
    if passed is None:
        return f'<text class="name" x="{x}" y="{y}">{name_of(task)}</text>'
    owner = YOURS if task in passed else NOT_YET
    mark = f'<g transform="translate({x + 4} {y - 4})">{MARKS[owner]}</g>'
    return (
        f'<g class="{owner.replace(" ", "-")}">{mark}<text class="name" x="{x + 13}" y="{y}">{name_of(task)}</text></g>'
    )


def _labs(tasks: Iterable[str]) -> str:
    """Return the numbers of the tasks' labs.

    Example: _labs(["lab01_a/f", "lab02_b/g", "lab03_c/h", "lab09_d/i"]) -> "Labs 1–3, 9"
    """
    numbers = sorted({lab_number(task) for task in tasks})
    runs = [[number for _, number in run] for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])]
    texts = [f"{run[0]}–{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs]
    return f"Lab{'s' * (len(numbers) > 1)} {', '.join(texts)}" if numbers else ""


def _legend(lab: str, y: int) -> str:
    corner = f'<path class="corner" d="M12 {y - 11}h12v12z"/>'
    return f'{corner}<text class="legend" x="32" y="{y}">the parts of Lab {lab_number(lab)}, with its tasks</text>'
