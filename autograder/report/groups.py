"""Puts verdicts together that need one message only, and tasks in the order in which a reader needs them.

A cell that fails on loading gives every check of its task the same sentence; it is read once.
"""

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from autograder.report.results_view import Report, TaskReport, ThroughputVerdict, Verdict

_LIMIT = re.compile(r"\b(?:within|over|limit of) (?P<limit>\d+(?:\.\d+)? s)\b")


def with_one_message(verdicts: Sequence[Verdict]) -> list[list[Verdict]]:
    """Consecutive verdicts whose message is the same; the first of each list has the message to show.

    An error or a timeout is the same whatever the case: the first case is the smallest. What fails differs by case.
    """
    keys = {id(each): _message(each, at) for at, each in enumerate(verdicts)}
    return [list(alike) for _, alike in groupby(verdicts, key=lambda each: keys[id(each)])]


def _message(verdict: Verdict, at: int) -> Hashable:
    if verdict.verdict == "pass" or (isinstance(verdict, ThroughputVerdict) and verdict.ratio is not None):
        return at
    if verdict.verdict in ("error", "timeout", "skipped"):
        return verdict.verdict, verdict.sentence, verdict.evidence.hint
    return verdict.verdict, verdict.sentence, verdict.evidence


@dataclass(frozen=True)
class Attention:
    """The tasks of a report: those with something wrong, those not written yet, those that pass."""

    wrong: list[TaskReport] = field(default_factory=list)
    not_written: list[TaskReport] = field(default_factory=list)
    passing: list[TaskReport] = field(default_factory=list)


def by_attention(report: Report) -> Attention:
    """The tasks of a report by what a reader has to do about them, each list in the order of the lab."""
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
    """The limit that a timeout ran into, as its sentence gives it; "" where it gives none.

    Example: "near did not come to an end: no answer within 60 s." -> "60 s"
    """
    found = _LIMIT.search(verdict.sentence) if verdict.verdict == "timeout" else None
    return found["limit"] if found else ""
