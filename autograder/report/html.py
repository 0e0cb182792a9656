"""Renders results as one self-contained HTML file: no scripts, no fonts, no image files, no server.

The file's content security policy forbids scripts and requests, and the template escapes every text.
Equal results give equal bytes.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from autograder.report.lines import NO_ISOLATION, throughput_figures
from autograder.report.number_formats import grouped
from autograder.report.pages import environment, style
from autograder.report.results_view import VERDICTS, Report, TaskReport, Verdict, read_report
from autograder.report.svg import rates_chart, ratio_chart, score_ring
from autograder.report.verdict_groups import by_attention, time_limit, with_one_message

_COMMAND = re.compile(r"^(?P<lead>.*?)(?P<command>\./lab [A-Za-z0-9_/ -]+)$")


def write_html(results: Sequence[Mapping[str, Any]], path: Path | str) -> None:
    """Write the report of one or several submissions to `path`, in UTF-8 with Unix line endings."""
    Path(path).write_bytes(render_html(results).encode())


def render_html(results: Sequence[Mapping[str, Any]]) -> str:
    """Return the report of one or several results objects, in the given order, as one HTML document."""
    reports = [read_report(each) for each in results]
    template = _environment().get_template("report.html.j2")
    return template.render(
        reports=reports,
        css=style("report"),
        heading=_heading(reports),
        verdicts=VERDICTS,
        no_isolation=NO_ISOLATION,
    )


@cache
def _environment() -> Environment:
    functions: dict[str, Callable[..., Any]] = {
        "throughput_figures": throughput_figures,
        "ratio_chart": ratio_chart,
        "rates_chart": rates_chart,
        "score_ring": score_ring,
        "timing": timing,
        "by_attention": by_attention,
        "with_one_message": with_one_message,
    }
    filters: dict[str, Callable[..., Any]] = {
        "command": command,
        "duration": duration,
        "took": took,
        "first_hint": first_hint,
    }
    return environment(filters=filters, functions=functions)


def _heading(reports: Sequence[Report]) -> str:
    """Return the page's heading: the lab's title if all reports are of one lab, otherwise the course."""
    titles = {each.title for each in reports}
    return titles.pop() if len(titles) == 1 else (reports[0].course if reports else "No submissions")


def command(text: str) -> Markup:
    """Return a next step with its `./lab` command set as code; all text is escaped."""
    found = _COMMAND.match(text)
    if not found:
        return Markup("{}").format(text)
    return Markup("{} <code>{}</code>").format(found["lead"].rstrip(), found["command"])


def duration(seconds: float) -> str:
    """Return a duration with its significant digits and unit.

    Example: duration(0.0123) -> "12 ms"
    """
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    return f"{seconds:.1f} s" if seconds < 100 else f"{seconds:.0f} s"


def took(verdict: Verdict) -> str:
    """Return how long a check took; for a timeout the limit, since nothing was measured.

    Example: took(a timeout with "no answer within 60 s") -> "limit 60 s"
    """
    if verdict.verdict == "timeout":
        limit = time_limit(verdict)
        return f"limit {limit}" if limit else ""
    return "" if verdict.seconds is None or verdict.verdict == "skipped" else duration(verdict.seconds)


def first_hint(task: TaskReport) -> str:
    """Return the command for a task's first hint, from the first verdict that has one; "" if none has."""
    return next((each.evidence.hint for each in task.verdicts if each.evidence.hint), "")


def timing(report: Report) -> list[tuple[str, str]]:
    """Return the timing as (words, value with unit); the end of each name gives the unit.

    Example: {"spark_start_s": 3.61, "peak_mb": 812.0} -> [("spark start", "3.6 s"), ("peak memory", "812 MB")]
    """
    return [_measured(name, value) for name, value in report.timing.items()]


def _measured(name: str, value: float) -> tuple[str, str]:
    words, _, unit = name.replace("_", " ").rpartition(" ")
    if words and unit == "s":
        return words, duration(value)
    if words and unit == "mb":
        return f"{words} memory", f"{grouped(value)} MB"
    return name.replace("_", " "), f"{value:g}"
