"""Draws a class as inline SVG: the distribution of points, the ratios of a throughput check, the results of a check.

Colours come from the page's style sheet, by class.
"""

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from autograder.report.class_page.overview import Overview
from autograder.report.class_page.throughput import Run, ThroughputOfClass
from autograder.report.number_formats import points
from autograder.report.svg import figure, label, same_decimals, ticks

_WIDTH_PX = 430
_LEFT_PX, _RIGHT_PX = 12, 12
_PLOT_PX = _WIDTH_PX - _LEFT_PX - _RIGHT_PX
_TOP_PX, _BOTTOM_PX = 40, 44
_BARS_PX = 130
_ROWS_MAX, _CLIP_FACTOR = 21, 4.0
_SHARE_PX = 160


def histogram(overview: Overview, chart_id: str) -> Markup:
    """Draw the marks as bars, from 0 to the maximum, each with its count."""
    bins = overview.bins
    most = max(1, *(each.count for each in bins))
    width, ground = _PLOT_PX / len(bins), _TOP_PX + _BARS_PX
    body = [Markup('<path class="axis" d="M{0} {1}H{2}"/>').format(_LEFT_PX, ground, _LEFT_PX + _PLOT_PX)]
    for at, each in enumerate(bins):
        left, high = _LEFT_PX + at * width, each.count / most * _BARS_PX
        if each.count:
            body.append(_bar(left + 1.5, ground - high, width - 3, high))
            body.append(label("bar-count", left + width / 2, ground - high - 5, each.count, "middle"))
        body.append(label("tick", left, ground + 17, points(each.low), "middle" if at else "start"))
    body.append(label("tick", _LEFT_PX + _PLOT_PX, ground + 17, points(bins[-1].high), "end"))
    body.append(label("chart-axis", _LEFT_PX + _PLOT_PX / 2, ground + 37, "points", "middle"))
    return figure(chart_id, "Marks", "students", _describe(overview), body, (_WIDTH_PX, ground + _BOTTOM_PX))


def _bar(left: float, top: float, width: float, height: float) -> Markup:
    sides = [round(each, 1) for each in (left, top, width, height)]
    return Markup('<rect class="bar" x="{0}" y="{1}" width="{2}" height="{3}"/>').format(*sides)


def _describe(overview: Overview) -> str:
    """Return the histogram in words.

    Example: "28 marks, the highest first; from 35 to 40 points: 19; from 30 to 35 points: 9."
    """
    counted = [each for each in reversed(overview.bins) if each.count]
    parts = [f"from {points(each.low)} to {points(each.high)} points: {each.count}" for each in counted]
    return f"{len(overview.points)} marks, the highest first; {'; '.join(parts)}." if parts else "No marks yet."


def throughput_strip(throughput: ThroughputOfClass, chart_id: str) -> Markup:
    """Draw a dot for each ratio on one axis, filled at or over the threshold, and the threshold as a line."""
    values = [each.ratio for each in throughput.runs]
    furthest = _CLIP_FACTOR * max(1.0, throughput.threshold or 1.0)
    known = (
        [min(each, furthest) for each in values]
        + [1.0]
        + ([throughput.threshold] if throughput.threshold is not None else [])
    )
    at = ticks(min(known), max(known), most=6)
    places = _packed([_x(min(each, at[-1]), at) for each in values], radius := _radius(len(values)))
    rows = max((abs(row) for _, row in places), default=0)
    middle = _TOP_PX + 12 + (rows + 1) * 2 * radius
    ground = middle + (rows + 1) * 2 * radius + 4
    body = [*_axis(at, ground), *_levels(throughput, at, ground)]
    for run, (x, row) in zip(throughput.runs, places, strict=True):
        body.append(_dot(run, throughput.threshold, x, middle + row * 2 * radius, radius))
    return figure(chart_id, "Ratio of each student", "", throughput.in_words, body, (_WIDTH_PX, ground + _BOTTOM_PX))


def _radius(count: int) -> float:
    return 5.0 if count <= 40 else 3.5 if count <= 120 else 2.5


def _x(value: float, at: Sequence[float]) -> float:
    return round(_LEFT_PX + (value - at[0]) / (at[-1] - at[0]) * _PLOT_PX, 1)


def _packed(xs: Sequence[float], radius: float) -> list[tuple[float, int]]:
    """Return the position of each dot: its x, and the row nearest to the middle in which it covers no other dot."""
    last: dict[int, list[float]] = {}
    rows = sorted(range(-_ROWS_MAX, _ROWS_MAX + 1), key=lambda row: (abs(row), row))
    placed = []
    for x in xs:
        free = (row for row in rows if all(abs(x - other) >= 2 * radius for other in last.get(row, [])))
        row = next(free, 0)
        last.setdefault(row, []).append(x)
        placed.append((x, row))
    return placed


def _axis(at: Sequence[float], ground: float) -> Iterator[Markup]:
    yield Markup('<path class="axis" d="M{0} {1}H{2}"/>').format(_LEFT_PX, ground, _LEFT_PX + _PLOT_PX)
    for number, (value, words) in enumerate(zip(at, same_decimals(list(at)), strict=True)):
        anchor = "start" if number == 0 else "end" if number == len(at) - 1 else "middle"
        yield Markup('<path class="axis" d="M{0} {1}v5"/>').format(_x(value, at), ground)
        yield label("tick", _x(value, at), ground + 18, words, anchor)
    yield label("chart-axis", _LEFT_PX + _PLOT_PX / 2, ground + 37, "ratio: student ÷ baseline", "middle")


def _levels(throughput: ThroughputOfClass, at: Sequence[float], ground: float) -> Iterator[Markup]:
    """Draw the threshold, and a line at 1, where a version is as fast as the baseline."""
    yield Markup('<path class="level-even" d="M{0} {1}V{2}"/>').format(_x(1.0, at), _TOP_PX + 4, ground)
    if throughput.threshold is not None:
        x = _x(throughput.threshold, at)
        side, anchor = (5, "start") if x < _WIDTH_PX * 0.8 else (-5, "end")
        yield Markup('<path class="level-threshold" d="M{0} {1}V{2}"/>').format(x, _TOP_PX + 4, ground)
        yield label("level-label", x + side, _TOP_PX + 8, f"threshold {throughput.threshold:.2f}", anchor)


def _dot(run: Run, threshold: float | None, x: float, y: float, radius: float) -> Markup:
    kind = "dot" if threshold is None or run.ratio >= threshold else "dot dot-below"
    return Markup('<circle class="{0}" cx="{1}" cy="{2}" r="{3}"><title>{4}: {5}</title></circle>').format(
        kind, x, round(y, 1), radius, run.member.label, f"{run.ratio:.2f}"
    )


def share_bar(parts: Sequence[tuple[str, int]]) -> Markup:
    """Draw counts as parts of one bar, named "right", "wrong" or "open"; the page shows the figures next to it."""
    whole = max(1, sum(count for _, count in parts))
    x, body = 0.0, []
    for name, count in parts:
        width = count / whole * _SHARE_PX
        if count:
            body.append(_part(name, x, width))
        x += width
    return Markup('<svg class="share" viewBox="0 0 {0} 10" aria-hidden="true" focusable="false">{1}</svg>').format(
        _SHARE_PX, Markup("").join(body)
    )


def _part(name: str, x: float, width: float) -> Markup:
    """Draw one part: right at full height, wrong lower, open as a line, to distinguish them without colour."""
    height = {"right": 10, "wrong": 6, "open": 2}[name]
    return Markup('<rect class="part-{0}" x="{1}" y="{2}" width="{3}" height="{4}"/>').format(
        name, round(x, 1), 10 - height, round(max(1.0, width - 1), 1), height
    )
