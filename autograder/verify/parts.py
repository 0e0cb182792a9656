"""Parts of a verification that drive right and wrong versions in warm sandboxes.

Each part yields orders, takes their outcomes, and returns a one-line result and the holes that it found.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Protocol

from autograder.judge.jobs import PUBLIC_SEED
from autograder.judge.outcomes import Driven
from autograder.verify.bench import Bench
from autograder.verify.interest import OpenChecks
from autograder.verify.matrix import Mark, Row, accused, caught_by, full_marks, same_verdicts
from autograder.verify.stubs import broken, null_stubs
from autograder.verify.students_kit import other_marks
from autograder.verify.variants import Variant
from autograder.verify.work import Order

AT_ONCE = 4  # seeds of one group of tasks whose cases are in memory
STUB_WAITS_S = 2.0  # a function that does nothing has no later effect; processes need this long to start


def seed_of_run(number: int) -> str:
    """Return the seed of run `number`, from 0 on."""
    return f"verify {number}"


class Part(Protocol):
    """One part of the verification."""

    name: str

    def orders(self) -> Iterator[Order]:
        """Yield the versions to drive."""

    def result(self) -> tuple[str, list[str]]:
        """Return the outcome in a few words and the holes, once all orders are done."""


class Independence:
    """Finds the later tasks that get full marks even if the earlier tasks that their cells use are broken.

    Their drives replace the earlier tasks with stubs, so versions of those need not be driven in them. First all
    earlier tasks are broken at once; if that costs a point, one after another. The parts `then` depend on the result,
    so their orders follow once it is complete. Slow tasks get the cases of another seed: full marks then also show that
    oracle and reference agree on them, and `Seeds` does not drive the same cases again.
    """

    name = "independence"

    def __init__(self, bench: Bench, then: Sequence[Part] = ()) -> None:
        self.bench, self.then = bench, then
        self._open = 0

    def orders(self) -> Iterator[Order]:
        """Yield one order for each task that uses earlier ones."""
        for task in self.bench.tasks:
            earlier = [each for each in self.bench.tasks if task in self.bench.resting_on(each)]
            if earlier:
                self._open += 1
                yield self._without(earlier, task)
        if not self._open:
            yield from self._following()

    def _following(self) -> list[Order]:
        return [order for part in self.then for order in part.orders()]

    def _without(self, earlier: list[str], task: str) -> Order:
        code = "\n".join(broken(self.bench.task_cell(each)) for each in earlier)
        seed = seed_of_run(0) if task in self.bench.heavy else PUBLIC_SEED
        interest = OpenChecks(self.bench.stage.of_task(task), self.bench.plan(seed), first_is_enough=True)
        order = self.bench.order(self.name, code, [task], partial(self._done, earlier, task, seed, interest), seed)
        order.version.interest, order.frees_others = interest, True
        return order

    def _done(self, earlier: list[str], task: str, seed: str, interest: OpenChecks, driven: Driven) -> list[Order]:
        if not interest.failed:
            self.bench.independent |= {(each, task) for each in earlier}
            self.bench.agreed.add((task, seed))
        one_by_one = earlier if interest.failed and len(earlier) > 1 else []
        self._open += len(one_by_one) - 1
        return [self._without([each], task) for each in one_by_one] if self._open else self._following()

    def result(self) -> tuple[str, list[str]]:
        """Return the numbers of independent and dependent pairs of tasks."""
        dependent = sum(len(self.bench.resting_on(task)) for task in self.bench.tasks)
        return f"{len(self.bench.independent)} pairs of tasks are independent, {dependent} are not", []


class Mutants:
    """Verifies that each hand-written mutant is caught by the checks that it declares, and by no others.

    Checks of tasks that are composed of the mutant's task may catch it, too (see `Independence`). `verification`
    verifies throughput checks.
    """

    name = "mutants"

    def __init__(self, bench: Bench, mutants: list[Variant] | None = None) -> None:
        self.bench = bench
        self.mutants = bench.mutants if mutants is None else mutants
        self.rows: list[Row] = []
        self.marks: dict[str, list[Mark]] = {}
        self._holes: list[str] = []

    def orders(self) -> Iterator[Order]:
        """Yield an order for each mutant, in its own task and in those that it can reach."""
        for mutant in self.mutants:
            tasks = self.bench.reached(mutant)
            yield self.bench.order(self.name, mutant.code, tasks, partial(self._done, mutant, tasks))

    def _done(self, mutant: Variant, tasks: list[str], driven: Driven) -> None:
        marks = self.bench.marks(driven, tasks)
        with self.bench.students_kit.judging():
            in_kit = self.bench.marks(driven, tasks)
        self._holes += other_marks(f"{mutant.task}: mutant {mutant.name}", marks, in_kit)
        self.marks[mutant.name] = marks
        declared = mutant.killed_by - self.bench.throughput_names
        # A task that is composed of this one may lose points with it; there, only declared checks count.
        resting = self.bench.resting_on(mutant.task)
        counted = [mark for mark in marks if mark.task not in resting or mark.check in declared]
        self.rows.append(Row(replace(mutant, killed_by=declared), caught_by(counted)))
        self._holes += [f"{mutant.task}: mutant {mutant.name} does not load: {note}" for note in driven.notes]

    def result(self) -> tuple[str, list[str]]:
        """Return the number of mutants, and a hole for each disagreement."""
        self.rows.sort(key=lambda row: row.mutant.name)
        holes = [*self._holes, *(hole for row in self.rows for hole in row.holes())]
        return f"{len(self.rows)} caught by the checks they declare", holes


class Alternatives:
    """Verifies that each alternative solution earns full marks, in its own task and in those that it can reach."""

    name = "alternatives"

    def __init__(self, bench: Bench, alternatives: list[Variant] | None = None) -> None:
        self.bench = bench
        self.alternatives = bench.alternatives if alternatives is None else alternatives
        self._holes: list[str] = []

    def orders(self) -> Iterator[Order]:
        """Yield one order for each alternative."""
        for each in self.alternatives:
            tasks = self.bench.reached(each)
            yield self.bench.order(self.name, each.code, tasks, partial(self._done, each, tasks))

    def _done(self, alternative: Variant, tasks: list[str], driven: Driven) -> None:
        name = f"{alternative.task}: alternative {alternative.name}"
        self._holes += [f"{name} does not load: {note}" for note in driven.notes]
        self._holes += full_marks(name, self.bench.marks(driven, tasks)) + accused(name, driven.findings)

    def result(self) -> tuple[str, list[str]]:
        """Return the number of alternatives, and a hole for each lost point or false accusation."""
        return f"{len(self.alternatives)} with full marks", self._holes


class Repeats:
    """Verifies that the reference gets the same verdicts every time; `first` are the marks from its judging.

    The notebook's check cells run every task one more time.
    """

    name = "repeats"

    def __init__(self, bench: Bench, first: list[Mark], plain: int, heavy: int) -> None:
        self.bench, self.first, self.plain, self.heavy = bench, first, plain, heavy
        self._holes: list[str] = []

    def orders(self) -> Iterator[Order]:
        """Yield one order for each run of the plain tasks together, and of each other task."""
        for tasks in self.bench.tasks_apart():
            for number in range(2, 1 + (self.plain if tasks == self.bench.plain else self.heavy)):
                yield self.bench.order(self.name, "", tasks, partial(self._done, number, tasks))

    def _done(self, number: int, tasks: list[str], driven: Driven) -> None:
        self._holes += same_verdicts(self.first, self.bench.marks(driven, tasks), number)

    def result(self) -> tuple[str, list[str]]:
        """Return the number of runs, and a hole for each verdict that differs."""
        of_heavy = f", {self.heavy} of slow tasks" if self.bench.heavy else ""
        return f"{self.plain} runs{of_heavy}, the same verdicts; one more in the notebook", self._holes


class Seeds:
    """Verifies that oracle and reference also agree on cases from other seeds than the public one.

    `seconds_each` limits the time for the seeds of one plain task: a slower task gets fewer seeds, but at least as many
    as a heavy one.
    """

    name = "seeds"

    def __init__(self, bench: Bench, plain: int, heavy: int, seconds_each: float = math.inf) -> None:
        self.bench, self.plain, self.heavy, self.seconds_each = bench, plain, heavy, seconds_each
        self._holes: list[str] = []

    def orders(self) -> Iterator[Order]:
        """Yield the first orders, one for each seed: for the plain tasks together, and for each other task.

        Each of them yields the next one when it is done, since the cases of 2,000 seeds together need much memory.
        """
        for tasks in self.bench.tasks_apart():
            left = iter(range(max(map(self._count, tasks))))
            yield from islice(self._of(tasks, left), AT_ONCE)

    def _of(self, tasks: list[str], left: Iterator[int]) -> Iterator[Order]:
        for number in left:
            seed = seed_of_run(number)
            chosen = [task for task in tasks if number < self._count(task) and (task, seed) not in self.bench.agreed]
            if chosen:
                done = partial(self._done, seed, chosen, self._of(tasks, left))
                yield self.bench.order(self.name, "", chosen, done, seed)

    def _count(self, task: str) -> int:
        if task in self.bench.heavy:
            return self.heavy
        fitting = self.seconds_each / max(self.bench.seconds.get(task, 0.0), 0.01)
        return min(self.plain, max(self.heavy, math.floor(min(fitting, self.plain))))

    def _done(self, seed: str, tasks: list[str], further: Iterator[Order], driven: Driven) -> list[Order]:
        self._holes += full_marks(f"the reference, seed “{seed}”,", self.bench.marks(driven, tasks, seed))
        self.bench.forget(seed)
        return list(islice(further, 1))

    def result(self) -> tuple[str, list[str]]:
        """Return the number of seeds, and a hole for each lost point."""
        fewer = [task for task in self.bench.plain if self._count(task) < self.plain]
        of_slow = "".join(f", {self._count(task)} of {task}" for task in fewer)
        of_heavy = f", {self.heavy} of slow tasks" if self.bench.heavy else ""
        return f"oracle and reference agree on {self.plain} seeds{of_slow}{of_heavy}", self._holes


class NullStubs:
    """Verifies that functions that do nothing earn no points on any task."""

    name = "null stubs"

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.points: dict[str, dict[str, float]] = {task: {} for task in bench.tasks}

    def orders(self) -> Iterator[Order]:
        """Yield one order for each kind of stub and task."""
        for task in self.bench.tasks:
            for kind, code in null_stubs(self.bench.task_cell(task)).items():
                order = self.bench.order(self.name, code, [task], partial(self._done, task, kind))
                order.version.limit_s = self.bench.short_patience_s
                order.version.longest_wait_s = STUB_WAITS_S
                order.version.interest = OpenChecks(self.bench.stage.of_task(task), self.bench.plan())
                yield order

    def _done(self, task: str, kind: str, driven: Driven) -> None:
        self.points[task][kind] = sum(mark.points for mark in self.bench.marks(driven, [task]))

    @property
    def most(self) -> dict[str, float]:
        """The points of the best stub of each task."""
        return {task: max(points.values(), default=0.0) for task, points in self.points.items()}

    def result(self) -> tuple[str, list[str]]:
        """Return the most points that the stubs earn, and a hole for each stub that earns any."""
        possible = sum(sum(self.bench.entry.tasks[task].checks.values()) for task in self.bench.tasks)
        holes = [
            f"{task}: a function that {kind} earns {points:g} points for nothing"
            for task, kinds in self.points.items()
            for kind, points in kinds.items()
            if points
        ]
        return f"earn at most {sum(self.most.values()):g} of {possible:g} points", holes
