"""The cases that a submission is driven with: each task's cases once, even if several checks read their rows."""

from dataclasses import dataclass
from typing import Any

from autograder.checks import Case, Check, Rows, StageChecks
from autograder.checks.two_sandboxes import first_part, second_part
from autograder.inside.counterparts import Counterpart, counterpart_of

PUBLIC_SEED = "public"


@dataclass(frozen=True)
class NumberedCase:
    """One case, with the number that identifies its rows, and the rows of its first part if only the second is left."""

    id: int
    input: Case
    first: Rows | None = None

    def counterpart(self, task: str) -> Counterpart:
        """Return a new counterpart of the case, or of its next part, which the runner gets as far as it is shown."""
        return counterpart_of(
            task, first_part(self.input) if self.first is None else second_part(self.input, self.first)
        )


@dataclass(frozen=True)
class Job:
    """All cases of one task."""

    task: str
    cases: list[NumberedCase]

    def as_order(self) -> dict[str, Any]:
        """Return the job in the form that the runner reads."""
        cases = [{"id": each.id, "input": each.counterpart(self.task).shown()} for each in self.cases]
        return {"task": self.task, "cases": cases}


@dataclass(frozen=True)
class Plan:
    """Jobs, and the numbered cases of each check, smallest first."""

    jobs: list[Job]
    cases_of: dict[tuple[str, str], list[NumberedCase]]

    def of(self, check: Check) -> list[NumberedCase]:
        """Return the cases of one check."""
        return self.cases_of[(check.task, check.name)]


def plan_for(stage: StageChecks, seed: str, tasks: list[str]) -> Plan:
    """Make the cases of all checks of `tasks` from `seed`; checks that share a cases function share its cases.

    The cases of a check follow those of the checks that it waits for, so these have their rows even if it hangs.
    """
    jobs, cases_of, number = [], {}, 0
    for task in tasks:
        cases_by_function: dict[Any, list[NumberedCase]] = {}
        for check in stage.in_order(task):
            if check.cases not in cases_by_function:
                inputs = check.cases(seed)
                cases_by_function[check.cases] = [NumberedCase(number + at, each) for at, each in enumerate(inputs)]
                number += len(inputs)
            cases_of[(task, check.name)] = cases_by_function[check.cases]
        jobs.append(Job(task, [case for cases in cases_by_function.values() for case in cases]))
    return Plan(jobs, cases_of)
