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
from streamlab.notebooks.labfile import read_lab


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
    own = [f"{lab}/{task}" for lab, about in course().labs.items() for task in about.tasks if is_own(f"{lab}/{task}")]
    wanted = [task for task in own if task.split("/")[0] in chosen]
    selection = Selection({lab: _units(lab) for lab in course().labs} if wanted else {}, own)
    selection.select(wanted)
    selection.left_out |= {
        f"{lab}/{task}": _why_not_own(f"{lab}/{task}")
        for lab in chosen
        for task in course().labs[lab].tasks
        if f"{lab}/{task}" not in own
    }
    if not selection.tasks:
        first = next(iter(chosen), next(iter(course().labs)))
        raise UserError(f"no task to write: none passes all its checks so far; `./lab check {first}` checks yours")
    return selection


def _why_not_own(task: str) -> str:
    return "changed since its last check" if passes(task) and not is_as_checked(task) else "does not pass"


def _units(lab: str) -> list[Unit]:
    return units_of(own_cells(lab) if _notebook(lab).exists() else read_lab(ROOT / "labs" / lab / f"{lab}.ipynb").cells)


def _notebook(lab: str) -> Path:
    return WORK / lab / f"{lab}.ipynb"


def _report(selection: Selection, target: Path, kept: Sequence[str], has_program: bool) -> None:
    click.echo(f"{len(selection.tasks)} task{'s' * (len(selection.tasks) > 1)} in {target}")
    for line in selection.left_out_lines():
        click.echo(f"left out: {line}")
    for name in kept:
        click.echo(f"not replaced, since you changed it: {name}")
    program = f", and `python -m {PACKAGE}` the system in virtual time" if has_program else ""
    click.echo(f"there, `python -m pytest` runs the tests{program}")
