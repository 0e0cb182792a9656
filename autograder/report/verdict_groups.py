"""Groups verdicts that share a message, and sorts tasks by what the reader has to do about them.

A cell that fails while it is loaded gives every check of its task the same sentence; the report shows it once.
"""

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from autograder.report.results_view import Report, TaskReport, ThroughputVerdict, Verdict

_LIMIT = re.compile(r"\b(?:within|over|limit of) (?P<limit>\d+(?:\.\d+)? s)\b")


def with_one_message(verdicts: Sequence[Verdict]) -> list[list[Verdict]]:
    """Return lists of consecutive verdicts with the same message; the first of each list has the message to show.

    For errors, timeouts and skipped checks only the sentence and the hint are compared, and the first verdict has the
    smallest case. Other verdicts must have the same evidence as well.
    """
    keys = {id(each): _message(each, at) for at, each in enumerate(verdicts)}
    return [list(group) for _, group in groupby(verdicts, key=lambda each: keys[id(each)])]


def _message(verdict: Verdict, at: int) -> Hashable:
    if verdict.verdict == "pass" or (isinstance(verdict, ThroughputVerdict) and verdict.ratio is not None):
        return at
    if verdict.verdict in ("error", "timeout", "skipped"):
        return verdict.verdict, verdict.sentence, verdict.evidence.hint
    return verdict.verdict, verdict.sentence, verdict.evidence


@dataclass(frozen=True)
class Attention:
    """The tasks of a report: those with a verdict that is not a pass, those not written yet, and those that pass."""

    wrong: list[TaskReport] = field(default_factory=list)
    not_written: list[TaskReport] = field(default_factory=list)
    passing: list[TaskReport] = field(default_factory=list)


def by_attention(report: Report) -> Attention:
    """Sort the tasks of a report by what the reader has to do about them; each list is in the order of the lab."""
    sorted_tasks = Attention()
    for task in report.tasks:
        seen = {each.verdict for each in task.verdicts}
        if seen == {"pass"}:
            sorted_tasks.passing.append(task)
        elif seen == {"skipped"}:
            sorted_tasks.not_written.append(task)
        else:
            sorted_tasks.wrong.append(task)
    return sorted_tasks


def time_limit(verdict: Verdict) -> str:
    """Return the limit that a timeout exceeded, as its sentence states it; "" if it states none.

    Example: "near timed out: no answer within 60 s." -> "60 s"
    """
    found = _LIMIT.search(verdict.sentence) if verdict.verdict == "timeout" else None
    return found["limit"] if found else ""
