"""Pictures and tables for notebooks: one style, readable without colour, silent on stderr, the same bytes in every run.

A plot is one SVG; its alt text describes it in words. In a notebook, `line_plot` and `bar_plot` show the picture;
elsewhere, they print the alt text. `draw_lines` and `draw_bars` return the picture without showing it.
"""

import base64
import io
import logging
import re
import unicodedata
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape, quoteattr

STYLE: Any = {
    "svg.hashsalt": "streamlab",  # without it, ids in the SVG would be random
    "svg.fonttype": "none",  # text stays text: the browser has letters that no bundled font has
    "font.family": ["DejaVu Sans", "sans-serif"],
    "font.size": 10,
    "axes.titlesize": 11,
    "text.parse_math": False,  # a word may be "$1"
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "axes.axisbelow": True,
    "axes.formatter.useoffset": False,
    "figure.facecolor": "white",
}
LINE_STYLES = ["-", "--", ":", "-."]
MARKERS = ["o", "s", "^", "D", "v", "P"]
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#aa4499", "#000000", "#8a6d00"]  # safe for colour-blind readers
BAR_COLOUR = "#56b4e9"
LEVEL_COLOUR = "#555555"
LEVEL_DASHES = [(8, 2), (2, 2), (8, 2, 2, 2)]
UNSHOWN = {"Cc", "Cs", "Cn"}  # controls, half surrogate pairs, unassigned: an SVG may not contain them
LONGEST_LABEL = 24

Points = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Picture:
    """An SVG and its description in words. A notebook shows the SVG, a screen reader or a terminal the words."""

    svg: str
    alt: str

    def _repr_html_(self) -> str:
        # An HTML image, since Jupyter's own output type for SVG has no alt text.
        encoded = base64.b64encode(self.svg.encode()).decode()
        return f'<img alt={quoteattr(self.alt)} src="data:image/svg+xml;base64,{encoded}">'

    def __repr__(self) -> str:
        return self.alt

    def show(self) -> None:
        """Show the picture in a notebook; print its alt text elsewhere."""
        if in_notebook():
            from IPython.display import display

            display(self)
        else:
            print(self.alt)


def line_plot(
    series: Mapping[str, Points],
    x_label: str,
    y_label: str,
    title: str,
    alt: str,
    levels: Mapping[str, float] | None = None,
    log_x: bool = False,
    log_y: bool = False,
) -> None:
    """Show one line for each series of (x, y); labels carry units: "batch time (ms)".

    `levels` are named horizontal lines: a limit, an interval. Series differ by marker and dashes, not just by colour.
    If each x is an int (nodes, workers), so is each tick.
    """
    draw_lines(series, x_label, y_label, title, alt, levels, log_x, log_y).show()


def draw_lines(
    series: Mapping[str, Points],
    x_label: str,
    y_label: str,
    title: str,
    alt: str,
    levels: Mapping[str, float] | None = None,
    log_x: bool = False,
    log_y: bool = False,
) -> Picture:
    """Return the picture of `line_plot`."""
    with figure(6.4, 3.6) as drawn:
        axes = drawn.add_subplot()
        add_lines(axes, series, levels or {})
        axes.set(title=printable(title), xlabel=printable(x_label), ylabel=printable(y_label))
        if log_x:
            axes.set_xscale("log")
            _label_powers_of_ten(axes.xaxis)
        elif all(isinstance(x, int) for points in series.values() for x, _ in points):
            axes.xaxis.get_major_locator().set_params(integer=True)
        if log_y:
            axes.set_yscale("log")
            _label_powers_of_ten(axes.yaxis)
        if not log_y and all(y >= 0 for points in series.values() for _, y in points):
            axes.set_ylim(bottom=0)
        if len(series) + len(levels or {}) > 1:
            drawn.legend(loc="outside lower center", ncols=3, frameon=False)
        return picture(drawn, alt)


def _label_powers_of_ten(axis: Any) -> None:
    """Set labels such as "1,000": matplotlib's own are TeX, which `text.parse_math` off leaves unrendered."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}" if value >= 1 else f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())


def bar_plot(values: Mapping[str, float], x_label: str, title: str, alt: str) -> None:
    """Show one horizontal bar for each value, the first on top, with its number at the end."""
    draw_bars(values, x_label, title, alt).show()


def draw_bars(values: Mapping[str, float], x_label: str, title: str, alt: str) -> Picture:
    """Return the picture of `bar_plot`."""
    with figure(6.4, 1.2 + 0.28 * max(1, len(values))) as drawn:
        axes = drawn.add_subplot()
        add_bars(axes, list(values.items()))
        axes.set(title=printable(title), xlabel=printable(x_label))
        return picture(drawn, alt)


def table(rows: Iterable[Sequence[object]], headers: Sequence[str]) -> str:
    """Return rows as aligned text: numbers to the right, floats with four digits.

    Example: print(table([("the", 120), ("of", 7)], headers=["word", "count"]))
    """
    cells = [[_shown(value) for value in row] for row in rows]
    wrong = next((row for row in cells if len(row) != len(headers)), None)
    if wrong is not None:
        raise ValueError(f"each row must have {len(headers)} values, one for each of {list(headers)}; got {wrong}")
    numeric = [bool(cells) and all(_is_number(row[column]) for row in cells) for column in range(len(headers))]
    widths = [max(map(_width, column)) for column in zip(headers, *cells, strict=True)]
    ruler = ["─" * width for width in widths]
    return "\n".join(_aligned(row, widths, numeric) for row in [list(headers), ruler, *cells])


def in_notebook() -> bool:
    """Return whether this code runs in a notebook's kernel, which can display pictures."""
    try:
        from IPython import get_ipython
    except ImportError:
        return False
    return hasattr(get_ipython(), "kernel")


@contextmanager
def figure(width_inch: float, height_inch: float) -> Iterator[Any]:
    """Yield a matplotlib figure in the house style. Code in the block prints no warnings: stderr costs points."""
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # the first import logs that it builds a font cache
    import matplotlib
    from matplotlib.figure import Figure

    with warnings.catch_warnings(), matplotlib.rc_context(STYLE):
        warnings.simplefilter("ignore")  # a letter that the font lacks
        yield Figure(figsize=(width_inch, height_inch), layout="constrained")


def picture(drawn: Any, alt: str) -> Picture:
    """Return a `figure` as SVG with its alt text inside; call it in the figure's block."""
    if not alt.strip():
        raise ValueError("alt must say in words what the picture shows, got an empty text")
    alt = "\n".join(printable(line) for line in alt.splitlines())
    file = io.StringIO()
    drawn.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    svg = file.getvalue()
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    opening = f'<svg role="img" aria-label={quoteattr(alt)} '
    svg = opening + svg.removeprefix("<svg ").replace(">", f">\n<title>{escape(alt)}</title>", 1)
    return Picture(svg, alt)


def add_lines(axes: Any, series: Mapping[str, Points], levels: Mapping[str, float]) -> None:
    """Draw series and levels on axes, each with its label for a legend."""
    for at, (name, points) in enumerate(series.items()):
        axes.plot(
            [x for x, _ in points],
            [y for _, y in points],
            label=printable(name),
            linestyle=LINE_STYLES[at % len(LINE_STYLES)],
            marker=MARKERS[at % len(MARKERS)],
            markersize=5,
            color=COLOURS[at % len(COLOURS)],
        )
    for at, (name, value) in enumerate(levels.items()):
        dashes = (0, LEVEL_DASHES[at % len(LEVEL_DASHES)])
        axes.axhline(value, label=printable(name), color=LEVEL_COLOUR, linestyle=dashes, linewidth=1.2)


def add_bars(axes: Any, values: Sequence[tuple[str, float]], places_shown: int = 1) -> None:
    """Draw horizontal bars on axes, the first on top, each with its number at the end and room for `places_shown`."""
    places = range(len(values))
    bars = axes.barh(places, [value for _, value in values], color=BAR_COLOUR, edgecolor="black", linewidth=0.6)
    axes.bar_label(bars, labels=[_shown(value) for _, value in values], padding=3)
    axes.set_yticks(places, labels=[_short(name) for name, _ in values])
    axes.set_ylim(max(places_shown, len(values)) - 0.5, -0.5)
    axes.margins(x=0.14)
    axes.locator_params(axis="x", nbins=5)
    if all(value >= 0 for _, value in values):
        axes.set_xlim(left=0, right=None if any(value for _, value in values) else 1)
    axes.grid(False, axis="y")
    axes.tick_params(axis="y", length=0)


def printable(text: str) -> str:
    """Return `text` with a dot for each character that an SVG cannot contain.

    Example: printable("a\\tb") -> "a·b"
    """
    return "".join("·" if unicodedata.category(letter) in UNSHOWN else letter for letter in text)


def _short(name: object) -> str:
    label = printable(str(name))
    return label if len(label) <= LONGEST_LABEL else label[: LONGEST_LABEL - 1] + "…"


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    return printable(str(value))


def _is_number(cell: str) -> bool:
    return re.fullmatch(r"[+-]?[\d.,]+(e[+-]?\d+)?|nan|[+-]?inf", cell) is not None


def _width(cell: str) -> int:
    """Return the width in columns of a terminal: a Chinese character takes two."""
    from rich.cells import cell_len

    return cell_len(cell)


def _aligned(row: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    padded = []
    for cell, width, to_the_right in zip(row, widths, numeric, strict=True):
        blank = " " * (width - _width(cell))
        padded.append(blank + cell if to_the_right else cell + blank)
    return "  ".join(padded).rstrip()
