"""Renders the verdicts of one check cell as HTML for a notebook.

All styles are inline, since a page may drop style sheets. `autograder.report.terminal` prints the same verdicts as
plain text.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from jinja2 import Environment

from autograder.report.pages import environment
from autograder.report.results_view import read_report
from autograder.report.verdict_groups import with_one_message

SIGNS = {"pass": "✓", "fail": "✗", "error": "!", "timeout": "◷", "inconclusive": "~", "skipped": "–"}
COLOURS = {"pass": "#1a7f37", "fail": "#c62828", "error": "#c62828", "timeout": "#8e24aa", "inconclusive": "#9a6700"}


def render_checks(checks: Sequence[Mapping[str, Any]], note: str) -> str:
    """Return the verdicts on the tasks of a check cell as HTML: failures first, and the note below them."""
    report = read_report({"streamlab": {"checks": list(checks)}})
    verdicts = [verdict for task in report.tasks for verdict in task.verdicts]
    template = _environment().get_template("cell.html.j2")
    passed = [each for each in verdicts if each.verdict == "pass"]
    groups = with_one_message([each for each in verdicts if each.verdict != "pass"])
    return template.render(groups=groups, passed=passed, count=len(verdicts), note=note)


@cache
def _environment() -> Environment:
    return environment(filters={"sign": SIGNS.__getitem__, "colour": _colour}, functions={})


def _colour(verdict: str) -> str:
    return COLOURS.get(verdict, "#6e7781")
