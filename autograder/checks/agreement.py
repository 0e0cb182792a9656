"""Finds mistakes in a stage's checks.py: names that it or course.yml lacks, and checks that wait for each other."""

from autograder.checks import StageChecks
from autograder.course.load import CourseError
from autograder.course.model import Lab


def agree(name: str, lab: Lab, stage: StageChecks) -> None:
    """Raise `CourseError` for the first check that only one of the two has, or that waits for no check of its task."""
    for task, rule in lab.tasks.items():
        declared, coded = list(rule.checks), [each.name for each in stage.of_task(task)]
        _same_names(f"{name}/{task}", declared, coded)
        try:
            stage.in_order(task)
        except ValueError as problem:
            raise CourseError(f"stages/{name}/checks.py: {problem}") from None
        throughput = stage.throughput_of(task)
        if (rule.throughput is None) != (throughput is None):
            where = "checks.py has no throughput check" if throughput is None else "course.yml gives it no threshold"
            raise CourseError(f"course.yml: {name}/{task}: {where} for this task")
    all_checks = [(each.task, each.name) for each in stage.checks] + [
        (each.task, each.name) for each in stage.throughput_checks
    ]
    for task, check in all_checks:
        if task not in lab.tasks:
            raise CourseError(f"stages/{name}/checks.py: {check} checks {task}, which course.yml does not list")
    for each in stage.checks:
        if each.chain and each.chain.split("/")[0] not in lab.builds_on:
            why = f"{each.name} needs {each.chain}, but {name} does not build on that lab"
            raise CourseError(f"course.yml: {name}/{each.task}: {why}; list it under builds_on")


def _same_names(place: str, declared: list[str], coded: list[str]) -> None:
    for name in declared:
        if name not in coded:
            raise CourseError(f"course.yml: {place}: unknown check {name}; checks.py has {', '.join(coded) or 'none'}")
    for name in coded:
        if name not in declared:
            raise CourseError(f"course.yml: {place}: the check {name} of checks.py has no points here")
    if len(set(coded)) != len(coded):
        raise CourseError(f"stages: {place}: two checks have the same name")
