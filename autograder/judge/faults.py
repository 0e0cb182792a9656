"""Confines a fault of the judge itself to one submission, which loses no points for it."""

from collections.abc import Callable
from typing import TypeVar

from autograder.checks.recorded import UnknownQuestion
from autograder.course import CourseError
from autograder.intake import Rejected
from autograder.judge.request import Checked, Request
from autograder.sandbox import SandboxUnavailable

Answer = TypeVar("Answer")


def guarded(judge: Callable[[], Answer], otherwise: Callable[[Exception], Answer]) -> Answer:
    """Return `judge()`, or `otherwise(fault)` if it raises.

    Raises faults that affect every submission: a broken course, a missing sandbox, a seed without recorded answers.
    """
    try:
        return judge()
    except (SandboxUnavailable, CourseError, UnknownQuestion):
        raise
    except Exception as fault:
        return otherwise(fault)


def judge_failed(name: str, request: Request, fault: Exception) -> Checked:
    """Return a submission that was not judged because of a fault of the judge."""
    why = Rejected(f"{name}: the judge itself failed ({type(fault).__name__}: {fault})", request.lab)
    return Checked(name, rejected=why, judge_failed=True)
