"""A query as a picture and as text: its operators, the cuts into subqueries, and how rows cross the cuts."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from streamlab.lab04_subqueries.engine.deployment import chooser_of
from streamlab.lab04_subqueries.engine.query import Query, first_readers
from streamlab.views.plots import Picture, figure, picture, printable

COLUMN, LANE = 1.45, 1.0
BOX = {"boxstyle": "round,pad=0.35", "facecolor": "white", "edgecolor": "black"}
SOURCE_BOX = {"boxstyle": "square,pad=0.35", "facecolor": "#eeeeee", "edgecolor": "black"}
LABEL_BOX = {"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none"}


class Edge(NamedTuple):
    """A stream from its maker to one reader; `plan` says how it crosses a cut, and is empty if it crosses none."""

    maker: str
    reader: str
    stream: str
    plan: str


def query_plot(parts: Any, query: Query, degrees: Sequence[int]) -> None:
    """Show a query as a graph. `parts` has split and maybe choose_plan; `degrees` are numbers of instances."""
    draw_query(parts, query, degrees).show()


def query_text(parts: Any, query: Query, degrees: Sequence[int]) -> str:
    """Return a query as text, with a line for each subquery and for each stream that enters it.

    Example: "SQ2, 3 instances: window\\n  picked: route key (ip)"
    """
    lines = []
    for number, (subquery, degree) in enumerate(zip(parts.split(query), degrees, strict=True), 1):
        instances = f"{degree} instance{'s' if degree > 1 else ''}"
        lines.append(f"SQ{number}, {instances}: {', '.join(subquery.operators)}")
        for stream, (operator, port) in first_readers(query, subquery).items():
            lines.append(f"  {stream}: {_shown(chooser_of(parts)(operator, port, degree))}")
    return "\n".join([*lines, f"results: {', '.join(query.results)}"])


def edges_of(parts: Any, query: Query, degrees: Sequence[int]) -> list[Edge]:
    """Return all streams with their readers, in the order of the query."""
    home, plans = {}, {}
    for number, (subquery, degree) in enumerate(zip(parts.split(query), degrees, strict=True)):
        home.update(dict.fromkeys(subquery.operators, number))
        for stream, (operator, port) in first_readers(query, subquery).items():
            plans[number, stream] = _shown(chooser_of(parts)(operator, port, degree))
    maker = {stream: node.name for node in query.nodes for stream in node.outputs}
    return [
        Edge(maker.get(stream, stream), node.name, stream, plans.get((home[node.name], stream), ""))
        for node in query.nodes
        for stream in node.inputs
    ]


def draw_query(parts: Any, query: Query, degrees: Sequence[int]) -> Picture:
    """Return the picture of `query_plot`: full arrows stay in a subquery, dashed ones cross a cut."""
    edges, places = edges_of(parts, query, degrees), _places(query)
    labels = {source: printable(source) for source in query.sources}
    for number, (subquery, degree) in enumerate(zip(parts.split(query), degrees, strict=True), 1):
        labels.update({name: f"{printable(name)}\nSQ{number} × {degree}" for name in subquery.operators})
    columns, lanes = (1 + max(place[at] for place in places.values()) for at in (0, 1))
    with figure(max(4.0, COLUMN * columns), 0.8 + LANE * lanes) as drawn:
        axes = drawn.add_subplot()
        axes.set(xlim=(-0.6, columns - 0.4), ylim=(lanes - 0.4, -0.6))
        axes.axis("off")
        for edge in edges:
            _draw_edge(axes, places[edge.maker], places[edge.reader], edge)
        for name, (column, lane) in places.items():
            box = SOURCE_BOX if name in query.sources else BOX
            axes.text(column, lane, labels[name], ha="center", va="center", fontsize=9, bbox=box)
        return picture(drawn, query_text(parts, query, degrees))


def _draw_edge(axes: Any, begin: tuple[int, int], end: tuple[int, int], edge: Edge) -> None:
    style = {"arrowstyle": "->", "linestyle": "--" if edge.plan else "-", "shrinkA": 20, "shrinkB": 32}
    axes.annotate("", xy=end, xytext=begin, arrowprops=style)
    if edge.plan:
        middle = (begin[0] + 0.45 * (end[0] - begin[0]), begin[1] + 0.45 * (end[1] - begin[1]) - 0.06)
        axes.text(
            *middle, printable(edge.plan).replace(" ", "\n", 1), va="bottom", ha="center", fontsize=8, bbox=LABEL_BOX
        )


def _places(query: Query) -> dict[str, tuple[int, int]]:
    """Return (column, lane) of each source and operator: to the right of all its inputs, lanes from the top."""
    column = dict.fromkeys(query.sources, 0)  # by stream
    places = {source: (0, lane) for lane, source in enumerate(query.sources)}
    for node in query.nodes:
        at = 1 + max(column[stream] for stream in node.inputs)
        column.update(dict.fromkeys(node.outputs, at))
        places[node.name] = (at, sum(taken == at for taken, _ in places.values()))
    return places


def _shown(plan: Any) -> str:
    return f"{plan.kind} ({', '.join(plan.fields)})" if plan.fields else str(plan.kind)
