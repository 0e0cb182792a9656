"""Looks again at a check that failed at a time limit: may the machine be at fault?

The reference is driven on the same case, alone, after the submission's sandboxes have ended. If it needs more than half
of that limit, the machine was too busy and the check stays open. Otherwise the verdict stands, also for a submission
that kept the machine busy by itself, since its processes have ended. A student's kit has no reference; it has the
seconds that the reference needed elsewhere (`reference_figures`).
"""

from dataclasses import dataclass, replace

from autograder.checks import Check
from autograder.judge.driver import Driver
from autograder.judge.jobs import Job, NumberedCase
from autograder.judge.outcomes import Driven, Outcome
from autograder.judge.reference_figures import expected
from autograder.judge.verdicts import Problem, Verdict, deciding_case, left_ungraded
from streamlab.granted_time import LONGEST
from streamlab.notebooks.labfile import reference_cells

DRIVES_MAX = 3  # for one submission, one for each task
MORE_TIME = 4
SHARE = 0.5
ROUND_S = (1, 2, 5, 10, 20, 50, 100, 200, 500)


@dataclass(frozen=True)
class Looked:
    """The outcome of one look: whether the machine was too busy, and what the reference needed, in words."""

    is_too_busy: bool
    needed: str


class SecondLook:
    """Decides about the checks of one submission that failed at a time limit; `driver` has driven the submission."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._looked: dict[str, Looked] = {}

    def settled(self, check: Check, cases: list[NumberedCase], driven: Driven, verdict: Verdict) -> Verdict:
        """Return the verdict with the reference's time, or left open; unchanged if no time limit decided it."""
        if verdict.verdict == "pass" or verdict.ungraded or not any(_hit(driven, case) for case in cases):
            return verdict
        problem = deciding_case(check, cases, driven)
        if problem is None or not problem.outcome.limit_s:
            return verdict
        looked = self._look(check.task, problem)
        if looked.is_too_busy:
            return left_ungraded(replace(verdict, sentence=busy_sentence(check.task, problem.outcome, looked.needed)))
        if verdict.verdict == "timeout" and looked.needed:
            sentence = f"{verdict.sentence.rstrip('.')}; {looked.needed}."
            return replace(verdict, sentence=sentence)
        return verdict

    def _look(self, task: str, problem: Problem) -> Looked:
        if task not in self._looked and len(self._looked) < DRIVES_MAX:
            self._looked[task] = self._drive_reference(task, problem) or self._recorded(task, problem)
        every = list(self._looked.values())
        return self._looked.get(task) or Looked(any(each.is_too_busy for each in every), "")

    def _drive_reference(self, task: str, problem: Problem) -> Looked | None:
        """Drive the reference on the problem's case with more time; None in a kit that has no reference."""
        own, limits = self._driver, self._driver.limits
        cells = reference_cells(own.root, own.lab)
        if not cells:
            return None
        more = {name: MORE_TIME * getattr(limits, name) for name in ("wall_s", "load_s", "case_s")}
        again = Driver(
            own.level,
            own.root,
            own.lab,
            cells,
            [Job(task, [problem.case])],
            limits.model_copy(update=more),
            own.chain,
            own.services,
            own.stop,
        )
        return _judged(again.run().outcomes[problem.case.id], problem.outcome.limit_s)

    def _recorded(self, task: str, problem: Problem) -> Looked:
        reference = expected(self._driver.root, self._driver.lab, task)
        return _judged(reference, problem.outcome.limit_s) if reference else Looked(False, "")


def _hit(driven: Driven, case: NumberedCase) -> bool:
    return case.id in driven.outcomes and driven.outcomes[case.id].limit_s > 0


def _judged(reference: Outcome, limit_s: float) -> Looked:
    """Judge the outcome of the reference on a case at whose limit the submission was ended."""
    if reference.kind != "rows" or reference.limit_s:
        return Looked(True, "the reference solution timed out here, too")
    needed_s = max(reference.granted_s, reference.seconds / LONGEST)
    return Looked(needed_s > SHARE * limit_s, f"the reference solution needs {rounded_up(needed_s)} here")


def rounded_up(seconds: float) -> str:
    """Return a time in steps, so that equal submissions get equal sentences. Example: 0.3 -> "under 1 s"."""
    step = next((each for each in ROUND_S if seconds < each), None)
    return f"under {step} s" if step else f"{seconds:.0f} s"


def busy_sentence(task: str, outcome: Outcome, why: str) -> str:
    """Return why a check stays open. Example: "words could not be judged: this machine is too busy (…)"."""
    return f"{task} could not be judged: this machine is too busy ({why}, and the limit is {outcome.limit_s:g} s)"
