"""Verbs for learners that only look: status, hint."""

import json
from typing import Any

import click

from autograder.checks.teaching import hints
from autograder.cli.context import WORK, UserError, course, lab_named, print_columns


@click.command()
def status() -> None:
    """Show the labs, and how far you are."""
    labs = course().labs
    rows = ((name, f"{lab.minutes} min", _standing(name, lab.judged_points), lab.title) for name, lab in labs.items())
    print_columns(rows, right=[1])
    first = next((name for name in labs if not _results(name)), None)
    click.echo(f"next: ./lab start {first}" if first else "every lab was checked; `./lab check` judges them all again")


def _standing(name: str, judged_points: float) -> str:
    results = _results(name)
    if results is None:
        started = (WORK / name / f"{name}.ipynb").exists()
        return "started, not checked yet" if started else "not started"
    return f"{results.get('score', 0):g} of {judged_points:g} points"


def _results(name: str) -> dict[str, Any] | None:
    try:
        found = json.loads((WORK / name / "results.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


@click.command()
@click.argument("task", metavar="LAB/TASK")
@click.option("--number", type=click.IntRange(1, 3), help="Which of the three; default: the next one.")
def hint(task: str, number: int | None) -> None:
    """Show the next hint of a task: a question, a nudge, nearly the answer."""
    lab_part, _, name = task.partition("/")
    lab = lab_named(lab_part) if name else (course().lab_of(lab_part) or lab_named(lab_part))
    name = name or lab_part
    three = hints(lab).get(name)
    if not three:
        raise UserError(f"no task {name} in {lab}; it has {', '.join(course().labs[lab].tasks)}")
    shown = number or _next_hint(f"{lab}/{name}", len(three))
    click.echo(f"Hint {shown} of {len(three)}: {three[shown - 1].strip()}")
    if shown < len(three):
        click.echo(f"The next one: ./lab hint {lab}/{name}")


def _next_hint(task: str, count: int) -> int:
    """One further than the last time; the last one stays."""
    file = WORK / ".hints.json"
    try:
        seen = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        seen = {}
    number = min(count, int(seen.get(task, 0)) + 1)
    WORK.mkdir(exist_ok=True)
    file.write_text(json.dumps({**seen, task: number}), encoding="utf-8")
    return number
