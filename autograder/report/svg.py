"""Draws inline SVG: a throughput check's ratios against the threshold, both sides' rates, and the score's ring.

Colours come from the page's style sheet by class, so a picture follows the page's colour scheme. Shapes differ as
well, so a reader needs no colour to read it. Pictures contain no scripts and load nothing.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from autograder.report.number_formats import points, rate
from autograder.report.results_view import Pair, ThroughputVerdict

_SIZE_PX = _WIDTH_PX, _HEIGHT_PX = 430, 258
_LEFT_PX, _RIGHT_PX, _TOP_PX, _BOTTOM_PX = 46, 90, 34, 44
_LABEL_PX = 14  # minimum distance between two labels


@dataclass(frozen=True)
class Scale:
    """Maps values `low` to `high` onto pixels, bottom to top."""

    low: float
    high: float

    def __call__(self, value: float) -> float:
        """Return the y coordinate of `value`, in px to one decimal."""
        plot_px = _HEIGHT_PX - _TOP_PX - _BOTTOM_PX
        return round(_HEIGHT_PX - _BOTTOM_PX - (value - self.low) / (self.high - self.low) * plot_px, 1)


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return round values that cover low to high, in steps of 1, 2 or 5 times a power of ten.

    Example: ticks(0.0, 1.7) -> [0.0, 0.5, 1.0, 1.5, 2.0]
    """
    span = max(high - low, abs(high) * 1e-3, 1e-9)
    power = 10.0 ** math.floor(math.log10(span / most))
    step = next(power * each for each in (1, 2, 5, 10, 20) if span / (power * each) <= most - 1)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(at * step, 9) for at in range(first, max(last, first + 1) + 1)]


def ratio_chart(throughput: ThroughputVerdict, chart_id: str) -> Markup:
    """Draw each pair's ratio as a dot, with the threshold, the ratio of the medians and its interval.

    Dots at or over the threshold are filled, the others are hollow.
    """
    marks = [
        each for each in (throughput.threshold, throughput.low, throughput.high, throughput.ratio) if each is not None
    ]
    values = [*(pair.ratio for pair in throughput.samples), *marks, 1.0]
    at = ticks(min(values), max(values))
    scale = Scale(at[0], at[-1])
    body = [
        *_axes(scale, list(zip(at, same_decimals(at), strict=True)), len(throughput.samples)),
        *_interval(throughput, scale),
    ]
    body += _level_lines(throughput, scale)
    body += [_ratio_dot(pair.ratio, x, scale(pair.ratio), throughput.threshold) for x, pair in _columns(throughput)]
    return figure(chart_id, "Ratio of each pair", "yours ÷ baseline", _describe_ratios(throughput), body, _SIZE_PX)


def same_decimals(values: list[float]) -> list[str]:
    """Return numbers with equally many decimals, as many as the longest needs.

    Example: same_decimals([0.5, 1.0]) -> ["0.5", "1.0"]
    """
    decimals = max(len(f"{each:g}".partition(".")[2]) for each in values)
    return [f"{each:.{decimals}f}" for each in values]


def rates_chart(throughput: ThroughputVerdict, chart_id: str) -> Markup:
    """Draw both sides' rates per pair: yours as a disc, the baseline's as an open square, joined by a line."""
    top = max(max(pair.rate_per_s, pair.baseline_per_s) for pair in throughput.samples)
    at = ticks(0.0, top)
    scale = Scale(at[0], at[-1])
    body = [*_axes(scale, [(each, short(each)) for each in at], len(throughput.samples)), *_legend(throughput, scale)]
    for x, pair in _columns(throughput):
        mine, baseline = scale(pair.rate_per_s), scale(pair.baseline_per_s)
        body.append(Markup('<path class="join" d="M{0} {1}V{2}"/>').format(x, mine, baseline))
        body.append(_square(x, baseline))
        body.append(_disc(x, mine))
    return figure(
        chart_id, "Rate of each pair", f"{throughput.unit} per second", _describe_rates(throughput), body, _SIZE_PX
    )


def short(value: float) -> str:
    """Return a tick's label.

    Example: short(200000) -> "200 k"
    """
    for size, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"


def score_ring(score: float, max_score: float, ring_id: str) -> Markup:
    """Draw the share of points as a ring, with the figures inside."""
    around = 2 * math.pi * 52
    share = min(1.0, max(0.0, score / max_score)) if max_score else 0.0
    text = f"{points(score)} of {points(max_score)} points"
    arc = Markup('<circle class="ring-share" cx="60" cy="60" r="52" stroke-dasharray="{0} {1}"/>').format(
        round(share * around, 1), round(around, 1)
    )
    return Markup(
        '<svg class="ring" viewBox="0 0 120 120" role="img" aria-labelledby="{id}"><title id="{id}">{text}</title>'
        '<circle class="ring-track" cx="60" cy="60" r="52"/>{arc}'
        '<text class="ring-score" x="60" y="62">{score}</text>'
        '<text class="ring-max" x="60" y="82">of {most}</text></svg>'
    ).format(id=ring_id, text=text, arc=arc if share else "", score=points(score), most=points(max_score))


def figure(chart_id: str, title: str, axis: str, desc: str, body: list[Markup], size_px: tuple[float, float]) -> Markup:
    """Return a picture with its title, the quantity on its axis, and its description in words as `desc`."""
    width, height = size_px
    headings = [label("chart-title", 0, 14, title), label("chart-axis", width, 14, axis, "end")]
    return Markup(
        '<svg class="chart" viewBox="0 0 {w} {h}" role="img" aria-labelledby="{id}-t {id}-d">'
        '<title id="{id}-t">{title}</title><desc id="{id}-d">{desc}</desc>{body}</svg>'
    ).format(w=width, h=height, id=chart_id, title=title, desc=desc, body=Markup("").join([*headings, *body]))


def label(kind: str, x: float, y: float, text: object, anchor: str = "start") -> Markup:
    """Return text at a position; `anchor` is start, middle or end."""
    pattern = Markup('<text class="{0}" x="{1}" y="{2}" text-anchor="{3}">{4}</text>')
    return pattern.format(kind, round(x, 1), round(y, 1), anchor, text)


def _columns(throughput: ThroughputVerdict) -> Iterator[tuple[float, Pair]]:
    for at, pair in enumerate(throughput.samples):
        yield _column_px(at, len(throughput.samples)), pair


def _column_px(at: int, count: int) -> float:
    plot_px = _WIDTH_PX - _LEFT_PX - _RIGHT_PX
    return round(_LEFT_PX + (at + 0.5) * plot_px / count, 1)


def _axes(scale: Scale, labels: list[tuple[float, str]], count: int) -> Iterator[Markup]:
    right = _WIDTH_PX - _RIGHT_PX
    for value, words in labels:
        y = scale(value)
        yield Markup('<path class="grid" d="M{0} {1}H{2}"/>').format(_LEFT_PX, y, right)
        yield label("tick", _LEFT_PX - 8, y + 4, words, "end")
    for at in range(0, count, max(1, math.ceil(count / 10))):
        yield label("tick", _column_px(at, count), _HEIGHT_PX - _BOTTOM_PX + 18, at + 1, "middle")
    yield label("chart-axis", (_LEFT_PX + right) / 2, _HEIGHT_PX - 6, "pair", "middle")


def _interval(throughput: ThroughputVerdict, scale: Scale) -> Iterator[Markup]:
    if throughput.low is None or throughput.high is None or throughput.low > throughput.high:
        return
    top, bottom = scale(throughput.high), scale(throughput.low)
    width = _WIDTH_PX - _LEFT_PX - _RIGHT_PX
    yield Markup('<rect class="interval" x="{0}" y="{1}" width="{2}" height="{3}"/>').format(
        _LEFT_PX, top, width, round(bottom - top, 1)
    )


def _level_lines(throughput: ThroughputVerdict, scale: Scale) -> Iterator[Markup]:
    """Draw the ratio and the threshold as lines, with labels at the right that do not overlap."""
    levels = [(throughput.ratio, "level-ratio", "ratio"), (throughput.threshold, "level-threshold", "threshold")]
    lines = sorted((scale(value), value, kind, name) for value, kind, name in levels if value is not None)
    label_y = [y + 4 for y, *_ in lines]
    if len(lines) == 2 and label_y[1] - label_y[0] < _LABEL_PX:
        middle = sum(label_y) / 2
        label_y = [middle - _LABEL_PX / 2, middle + _LABEL_PX / 2]
    right = _WIDTH_PX - _RIGHT_PX
    for (y, value, kind, name), text_y in zip(lines, label_y, strict=True):
        yield Markup('<path class="{0}" d="M{1} {2}H{3}"/>').format(kind, _LEFT_PX, y, right)
        yield label("level-label", right + 4, text_y, f"{name} {value:.2f}")


def _legend(throughput: ThroughputVerdict, scale: Scale) -> Iterator[Markup]:
    """Draw the names at the right, at the height of the last pair."""
    last = throughput.samples[-1]
    mine, baseline = scale(last.rate_per_s), scale(last.baseline_per_s)
    if abs(mine - baseline) < _LABEL_PX:
        middle, up = (mine + baseline) / 2, 1 if mine <= baseline else -1
        mine, baseline = middle - up * _LABEL_PX / 2, middle + up * _LABEL_PX / 2
    for y, name in ((mine, "● yours"), (baseline, "□ baseline")):
        yield label("level-label", _WIDTH_PX - _RIGHT_PX + 4, y + 4, name)


def _ratio_dot(ratio: float, x: float, y: float, threshold: float | None) -> Markup:
    kind = "dot" if threshold is None or ratio >= threshold else "dot dot-below"
    return Markup('<circle class="{0}" cx="{1}" cy="{2}" r="4.5"/>').format(kind, x, y)


def _disc(x: float, y: float) -> Markup:
    return Markup('<circle class="dot" cx="{0}" cy="{1}" r="4.5"/>').format(x, y)


def _square(x: float, y: float) -> Markup:
    left, top = round(x - 4, 1), round(y - 4, 1)
    return Markup('<rect class="square" x="{0}" y="{1}" width="8" height="8"/>').format(left, top)


def _describe_ratios(throughput: ThroughputVerdict) -> str:
    """Return the ratio chart in words."""
    ratios = [pair.ratio for pair in throughput.samples]
    words = f"{len(ratios)} pairs, ratios from {min(ratios):.2f} to {max(ratios):.2f}"
    if throughput.threshold is not None:
        over = sum(ratio >= throughput.threshold for ratio in ratios)
        words += f"; {over} of {len(ratios)} are at or over the threshold of {throughput.threshold:.2f}"
    if throughput.ratio is not None:
        words += f". The ratio of the medians is {throughput.ratio:.2f}"
    if throughput.low is not None and throughput.high is not None:
        words += f"; its interval is {throughput.low:.2f} to {throughput.high:.2f}"
    return words + "."


def _describe_rates(throughput: ThroughputVerdict) -> str:
    """Return the chart of rates in words."""
    mine = [pair.rate_per_s for pair in throughput.samples]
    baseline = [pair.baseline_per_s for pair in throughput.samples]
    return (
        f"Yours ran at {rate(min(mine))} to {rate(max(mine))} {throughput.unit} per second, "
        f"the baseline at {rate(min(baseline))} to {rate(max(baseline))}."
    )
