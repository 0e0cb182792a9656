"""What the plots of Lab 9's experiments share."""

import math
from collections.abc import Iterable, Sequence
from typing import Any


def nearest_rank(values: Iterable[float], share: float) -> float:
    """Return the value at this share by nearest rank, NaN without values."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else math.nan


def label_thousands(axis: Any) -> None:
    """Label an axis with numbers such as "10,000"."""
    from matplotlib.ticker import FuncFormatter

    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))


def set_symlog(axes: Any, linear_to: float, ticks: Sequence[float]) -> None:
    """Show y logarithmically above `linear_to`, and from 0."""
    axes.set_yscale("symlog", linthresh=linear_to)
    axes.set_ylim(bottom=0)
    axes.set_yticks(ticks)
    axes.minorticks_off()
    label_thousands(axes.yaxis)
