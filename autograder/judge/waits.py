"""Gives one mistake one message: a failure that another check of the task explains waits until that check passes."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from autograder.checks import Check
from autograder.judge.verdicts import Verdict


def with_waits(in_order: Sequence[Check], verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Return the verdicts on one task; a failure is skipped if a check that it comes after does not pass, either.

    `in_order` has the checks of the task, each after those that it comes after. A pass stays a pass, and an error or a
    timeout stays what it is, since it shows where the code stopped.
    """
    found = {each.check: each for each in verdicts}
    cause_of: dict[str, Verdict] = {}  # of each check that does not pass: the verdict that explains it
    for check in in_order:
        verdict = found[check.name]
        if verdict.verdict not in ("fail", "error", "timeout"):
            continue
        causes = [cause_of[name] for name in check.after if name in cause_of] if verdict.verdict == "fail" else []
        cause_of[check.name] = next(iter(causes), verdict)
        if causes:
            found[check.name] = _waiting(verdict, causes[0])
    return list(found.values())


def _waiting(verdict: Verdict, cause: Verdict) -> Verdict:
    """Return the verdict without its own message. Its points are 0, as those of any failure are."""
    sentence = f'Fails, too; not judged until "{cause.title}" passes.'
    bare = replace(verdict, evidence={}, also_runs=(), quoted=frozenset())
    return replace(bare, verdict="skipped", sentence=sentence, waits_for=cause.check)
