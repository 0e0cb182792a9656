"""The part of a verification that drives automatic mutants, finds the survivors and computes the mutation score.

It drives all mutants of plain tasks and a fixed sample of the others. A listed mutant has to be driven through all
cases. That takes long in a slow task, so only a `whole` verification does it there.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from autograder.inside import DRIVES
from autograder.judge.jobs import Job
from autograder.judge.outcomes import Driven
from autograder.verify.automatic import Automatic, automatic_mutants
from autograder.verify.bench import Bench
from autograder.verify.interest import OpenChecks
from autograder.verify.survivors import Survivor, as_entry, must_exist, survivors_of
from autograder.verify.work import Order

SAMPLE, SAMPLE_OF_SLOW = 4, 24


@dataclass
class Score:
    """The numbers of driven, caught and listed automatic mutants of one task."""

    driven: int = 0
    caught: int = 0
    listed: int = 0


class AutomaticMutants:
    """Verifies that a check of its task catches each automatic mutant, or that it is listed with a reason.

    With `whole`, the listed mutants of slow tasks are driven, too, which reveals entries that a check catches.
    """

    name = "automatic mutants"

    def __init__(self, bench: Bench, *, whole: bool) -> None:
        self.bench, self.whole = bench, whole
        listed = survivors_of(bench.folder)
        made = {task: automatic_mutants(bench.task_cell(task)) for task in bench.tasks}
        must_exist(listed, [each for mutants in made.values() for each in mutants])
        self.listed = {each.change: each for each in listed}
        self.mutants = {
            task: mutants if task in bench.plain else self._sample(task, mutants) for task, mutants in made.items()
        }
        self.scores = {task: Score() for task in bench.tasks}
        self._survived: list[Automatic] = []

    def _sample(self, task: str, mutants: list[Automatic]) -> list[Automatic]:
        count = SAMPLE_OF_SLOW if DRIVES[task].slow else SAMPLE
        chosen = random.Random("sample").sample(mutants, min(count, len(mutants)))
        if self.whole:
            return [each for each in mutants if each in chosen or each.change in self.listed]
        return [each for each in chosen if each.change not in self.listed]

    def orders(self) -> Iterator[Order]:
        """Yield one order for each mutant, in its own task, with the checks that the reference passes fastest first."""
        plan, seconds = self.bench.plan(), self.bench.check_seconds
        for task, mutants in self.mutants.items():
            checks = sorted(self.bench.stage.of_task(task), key=lambda check: seconds.get(check.name, 0.0))
            cases = list({case.id: case for check in checks for case in plan.of(check)}.values())
            for mutant in mutants:
                interest = OpenChecks(checks, plan, first_is_enough=True)
                order = self.bench.order(self.name, mutant.code, [task], partial(self._done, mutant, interest))
                order.version.jobs, order.version.interest = [Job(task, cases)], interest
                order.version.limit_s = self.bench.short_patience_s
                yield order

    def _done(self, mutant: Automatic, interest: OpenChecks, driven: Driven) -> None:
        score = self.scores[mutant.task]
        score.driven += 1
        if driven.notes or interest.failed:
            score.caught += 1
            return
        score.listed += mutant.change in self.listed
        self._survived.append(mutant)

    def result(self) -> tuple[str, list[str]]:
        """Return the score, and holes: survivors that are not listed, and listed mutants that a check caught."""
        total = self.total
        survived = sorted(self._survived, key=lambda each: each.change)
        holes = [_hole(each) for each in survived if each.change not in self.listed]
        driven = {each.change for mutants in self.mutants.values() for each in mutants}
        caught = self.listed.keys() & driven - {each.change for each in survived}
        holes += [_caught(each) for change, each in self.listed.items() if change in caught]
        return f"{total.caught} of {total.driven} caught, {total.listed} listed", holes

    @property
    def total(self) -> Score:
        """The scores of all tasks together."""
        scores = self.scores.values()
        return Score(*(sum(getattr(each, name) for each in scores) for name in ("driven", "caught", "listed")))

    def figures(self) -> dict[str, Any]:
        """Return the score as `verified.json` holds it."""
        return {**vars(self.total), "tasks": {task: vars(score) for task, score in self.scores.items() if score.driven}}


def _hole(mutant: Automatic) -> str:
    change = f"“{mutant.before}” → “{mutant.after}”"
    return f"{mutant.task}: no check catches {change}; add a case that does, or list it: {as_entry(mutant)}"


def _caught(listed: Survivor) -> str:
    return f"{listed.task}: {listed.place} lists “{listed.before}” → “{listed.after}”, which a check catches; remove it"
