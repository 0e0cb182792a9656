"""A table of numbers as a picture: the larger a number, the darker its square. Small tables show the numbers, too."""

from collections.abc import Sequence

from streamlab.views.plots import Picture, figure, picture, printable

NUMBERS_UP_TO = 18  # rows; numbers in more rows would be unreadable
LIGHTER = 2.2  # makes the darkest square lighter than black, so that its number is readable


def heat_map(rows: Sequence[Sequence[float]], x_label: str, y_label: str, title: str, alt: str) -> None:
    """Show rows of numbers, the first row on top; rows and columns are numbered from 0."""
    draw_heat_map(rows, x_label, y_label, title, alt).show()


def draw_heat_map(rows: Sequence[Sequence[float]], x_label: str, y_label: str, title: str, alt: str) -> Picture:
    """Return the picture of `heat_map`."""
    with figure(6.4, max(1.8, min(5.2, 1.4 + 5.2 * len(rows) / len(rows[0])))) as drawn:
        axes = drawn.add_subplot()
        axes.imshow(rows, cmap="Greys", vmin=0, vmax=LIGHTER * max(map(max, rows)))
        axes.set(title=printable(title), xlabel=printable(x_label), ylabel=printable(y_label))
        axes.set_xticks(range(len(rows[0])))
        axes.set_yticks(range(len(rows)))
        axes.grid(False)
        if len(rows) <= NUMBERS_UP_TO:
            for y, row in enumerate(rows):
                for x, value in enumerate(row):
                    axes.text(x, y, f"{value:g}", ha="center", va="center", fontsize=7)
        return picture(drawn, alt)
