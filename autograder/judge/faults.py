"""A fault of the judge itself ends with one submission, not with the class, and never becomes points lost."""

from collections.abc import Callable
from typing import TypeVar

from autograder.checks.recorded import UnknownQuestion
from autograder.course import CourseError
from autograder.intake import Rejected
from autograder.judge.request import Checked, Request
from autograder.sandbox import SandboxUnavailable

Answer = TypeVar("Answer")


def guarded(judge: Callable[[], Answer], otherwise: Callable[[Exception], Answer]) -> Answer:
    """What `judge()` gives; where it raises, what `otherwise(fault)` gives.

    A broken course, a missing sandbox and a seed that this kit has no answers for concern every submission: raised.
    """
    try:
        return judge()
    except (SandboxUnavailable, CourseError, UnknownQuestion):
        raise
    except Exception as fault:
        return otherwise(fault)


def judge_failed(name: str, request: Request, fault: Exception) -> Checked:
    """A submission that the judge could not judge, by its own fault."""
    why = Rejected(f"{name}: the judge itself failed ({type(fault).__name__}: {fault})", request.lab)
    return Checked(name, rejected=why, judge_failed=True)
