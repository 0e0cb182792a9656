"""Draws the grid: one panel for each integration, one cell for each size and work, coloured by the cell's bound."""

from collections.abc import Sequence
from typing import Any

from streamlab.experiments.grid import OF_SPARK, Cell
from streamlab.views.plots import Picture, figure, picture, printable

BOUND_COLOURS = {"network": "#cfe2f3", "cpu": "#fce5cd", "framework": "#d9ead3"}
BOUND_HATCHES = {"network": "", "cpu": "//", "framework": ".."}
ERROR_COLOUR = "#f4cccc"
PANEL_INCH = 2.9


def draw_grid(cells: Sequence[Cell]) -> Picture:
    """Draw each cell's highest rate over its limit, in messages per second; the best integration of a cell is bold.

    Raises ValueError if there are no cells.
    """
    if not cells:
        raise ValueError("expected at least one cell to draw, got none")
    names = list(dict.fromkeys(cell.integration for cell in cells))
    with figure(1.2 + PANEL_INCH * len(names), 3.4) as drawn:
        panels = drawn.subplots(1, len(names), sharey=True, squeeze=False)[0]
        for axes, name in zip(panels, names, strict=True):
            _panel(axes, name, cells)
        panels[0].set_ylabel("work per message (s)")
        drawn.legend(handles=_keys(), loc="outside lower center", ncols=4, frameon=False)
        return picture(drawn, in_words(cells))


def in_words(cells: Sequence[Cell]) -> str:
    """Return the picture's content as text."""
    return "Highest rate and its limit, in messages a second. " + "; ".join(
        f"{cell.integration}, {size_text(cell.size_bytes)}, {cell.cpu_s:g} s: "
        + (cell.error or f"{rate_text(cell.rate_per_s)} of {rate_text(cell.limit_per_s)} ({cell.bound})")
        for cell in cells
    )


def rate_text(per_s: float) -> str:
    """Return a rate in a few characters, such as "163k"."""
    if per_s >= 10_000:
        return f"{per_s / 1000:,.0f}k"
    return f"{per_s:,.0f}" if per_s >= 10 else f"{per_s:.2g}"


def size_text(size_bytes: int) -> str:
    """Return a size in a few characters, such as "10 kB"."""
    for unit, factor in (("MB", 1_000_000), ("kB", 1000)):
        if size_bytes >= factor:
            return f"{size_bytes / factor:g} {unit}"
    return f"{size_bytes} B"


def _panel(axes: Any, name: str, cells: Sequence[Cell]) -> None:
    sizes, works = sorted({cell.size_bytes for cell in cells}), sorted({cell.cpu_s for cell in cells})
    for cell in (each for each in cells if each.integration == name):
        x, y = sizes.index(cell.size_bytes), works.index(cell.cpu_s)
        _draw_cell(axes, x, y, cell, is_best=cell == _best(cells, cell))
    axes.set(xlim=(0, len(sizes)), ylim=(0, len(works)), title=printable(_title(name)), xlabel="message size")
    axes.set_xticks([at + 0.5 for at in range(len(sizes))], labels=[size_text(size) for size in sizes])
    axes.set_yticks([at + 0.5 for at in range(len(works))], labels=[f"{work:g}" for work in works])
    axes.grid(False)
    axes.tick_params(length=0)


def _title(name: str) -> str:
    return f"Spark, {name}" if name in OF_SPARK else name


def _draw_cell(axes: Any, x: int, y: int, cell: Cell, is_best: bool) -> None:
    from matplotlib.patches import Rectangle

    failed = cell.error is not None
    colour = ERROR_COLOUR if failed else BOUND_COLOURS[cell.bound]
    hatch = "xx" if failed else BOUND_HATCHES[cell.bound]
    axes.add_patch(Rectangle((x, y), 1, 1, facecolor=colour, hatch=hatch, edgecolor="white", linewidth=2))
    text = "measuring\nerror" if failed else f"{rate_text(cell.rate_per_s)}\nof {rate_text(cell.limit_per_s)}"
    axes.text(x + 0.5, y + 0.5, text, ha="center", va="center", fontweight="bold" if is_best else "normal")


def _best(cells: Sequence[Cell], like: Cell) -> Cell:
    same = [each for each in cells if (each.size_bytes, each.cpu_s) == (like.size_bytes, like.cpu_s)]
    return max(same, key=lambda each: each.rate_per_s)


def _keys() -> list[Any]:
    from matplotlib.patches import Patch

    return [
        Patch(facecolor=BOUND_COLOURS[bound], hatch=BOUND_HATCHES[bound], edgecolor="white", label=f"limit: {bound}")
        for bound in BOUND_COLOURS
    ]
