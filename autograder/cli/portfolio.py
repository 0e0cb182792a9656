"""Provides the verb `portfolio`, which writes the learner's solved tasks as a package."""

from collections.abc import Sequence
from pathlib import Path

import click

from autograder.cli.context import ROOT, WORK, UserError, called_from, course, lab_named, progress
from autograder.cli.own_tasks import is_as_checked, is_own, own_cells, passes
from autograder.portfolio import PACKAGE
from autograder.portfolio.folder import why_not_writable, write_files
from autograder.portfolio.package import files_of
from autograder.portfolio.recording_processes import NotImportable
from autograder.portfolio.selection import Selection
from autograder.portfolio.units import Unit, units_of
from streamlab.notebooks.labfile import UnreadableLab, read_lab


@click.command()
@click.argument("labs", nargs=-1, metavar="[LAB]...")
@click.option("--to", "folder", help="The folder to write; default: portfolio, beside your notebooks.")
def portfolio(labs: tuple[str, ...], folder: str | None) -> None:
    """Write your solved tasks as a Python package with tests, a README and the system in virtual time."""
    if not course().portfolio:
        raise UserError("the course has turned portfolios off")
    target = called_from(folder).resolve() if folder else WORK / "portfolio"
    if why := why_not_writable(target):
        raise UserError(f"{why}; `--to` names another folder")
    chosen = list(dict.fromkeys(map(lab_named, labs))) or [lab for lab in course().labs if _notebook(lab).exists()]
    selection = _selected(chosen)
    with progress("portfolio") as on_progress:
        try:
            files = files_of(course(), selection, target, on_progress)
        except NotImportable as problem:
            raise UserError(f"your tasks cannot be imported as modules: {problem}") from None
        kept = write_files(target, files)
    _report(selection, target, kept, has_program=f"{PACKAGE}/__main__.py" in files)


def _selected(chosen: Sequence[str]) -> Selection:
    """Return the learner's own tasks of the chosen labs, with what they need of other labs."""
    labs = course().labs
    units = {lab: _units(lab, lab in chosen) for lab in labs}
    tasks = {lab: [f"{lab}/{task}" for task in about.tasks] for lab, about in labs.items()}
    own = [task for lab in labs if _notebook(lab).exists() for task in tasks[lab] if is_own(task)]
    selection = Selection(units, own)
    selection.select(task for task in own if task.split("/")[0] in chosen)
    selection.left_out |= {task: _why_not_own(task) for lab in chosen for task in tasks[lab] if task not in own}
    if not selection.tasks:
        first = next(iter(chosen), next(iter(labs)))
        raise UserError(f"no task to write: none passes all its checks so far; `./lab check {first}` checks yours")
    return selection


def _why_not_own(task: str) -> str:
    return "changed since its last check" if passes(task) and not is_as_checked(task) else "does not pass"


def _units(lab: str, is_chosen: bool) -> list[Unit]:
    """Return the units of the learner's notebook; if there is none, or a damaged one of another lab, of the kit's."""
    if _notebook(lab).exists():
        try:
            return units_of(own_cells(lab))
        except UnreadableLab as problem:
            if is_chosen:
                raise UserError(f"{problem}; nothing was written") from None
    return units_of(read_lab(ROOT / "labs" / lab / f"{lab}.ipynb").cells)


def _notebook(lab: str) -> Path:
    return WORK / lab / f"{lab}.ipynb"


def _report(selection: Selection, target: Path, kept: Sequence[str], has_program: bool) -> None:
    click.echo(f"{len(selection.tasks)} task{'s' * (len(selection.tasks) > 1)} in {target}")
    for line in selection.left_out_lines():
        click.echo(f"left out: {line}")
    for name in kept:
        click.echo(f"not replaced, since you changed it: {name}")
    program = f", and `python -m {PACKAGE}` shows two minutes of the system" if has_program else ""
    click.echo(f"there, `python -m pytest` runs the tests{program}")
