"""Gives one mistake one message: a failure that another check of the task explains waits until that check passes."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from autograder.checks import Check
from autograder.judge.verdicts import Verdict


def with_waits(in_order: Sequence[Check], verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Return the verdicts on one task; a failure is skipped if a check that it comes after does not pass, either.

    `in_order` has the checks of the task, each after those that its `after` names. A pass stays a pass, and an error or
    a timeout stays what it is, since it shows where the code stopped.
    """
    found = {each.check: each for each in verdicts}
    cause_of: dict[str, Verdict | None] = {}  # of each check: the first failure among it and all that it comes after
    for check in in_order:
        verdict = found[check.name]
        cause = next(filter(None, (cause_of[name] for name in check.after)), None)
        if cause and verdict.verdict == "fail":
            found[check.name] = _waiting(verdict, cause)
        has_failed = verdict.verdict in ("fail", "error", "timeout")
        cause_of[check.name] = cause or (verdict if has_failed else None)
    return list(found.values())


def _waiting(verdict: Verdict, cause: Verdict) -> Verdict:
    """Return the verdict without its own message. Its points are 0, as those of any failure are."""
    sentence = f'Not judged until "{cause.title}" passes. Fix that one first.'
    bare = replace(verdict, evidence={}, also_runs=(), quoted=frozenset())
    return replace(bare, verdict="skipped", sentence=sentence, waits_for=cause.check)
