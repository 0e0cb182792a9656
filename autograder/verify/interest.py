"""Skip the cases of a version that can no longer change a verdict: those of checks that have already failed.

A check fails at its first case that differs, so later cases do not matter to it.
"""

from collections.abc import Iterable

from autograder.checks import Check
from autograder.judge.jobs import NumberedCase, Plan
from autograder.judge.outcomes import Outcome
from autograder.judge.verdicts import judge_case
from autograder.verify.warm_sandbox import Interest


class OpenChecks(Interest):
    """Interest in the cases of checks that have not failed; with `first_is_enough`, in none after the first failure."""

    def __init__(self, checks: Iterable[Check], plan: Plan, *, first_is_enough: bool = False) -> None:
        self.failed: set[str] = set()
        self._first_is_enough = first_is_enough
        self._checks: dict[int, list[Check]] = {}
        for check in checks:
            for case in plan.of(check):
                self._checks.setdefault(case.id, []).append(check)

    def wants(self, case: NumberedCase) -> bool:
        """Return whether one of the case's checks has not failed yet."""
        if self._first_is_enough and self.failed:
            return False
        return any(check.name not in self.failed for check in self._checks[case.id])

    def take(self, case: NumberedCase, outcome: Outcome) -> None:
        """Mark the checks that fail with this case."""
        for check in self._checks[case.id]:
            if check.name not in self.failed and judge_case(check, case, outcome) is not None:
                self.failed.add(check.name)
