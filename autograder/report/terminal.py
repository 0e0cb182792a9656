"""Prints verdicts to a terminal, or as plain lines to a pipe or file.

A terminal gets colour (unless NO_COLOR is set), wrapped messages and a boxed table of totals. A pipe or file gets one
unwrapped line per fact, which `grep` finds as a whole.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from autograder.report.lines import Line, aligned, report_lines, task_lines, total
from autograder.report.number_formats import points
from autograder.report.results_view import Report, TaskReport, read_report

_PLAIN_COLUMNS = 78
_COLUMNS_MAX = 100
_ASCII = str.maketrans({"·": "-", "…": "...", "●": "o", "━": "=", "┃": "|", "─": "-", "✓": "v"})


def print_results(results: Mapping[str, Any], console: Console) -> None:
    """Print the verdicts of one submission: a line per check, the message of each that did not pass, and totals."""
    report = read_report(results)
    for line in report_lines(report, columns=_columns(console) if console.is_terminal else None):
        _print(line, console)
    _print(Line(Text()), console)
    _print_totals(report.tasks, console)
    _print(total(report), console)


def print_checks(checks: Sequence[Mapping[str, Any]], console: Console) -> None:
    """Print verdicts without header and totals, as a check cell in a notebook shows them."""
    for task in read_report({"streamlab": {"checks": list(checks)}}).tasks:
        for line in task_lines(task, columns=_PLAIN_COLUMNS):
            _print(line, console)


def print_overview(results: Sequence[Mapping[str, Any]], console: Console) -> None:
    """Print one line per submission: file, lab, points."""
    for report in map(read_report, results):
        isolation = "" if report.isolated else " · no isolation"
        _print(Line(Text(f"{report.submission} · {report.lab}{isolation}"), _score(report)), console)


def _print(line: Line, console: Console) -> None:
    """Print one line; on a terminal it wraps at the terminal's width and keeps its indent."""
    if not console.is_terminal:
        _write(aligned(line, _PLAIN_COLUMNS), console)
        return
    whole: Padding | Table = Padding(_encodable(line.left, console), (0, 0, 0, line.indent), expand=False)
    if line.right is not None:
        whole, left = Table.grid(padding=(0, 0, 0, 2), expand=True), whole
        whole.add_column(ratio=1)
        whole.add_column(justify="right", no_wrap=True)
        whole.add_row(left, _encodable(line.right, console))
    console.print(whole, width=_columns(console), highlight=False)


def _columns(console: Console) -> int:
    return min(console.width, _COLUMNS_MAX)


def _write(text: Text, console: Console) -> None:
    text.rstrip()
    console.print(_encodable(text, console), soft_wrap=True, highlight=False)


def _encodable(text: Text, console: Console) -> Text:
    """Return the text in the console's encoding: some characters have an ASCII substitute, others are escaped."""
    if console.encoding.lower().startswith("utf"):
        return text
    plain = text.plain.translate(_ASCII).encode(console.encoding, "backslashreplace").decode(console.encoding)
    return Text(plain, style=text.style)


def _score(report: Report) -> Text:
    return Text(f"{points(report.points)}/{points(report.max_points)}")


def _print_totals(tasks: Sequence[TaskReport], console: Console) -> None:
    if console.is_terminal:
        console.print(_table(tasks, safe_box=not console.encoding.lower().startswith("utf")))
        return
    for task in tasks:
        _print(Line(Text(f"{task.label}: {_passed(task)}"), _task_score(task)), console)


def _table(tasks: Sequence[TaskReport], *, safe_box: bool) -> Table:
    table = Table(box=box.ASCII if safe_box else box.ROUNDED, header_style="bold", border_style="dim")
    table.add_column("task", overflow="fold")
    table.add_column("checks", overflow="fold")
    table.add_column("points", justify="right", no_wrap=True)
    for task in tasks:
        style = "green" if task.verdict == "pass" else ""
        table.add_row(Text(task.label), Text(_passed(task), style=style), _task_score(task))
    return table


def _passed(task: TaskReport) -> str:
    return f"{task.passed} of {len(task.verdicts)} pass"


def _task_score(task: TaskReport) -> Text:
    return Text(f"{points(task.points)}/{points(task.max_points)}")
