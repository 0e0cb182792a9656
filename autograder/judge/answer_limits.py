"""Limits what judging the answers of one submission may cost: the values in each answer, and processor time.

No right answer comes near the limits. A check whose answer is too large, or whose turn comes too late, fails.
"""

import time
from dataclasses import replace
from typing import Any

from autograder.checks import Check
from autograder.judge.outcomes import Outcome
from autograder.judge.verdicts import Verdict

TIMES_THE_REFERENCE, MORE_VALUES = 10, 1_000
JUDGING_S = 60.0


def values_in(answer: Any) -> int:
    """Return the number of values in lists and dicts, at all levels. Example: values_in({"n": [1, [2]]}) -> 4"""
    parts = answer.values() if isinstance(answer, dict) else answer if isinstance(answer, list) else ()
    return sum(1 + values_in(each) for each in parts)


def within_limit(outcome: Outcome, reference: int | None) -> Outcome:
    """Return the outcome; one with many more values than the largest answer of the `reference` becomes an error.

    None means that there is no limit.
    """
    count = values_in(outcome.rows)
    if reference is None or count <= TIMES_THE_REFERENCE * reference + MORE_VALUES:
        return outcome
    most = TIMES_THE_REFERENCE * reference + MORE_VALUES
    why = f"too many values: {count:,}, where at most {most:,} are expected"
    return replace(outcome, kind="failed", rows={}, error="UnreadableAnswer", message=why)


class JudgingTime:
    """The processor time that this thread has used for the answers of one submission."""

    def __init__(self) -> None:
        self._began_s = time.thread_time()

    @property
    def is_over(self) -> bool:
        """Whether the submission has used up its time."""
        return time.thread_time() - self._began_s > JUDGING_S


def too_late(check: Check, points: float) -> Verdict:
    """Return the verdict on a check that was not judged since the time was over."""
    why = f"judging the earlier answers took over {JUDGING_S:g} s of processor time. Return fewer and smaller values"
    sentence = f"{check.task} was not judged: {why}."
    return Verdict(check.task, check.name, check.title, "timeout", 0.0, points, sentence)
