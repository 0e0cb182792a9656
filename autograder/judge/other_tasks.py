"""Names the other tasks that a failing case ran and that do not pass: the mistake may be theirs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from autograder.judge.verdicts import Verdict


def with_other_tasks(verdicts: Sequence[Verdict], earlier: Mapping[str, bool] | None = None) -> list[Verdict]:
    """Return the verdicts of a lab; a sentence about a case that ran other tasks names those that do not pass.

    Such a verdict cites no invariant, since the check's own need not be the one that is violated.

    earlier: {task: whether it passed} of tasks that were judged before, as the cells of a notebook are

    Example: "The day ends early." -> "The day ends early. Of the other tasks that it ran, these do not pass yet: Desk."
    """
    passes = dict(earlier or {}) | {each.task: True for each in verdicts}
    passes |= {each.task: False for each in verdicts if each.verdict != "pass"}
    return [_named(each, passes) for each in verdicts]


def _named(verdict: Verdict, passes: Mapping[str, bool]) -> Verdict:
    failing = [task for task in verdict.also_runs if not passes.get(task, True)]
    unknown = [task for task in verdict.also_runs if task not in passes]
    lists = {"these do not pass yet": failing, "these have no verdict yet": unknown}
    named = "; ".join(f"{what}: {', '.join(tasks)}" for what, tasks in lists.items() if tasks)
    if not named:
        return verdict
    evidence = {name: text for name, text in verdict.evidence.items() if name != "invariant"}
    sentence = f"{verdict.sentence} Of the other tasks that it ran, {named}."
    return replace(verdict, sentence=sentence, evidence=evidence)
