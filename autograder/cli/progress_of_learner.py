"""Provides the verbs with which learners follow their progress: status, hint."""

import json
import shutil
import sys
import textwrap

import click

from autograder.checks.teaching import hints
from autograder.cli.context import PIPE_COLUMNS, WORK, UserError, course, lab_named, print_columns
from autograder.cli.notebook_release import offer
from autograder.cli.standing import Standing, mapping_in, standing_in

TOPIC_CHARS = 32  # so that all columns fit into 80
SHOWN_HINTS = ".hints.json"  # in work/: {LAB/TASK: the number of the last hint shown}


@click.command()
def status() -> None:
    """Show the labs, and how far you are."""
    this_course = course()
    labs = this_course.labs
    standings = {name: standing_in(WORK / name, lab) for name, lab in labs.items()}
    topics = {name: textwrap.shorten(lab.title, TOPIC_CHARS, placeholder="…") for name, lab in labs.items()}
    rows = [(name, lab.stated_minutes, *_so_far(name, standings[name]), topics[name]) for name, lab in labs.items()]
    print_columns([("lab", "minutes", "points", "checks", "topic"), *rows], right=[1])
    if any(each.bonus_checks for each in standings.values()):
        click.echo("\n★: checks of bonus tasks, whose points do not count towards the total.")
    if any(each.is_checked for each in standings.values()):
        click.echo("\nThe newest verdict of each check counts, in the notebook or by `./lab check`.")
        click.echo("Not included: manual grades. Throughput checks: `./lab check LAB --throughput`.")
    offers = [line for name in labs if (line := offer(WORK / name / f"{name}.ipynb", this_course.release))]
    if offers:
        click.echo("\n" + wrapped("\n".join(offers)))
    first = next((name for name, each in standings.items() if not each.is_complete), None)
    click.echo(f"\nnext: ./lab start {first}" if first else "\nevery check passes; `./lab check` judges all labs again")


def _so_far(name: str, standing: Standing) -> tuple[str, str]:
    if standing.is_checked:
        bonus = f" ★{standing.bonus_passed}/{standing.bonus_checks}" if standing.bonus_checks else ""
        return f"{standing.points:g}/{standing.max_points:g}", f"{standing.passed} of {standing.checks}{bonus}"
    started = (WORK / name / f"{name}.ipynb").exists()
    return f"-/{standing.max_points:g}", "none yet" if started else "not started"


@click.command()
@click.argument("task", metavar="LAB/TASK")
@click.option("--number", type=click.IntRange(1, 3), help="Which of the three; default: the next one.")
def hint(task: str, number: int | None) -> None:
    """Show the next hint of a task: a question, a nudge, almost the answer."""
    lab_part, _, name = task.partition("/")
    lab = lab_named(lab_part) if name else (course().lab_of(lab_part) or lab_named(lab_part))
    name = name or lab_part
    three = hints(lab).get(name)
    if not three:
        raise UserError(f"no task {name} in {lab}; it has {', '.join(course().labs[lab].tasks)}")
    shown = number or _next_hint(f"{lab}/{name}", len(three))
    click.echo(wrapped(f"Hint {shown} of {len(three)}: {three[shown - 1].strip()}"))
    if shown < len(three):
        click.echo(f"next hint: ./lab hint {lab}/{name}")
    if number is None:
        _remember(f"{lab}/{name}", shown)


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


def _next_hint(task: str, count: int) -> int:
    """Return the number of the next hint; the last hint is repeated."""
    last = mapping_in(WORK / SHOWN_HINTS).get(task)
    return min(count, max(0, last) + 1) if isinstance(last, int) else 1


def _remember(task: str, number: int) -> None:
    """Remember the hint that was shown; if that fails, say so in one line."""
    file = WORK / SHOWN_HINTS
    try:
        WORK.mkdir(exist_ok=True)
        file.write_text(json.dumps({**mapping_in(file), task: number}), encoding="utf-8")
    except OSError as problem:
        text = f"cannot remember that hint {number} was shown ({file}: {problem.strerror}); `--number` chooses a hint"
        click.echo(f"lab: {text}", err=True)
