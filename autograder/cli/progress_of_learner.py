"""Provides the verbs with which learners follow their progress: status, hint."""

import shutil
import sys
import textwrap
from collections.abc import Collection

import click

from autograder.checks.shown_hints import next_hint
from autograder.cli.context import PIPE_COLUMNS, WORK, UserError, course, encodable, lab_named, print_columns
from autograder.cli.notebook_release import offer
from autograder.course import Course
from autograder.notebook_check.standing import Standing, next_task, passed_tasks, standing_in
from streamlab.views.labs_map import map_in_rows
from streamlab.views.system_map import name_of

TOPIC_CHARS = 24  # so that all columns fit into 80
OFFERS_MAX = 3
ALL, SOME, NONE = "●", "◐", "○"


@click.command()
def status() -> None:
    """Show the labs, the parts of the system that you have built, and your next task."""
    this_course = course()
    labs = this_course.labs
    standings = {name: standing_in(WORK / name, lab) for name, lab in labs.items()}
    rows = [(name, *_so_far(name, standings[name]), _short(lab.title)) for name, lab in labs.items()]
    print_columns(
        [("lab", "progress", "points", "checks", "topic"), *([encodable(cell) for cell in row] for row in rows)]
    )
    passed = {f"{name}/{task}" for name, lab in labs.items() for task in passed_tasks(WORK / name, lab)}
    notes = list[str]()
    if any(each.is_checked and each.bonus_checks for each in standings.values()):
        notes.append("★: checks of bonus tasks, whose points do not count towards the total.")
    if any(each.is_checked for each in standings.values()):
        notes.append("The newest verdict of each check counts, in the notebook or by `./lab check`.")
        notes.append("Not included: manual grades. Throughput checks: `./lab check LAB --throughput`.")
    offers = [line for name in labs if (line := offer(WORK / name / f"{name}.ipynb", this_course.release))]
    notes += map(wrapped, offers[:OFFERS_MAX])
    if more := offers[OFFERS_MAX:]:
        notes.append(f"… and {len(more)} more of another release")
    blocks = [_map(this_course, passed), notes, [_next(this_course)]]
    _print(*(line for block in blocks if block for line in ("", *block)))


def _short(title: str) -> str:
    return textwrap.shorten(title, TOPIC_CHARS, placeholder="…")


def _so_far(name: str, standing: Standing) -> tuple[str, str, str]:
    bar = standing.bar
    if standing.is_checked:
        bonus = f" ★{standing.bonus_passed}/{standing.bonus_checks}" if standing.bonus_checks else ""
        return bar, f"{standing.points:g}/{standing.max_points:g}", f"{standing.passed} of {standing.checks}{bonus}"
    started = (WORK / name / f"{name}.ipynb").exists()
    return bar, f"-/{standing.max_points:g}", "none yet" if started else "not started"


def _map(course: Course, passed: Collection[str]) -> list[str]:
    """Return the map of the system as lines; the mark of each part says how many of its core tasks pass."""
    marks = {}
    for part, tasks in course.tasks_of_parts().items():
        passes = [task in passed for task in tasks if not course.labs[task.split("/")[0]].tasks[name_of(task)].bonus]
        marks[part] = ALL if passes and all(passes) else SOME if any(passes) else NONE if passes else ""
    return [f"the system   {ALL} all tasks of the part pass   {SOME} some   {NONE} none yet", *map_in_rows(marks)]


def _next(course: Course) -> str:
    for name, lab in course.labs.items():
        if task := next_task(WORK / name, lab):
            return f"next task: {task}; `./lab start {name}` opens its notebook"
    return "every task passes; `./lab check` judges all labs again"


def _print(*lines: str) -> None:
    for line in lines:
        click.echo(encodable(line))


@click.command()
@click.argument("task", metavar="LAB/TASK")
@click.option("--number", type=click.IntRange(1, 3), help="Which of the three; default: the next one.")
def hint(task: str, number: int | None) -> None:
    """Show the next hint of a task: a question, a nudge, nearly the answer."""
    lab_part, _, name = task.partition("/")
    lab = lab_named(lab_part) if name else (course().lab_of(lab_part) or lab_named(lab_part))
    name = name or lab_part
    shown = next_hint(WORK, lab, name, number)
    if shown is None:
        raise UserError(f"no task {name} in {lab}; it has {', '.join(course().labs[lab].tasks)}")
    click.echo(wrapped(shown.line))
    if shown.number < shown.of:
        click.echo(f"next hint: ./lab hint {lab}/{name}")
    if shown.problem:
        click.echo(f"lab: {shown.problem}; `--number` chooses a hint", err=True)


def wrapped(text: str) -> str:
    """Wrap a text to the terminal's width, only between words; in a pipe, keep each paragraph on one line.

    Indented lines, such as code, stay as they are.
    """
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else PIPE_COLUMNS
    lines = text.splitlines()
    return "\n".join(
        line if line.startswith(" ") else textwrap.fill(line, columns, break_long_words=False, break_on_hyphens=False)
        for line in lines
    )
