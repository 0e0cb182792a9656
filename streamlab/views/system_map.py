"""Draws the complete system that the labs build: each part is a box with its tasks, and a mark says whose each task is.

The marks differ by shape: a full circle is the learner's own task, half a circle the reference, an empty one nothing
yet. A page fills in numbers: the text of `[data-value=BOX]`, the class `down` of `[data-box=BOX]`, and the content of
`[data-workers]`. Which tasks belong to a part ("LAB/TASK"), course.yml says. `labs_map` draws the calm map of the
README and the notebooks.
"""

from collections.abc import Collection, Mapping, Sequence
from html import escape
from typing import Literal, NamedTuple

Owner = Literal["yours", "reference", "not yet"]
YOURS: Owner = "yours"
REFERENCE: Owner = "reference"
NOT_YET: Owner = "not yet"


class Part(NamedTuple):
    """A box of the map. `inside` names the box that surrounds it."""

    box: str
    title: str
    inside: str = ""


PARTS = (  # in the order of the data flow
    Part("sources", "Phones, tills"),
    Part("connector", "Connector"),
    Part("log", "Log"),
    Part("job", "Spark job"),
    Part("route", "Route", "job"),
    Part("split", "Split", "job"),
    Part("desk", "Desk", "job"),
    Part("store", "Limits"),
    Part("alerts", "Alerts"),
    Part("dead", "Dead letters"),
    Part("leader", "Leader"),
    Part("scaler", "Autoscaler"),
    Part("levels", "Service levels"),
)
Tasks = Mapping[str, Sequence[str]]  # box -> its tasks

TITLE_Y, VALUE_Y, TASKS_Y, TASK_ROW, PADDING, JOB_TASK = 21, 40, 61, 18, 12, 92
ABSENT = ' class="absent"'
MARKS = {
    YOURS: '<circle class="mark" r="5"/><circle class="full" r="5"/>',
    REFERENCE: '<circle class="mark" r="5"/><path class="full" d="M0-5A5 5 0 0 0 0 5z"/>',
    NOT_YET: '<circle class="mark" r="5"/>',
}
STYLE = """
.system-map { --ink: #16202b; --soft: #586674; --paper: #fff; --inner: #f5f7f9; --line: #8593a1; --own: #0a6e5c;
  --alarm: #a83200; --alarm-paper: #fdece3 }
body .system-map { display: block; width: 100%; height: auto }
@media (prefers-color-scheme: dark) { .system-map { --ink: #e8edf2; --soft: #a3b0bd; --paper: #1b232c;
  --inner: #232d38; --line: #6c7a89; --own: #4fd0b5; --alarm: #ff9f70; --alarm-paper: #40241a } }
.system-map text { font: 13px system-ui, sans-serif; fill: var(--ink); font-variant-numeric: tabular-nums }
.system-map .title { font-size: 15px; font-weight: 600 }
.system-map .value { font-size: 14px }
.system-map .lab, .system-map .legend { font-size: 12px; fill: var(--soft) }
.system-map .absent { font-style: italic; fill: var(--soft) }
.system-map .box > rect { fill: var(--paper); stroke: var(--line); stroke-width: 1.25 }
.system-map .inner > rect { fill: var(--inner) }
.system-map .down > rect { fill: var(--alarm-paper); stroke: var(--alarm); stroke-width: 3; stroke-dasharray: 7 4 }
.system-map .down > .value { fill: var(--alarm); font-weight: 700 }
.system-map .edge { fill: none; stroke: var(--soft); stroke-width: 1.5 }
.system-map .tip { fill: var(--soft) }
.system-map .mark { fill: var(--paper); stroke: var(--soft); stroke-width: 1.5 }
.system-map .full { fill: var(--soft) }
.system-map .yours .mark { stroke: var(--own) }
.system-map .yours .full { fill: var(--own) }
.system-map .worker { fill: none; stroke: var(--line); stroke-width: 1.25 }
.system-map .instance { fill: var(--own) }
.system-map .starting { fill: none; stroke: var(--own); stroke-width: 1.25; stroke-dasharray: 2 2 }
"""


class Place(NamedTuple):
    """Where a box is; its tasks are in `columns` columns."""

    x: int
    y: int
    width: int
    height: int
    columns: int = 1


class Layout(NamedTuple):
    """A layout of the map. `edges` are SVG paths, `workers` is where a page draws the workers."""

    width: int
    height: int
    places: Mapping[str, Place]
    edges: tuple[str, ...]
    workers: tuple[int, int, int, int]
    legend: tuple[int, int, int]  # x, y, and the distance of its rows; 0: all in one row


WIDE = Layout(
    1240,
    352,
    {
        "leader": Place(500, 4, 156, 94),
        "scaler": Place(676, 4, 316, 94, 3),
        "levels": Place(1028, 4, 204, 94),
        "sources": Place(8, 178, 128, 76),
        "connector": Place(172, 178, 128, 76),
        "log": Place(336, 178, 128, 76),
        "job": Place(500, 124, 492, 212, 2),
        "route": Place(512, 172, 152, 90),
        "split": Place(682, 172, 132, 90),
        "desk": Place(832, 172, 148, 90),
        "alerts": Place(1028, 169, 204, 94),
        "dead": Place(1028, 282, 204, 54),
        "store": Place(172, 270, 292, 76, 2),
    },
    (
        "M136 216H171", "M300 216H335", "M464 216H511", "M664 216H681", "M814 216H831", "M980 216H1027",
        "M578 98V123", "M834 98V123", "M464 308H499", "M992 308H1027", "M1130 169V99",
    ),
    (512, 276, 468, 46),
    (8, 22, 20),
)  # fmt: skip
NARROW = Layout(
    340,
    1060,
    {
        "sources": Place(4, 4, 158, 76),
        "connector": Place(178, 4, 158, 76),
        "store": Place(4, 104, 158, 94),
        "log": Place(178, 104, 158, 94),
        "job": Place(4, 222, 332, 322, 2),
        "route": Place(14, 272, 150, 78),
        "split": Place(176, 272, 150, 78),
        "desk": Place(14, 368, 312, 92),
        "alerts": Place(4, 568, 332, 76, 2),
        "leader": Place(4, 662, 158, 76),
        "dead": Place(178, 662, 158, 76),
        "scaler": Place(4, 756, 332, 112, 2),
        "levels": Place(4, 886, 332, 76, 2),
    },
    (
        "M162 42H177", "M257 80V103", "M257 198V221", "M83 198V221", "M164 311H175", "M251 350V367", "M170 544V567",
    ),
    (14, 474, 312, 58),
    (10, 990, 20),
)  # fmt: skip


def system_map(
    tasks: Tasks, owners: Mapping[str, Owner], layout: Layout, running: Collection[str], otherwise: str
) -> str:
    """Return the map of a page, which has STYLE, as an SVG element.

    `tasks` gives those of each box; a box without any is given. `owners` says whose each task ("LAB/TASK") is; a
    missing one is not yet. Tasks that are not `running` are in italics, and the legend says what they are `otherwise`.
    """
    parts = [_box(part, tasks.get(part.box, ()), layout.places[part.box], owners, running) for part in PARTS]
    edges = "".join(f'<path class="edge" d="{path}" marker-end="url(#tip-{layout.width})"/>' for path in layout.edges)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="system-map" viewBox="0 0 {layout.width} {layout.height}" '
        f'role="img" aria-label="{escape(in_words(tasks, owners))}">{tip(layout.width)}'
        f"{''.join(parts)}{edges}{_workers(layout.workers)}{_legend(*layout.legend, otherwise)}</svg>"
    )


def in_words(tasks: Tasks, owners: Mapping[str, Owner]) -> str:
    """Return the map as text.

    Example: in_words(…) -> "The complete system. Phones, tills: deliver (yours). Connector: admit (not yet). …"
    """
    sentences = ["The complete system"]
    for part in PARTS:
        names = ", ".join(f"{name_of(task)} ({owners.get(task, NOT_YET)})" for task in tasks.get(part.box, ()))
        sentences.append(f"{part.title}: {names or 'given'}")
    return ". ".join(sentences) + "."


def lab_number(task: str) -> int:
    """Return the number of a task's lab.

    Example: lab_number("lab03_log/PartitionLog") -> 3
    """
    return int(task[3:5])


def name_of(task: str) -> str:
    """Return a task's name without its lab.

    Example: name_of("lab03_log/PartitionLog") -> "PartitionLog"
    """
    return task.partition("/")[2]


def _box(part: Part, tasks: Sequence[str], place: Place, owners: Mapping[str, Owner], running: Collection[str]) -> str:
    """Return a box with its title, an empty line for a value, and its tasks. Boxes inside another have no value."""
    value_y = place.y + VALUE_Y
    rows = [title(part, place)]
    if not part.inside:
        rows.append(f'<text class="value" data-value="{part.box}" x="{place.x + PADDING}" y="{value_y}"></text>')
    first_y = place.y + (TASKS_Y - VALUE_Y + TITLE_Y if part.inside else TASKS_Y)
    if part.box == "job":  # its other boxes are where a task would be
        right = place.x + place.width - JOB_TASK * len(tasks)
        rows += [
            _task(task, right + at * JOB_TASK, place.y + TITLE_Y, owners, running) for at, task in enumerate(tasks)
        ]
    else:
        width = (place.width - PADDING) // place.columns
        for at, task in enumerate(tasks):
            row, column = divmod(at, place.columns)
            rows.append(_task(task, place.x + PADDING + column * width, first_y + row * TASK_ROW, owners, running))
    kind = "box inner" if part.inside else "box"
    x, y, width, height = place[:4]
    frame = f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="8"/>'
    return f'<g class="{kind}" data-box="{part.box}">{frame}{"".join(rows)}</g>'


def title(part: Part, place: Place) -> str:
    """Return the title of a box."""
    return f'<text class="title" x="{place.x + PADDING}" y="{place.y + TITLE_Y}">{escape(part.title)}</text>'


def _task(task: str, x: float, y: float, owners: Mapping[str, Owner], running: Collection[str]) -> str:
    """Return a mark, the name of a task and the number of its lab."""
    owner = owners.get(task, NOT_YET)
    name, lab = escape(name_of(task)), lab_number(task)
    return (
        f'<g class="{owner.replace(" ", "-")}"><title>{name}, Lab {lab}: {owner}</title>'
        f'<g transform="translate({x + 5:g} {y - 4:g})">{MARKS[owner]}</g>'
        f'<text{"" if task in running else ABSENT} x="{x + 16:g}" y="{y:g}">{name}</text></g>'
    )


def tip(number: int) -> str:
    """Return the arrow's tip; its id differs between maps of one page."""
    return (
        f'<defs><marker id="tip-{number}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto"><path class="tip" d="M0 0.5 8 4 0 7.5z"/></marker></defs>'
    )


def _workers(place: tuple[int, int, int, int]) -> str:
    x, y, width, height = place
    return f'<g data-workers="{width} {height}" transform="translate({x} {y})"></g>'


def _legend(x: int, y: int, row: int, otherwise: str) -> str:
    words = {YOURS: "yours: your own task", REFERENCE: "the reference solution", NOT_YET: "not yet"}
    lines = []
    for at, (owner, text) in enumerate(words.items()):
        mark = f'<g transform="translate({x + 6} {y + at * row - 4})">{MARKS[owner]}</g>'
        text = f'<text class="legend" x="{x + 18}" y="{y + at * row}">{text}</text>'
        lines.append(f'<g class="{owner.replace(" ", "-")}">{mark}{text}</g>')
    absent = f'<text class="legend absent" x="{x + 18}" y="{y + len(lines) * row}">in italics: {otherwise} here</text>'
    return "".join([*lines, absent] if otherwise else lines)
