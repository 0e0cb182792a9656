"""Gives a solved whole the points of its steps.

Course.yml can split a task into steps, whose functions the whole calls. A whole that was written before the split calls
none of them, and they are not written; if it passes every check, its author can do what the steps ask.
"""

from collections.abc import Sequence
from dataclasses import replace

from autograder.course import Lab
from autograder.judge.jobs import Job
from autograder.judge.outcomes import Driven
from autograder.judge.verdicts import Verdict

NOT_WRITTEN = {"NotImplementedError", "TaskMissing"}


def with_steps(lab: Lab, verdicts: Sequence[Verdict], unwritten: set[str]) -> list[Verdict]:
    """Return the verdicts; an `unwritten` step passes if its whole passes every check.

    A step that was tried and failed stays failed, and so does a step of a whole that was not judged.
    """
    judged = {each.task for each in verdicts}
    passed = judged - {each.task for each in verdicts if each.verdict != "pass"}
    earned = {name for name in judged & unwritten if lab.tasks[name].step_of in passed}
    return [_passed(lab, each) if each.task in earned else each for each in verdicts]


def _passed(lab: Lab, verdict: Verdict) -> Verdict:
    task = lab.tasks[verdict.task]
    points = task.checks[verdict.check]
    sentence = f"{verdict.task} is a step of {task.step_of}, which passes every check without it."
    return replace(verdict, verdict="pass", points=points, max_points=points, sentence=sentence, evidence={})


def unwritten_tasks(jobs: Sequence[Job], driven: Driven) -> set[str]:
    """Return the tasks of which every case ended because the notebook has no such task, or only its stub.

    `jobs` have all cases of their tasks.
    """
    errors = {
        job.task: {driven.outcomes[case.id].error for case in job.cases if case.id in driven.outcomes} for job in jobs
    }
    return {task for task, kinds in errors.items() if kinds and kinds <= NOT_WRITTEN}
