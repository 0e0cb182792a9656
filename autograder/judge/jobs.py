"""Which cases a submission is driven with: each task's cases once, however many checks read their rows."""

from dataclasses import dataclass
from typing import Any

from autograder.checks import Case, Check, StageChecks

PUBLIC_SEED = "public"


@dataclass(frozen=True)
class NumberedCase:
    """One case with the number that its rows come back under."""

    id: int
    input: Case


@dataclass(frozen=True)
class Job:
    """All cases of one task."""

    task: str
    cases: list[NumberedCase]

    def as_order(self) -> dict[str, Any]:
        """The job as the runner reads it."""
        return {"task": self.task, "cases": [{"id": each.id, "input": each.input} for each in self.cases]}


@dataclass(frozen=True)
class Plan:
    """Jobs, and for each check the numbers of its cases, smallest first."""

    jobs: list[Job]
    cases_of: dict[tuple[str, str], list[NumberedCase]]

    def of(self, check: Check) -> list[NumberedCase]:
        """The cases of one check."""
        return self.cases_of[(check.task, check.name)]


def plan_for(stage: StageChecks, seed: str, tasks: list[str]) -> Plan:
    """Make the cases of all checks of `tasks` from `seed`; checks that share a cases function share its cases."""
    jobs, cases_of, number = [], {}, 0
    for task in tasks:
        made: dict[Any, list[NumberedCase]] = {}
        for check in stage.of_task(task):
            if check.cases not in made:
                inputs = check.cases(seed)
                made[check.cases] = [NumberedCase(number + at, each) for at, each in enumerate(inputs)]
                number += len(inputs)
            cases_of[(task, check.name)] = made[check.cases]
        jobs.append(Job(task, [case for cases in made.values() for case in cases]))
    return Plan(jobs, cases_of)
