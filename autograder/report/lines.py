"""Builds the terminal report as lines of styled text: header, verdicts, throughput checks, totals.

Does not wrap or print the lines; `autograder.report.terminal` does.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from rich.cells import cell_len
from rich.text import Text

from autograder.intake.safe_text import safe
from autograder.report.number_formats import points, rates
from autograder.report.results_view import Evidence, Report, TaskReport, ThroughputVerdict, Verdict
from autograder.report.verdict_groups import with_one_message

STYLES = {
    "pass": "green",
    "fail": "bold red",
    "error": "bold red",
    "timeout": "bold magenta",
    "inconclusive": "bold yellow",
    "skipped": "dim",
}
_CASE_CHARS = 600
_STRIP_CELLS = 48


@dataclass(frozen=True)
class Line:
    """One line: text at an indent, and optional text at the right edge."""

    left: Text
    right: Text | None = None
    indent: int = 0


def report_lines(report: Report, *, columns: int | None) -> Iterator[Line]:
    """Yield every line of the report except the totals.

    `columns` is the width of a terminal, or None for a pipe or file. Only a terminal gets the throughput checks' chart.
    """
    yield from _header(report)
    for task in report.tasks:
        yield Line(Text())
        yield from task_lines(task, columns)


def _header(report: Report) -> Iterator[Line]:
    release = f" · release {report.release}" if report.release else ""
    yield Line(Text(f"{report.title} · {report.lab}{release}", style="bold"))
    yield Line(Text(f"{report.submission} · sandbox: {report.sandbox}"))
    if not report.isolated:
        yield Line(Text(NO_ISOLATION, style="bold yellow"))
    kinds = ("Note", report.notes), ("Fallback", report.fallbacks), ("Limit", report.limits_hit)
    for name, sentences in (*kinds, ("Not graded", report.ungraded)):
        for sentence in sentences:
            yield Line(Text(f"{name}: {sentence}", style="yellow"))


NO_ISOLATION = (
    "No isolation: this notebook ran as an ordinary process that could read and change your files. "
    "Judge only your own code this way."
)


def task_lines(task: TaskReport, columns: int | None) -> Iterator[Line]:
    """Yield the lines of one task: a headline for each verdict, and the message of each that did not pass.

    Verdicts with the same message yield their headlines, and then the message once.
    """
    for group in with_one_message(task.verdicts):
        yield from map(_headline, group)
        yield from _messages(group[0], columns)


def _headline(verdict: Verdict) -> Line:
    style = STYLES[verdict.verdict]
    left = Text.assemble((verdict.task, "bold"), f" · {verdict.title}")
    score = f"{points(verdict.points)}/{points(verdict.max_points)}"
    return Line(left, Text.assemble((verdict.verdict, style), f"  {score}"))


def _messages(verdict: Verdict, columns: int | None) -> Iterator[Line]:
    """Yield sentence, evidence and next step; nothing for a pass that is not a throughput check."""
    if verdict.verdict == "pass" and not isinstance(verdict, ThroughputVerdict):
        return
    for sentence in verdict.sentence.splitlines():
        yield Line(Text(sentence), indent=2)
    if isinstance(verdict, ThroughputVerdict):
        yield from _throughput(verdict, drawn=columns is not None)
    yield from _evidence(verdict.evidence, columns)


def _evidence(evidence: Evidence, columns: int | None) -> Iterator[Line]:
    if evidence.smallest_case:
        case = safe(evidence.smallest_case.replace("\n", " "), _CASE_CHARS)
        yield Line(Text.assemble("Smallest case that shows it: ", (case, "cyan")), indent=2)
    for step in filter(None, (evidence.invariant, evidence.hint)):
        yield Line(Text(step, style="dim"), indent=2)


def _throughput(throughput: ThroughputVerdict, *, drawn: bool) -> Iterator[Line]:
    if throughput.ratio is None:
        return
    yield Line(Text(throughput_figures(throughput)), indent=2)
    if throughput.rate_per_s is not None and throughput.baseline_per_s is not None:
        yours, baseline = rates(throughput.rate_per_s, throughput.baseline_per_s, throughput.ratio)
        unit = f"{throughput.unit}/s"
        text = f"Median rates: yours {yours} {unit}, the baseline's {baseline} {unit} (shown, not graded)"
        yield Line(Text(text), indent=2)
    if drawn:
        yield Line(strip(throughput), indent=2)


def throughput_figures(throughput: ThroughputVerdict) -> str:
    """Return ratio, interval, threshold and number of pairs as a sentence without a full stop.

    Example: "Ratio 1.52 (95 % interval 1.44 to 1.60), threshold 1.25, 9 pairs"
    """
    interval = (
        ""
        if throughput.low is None or throughput.high is None
        else f" (95 % interval {throughput.low:.2f} to {throughput.high:.2f})"
    )
    threshold = "" if throughput.threshold is None else f", threshold {throughput.threshold:.2f}"
    return f"Ratio {throughput.ratio:.2f}{interval}{threshold}, {throughput.pairs} pairs"


def strip(throughput: ThroughputVerdict) -> Text:
    """Return the throughput check as a one-line chart, from 0 to a whole ratio, with interval, ratio and threshold."""
    known = [
        each for each in (throughput.ratio, throughput.low, throughput.high, throughput.threshold) if each is not None
    ]
    top = float(int(max(known)) + 1)
    at = [min(_STRIP_CELLS - 1, max(0, int(each / top * _STRIP_CELLS))) for each in known]
    cells = [("·", "dim")] * _STRIP_CELLS
    if throughput.low is not None and throughput.high is not None:
        cells[at[1] : at[2] + 1] = [("━", "cyan")] * (at[2] + 1 - at[1])
    if throughput.threshold is not None:
        cells[at[-1]] = ("┃", "yellow")
    cells[at[0]] = ("●", STYLES[throughput.verdict])
    runs = [(glyph * len(list(run)), style) for (glyph, style), run in groupby(cells)]
    return Text.assemble("0 ", *runs, f" {top:.0f}   ● ratio  ━ interval  ┃ threshold")


def total(report: Report) -> Line:
    """Return the line with the score, the number of checks that pass, what the score leaves out, and the bonus."""
    core = f"{points(report.points)}/{points(report.max_points)} points; {report.passed} of {report.count} checks pass."
    text = core if report.count or not report.bonus else ""
    return Line(Text(" ".join(filter(None, (text, report.score.in_words, report.bonus))), style="bold"))


def aligned(line: Line, columns: int) -> Text:
    """Return the line with its right part at the edge of `columns`, counted in terminal cells."""
    text = Text(" " * line.indent) + line.left
    if line.right is None:
        return text
    gap = max(2, columns - cell_len(text.plain) - cell_len(line.right.plain))
    return Text.assemble(text, " " * gap, line.right)
