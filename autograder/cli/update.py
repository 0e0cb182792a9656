"""Provides the verb `update`, which carries a learner's answers over to the notebook of the present release."""

from pathlib import Path

import click
import nbformat
from nbformat import NotebookNode

from autograder.cli.context import ROOT, WORK, UserError, course, in_one_step, lab_named, print_columns
from autograder.cli.notebook_release import RELEASE_CHARS, too_new
from autograder.intake import Rejected
from autograder.intake.reading import read_once
from autograder.intake.safe_text import safe
from autograder.releases.carry_over import CarriedOver, carried_over
from autograder.releases.old_notebook import OldNotebook, read_old
from autograder.releases.release_order import is_newer
from streamlab.notebooks.labfile import UnreadableLab

LINE_CHARS = 400


@click.command()
@click.argument("lab")
@click.option("--dry-run", is_flag=True, help="Only show what would be carried; write nothing.")
def update(lab: str, dry_run: bool) -> None:
    """Carry your answers over to the notebook of a new release."""
    name, kit = lab_named(lab), course().release
    path = WORK / name / f"{name}.ipynb"
    if not path.exists():
        raise UserError(f"your notebook {path} does not exist; `./lab start {name}` creates it")
    released = _released(name)
    content, old = _read(path, released)
    if old.lab not in (None, name):
        raise UserError(f"{path} is a notebook of {safe(old.lab, RELEASE_CHARS)}, not of {name}")
    if old.release is not None and is_newer(old.release, kit):
        raise UserError(too_new(name, old.release, kit))
    if old.release == kit:
        click.echo(f"{path} is up to date: release {kit}")
        return
    result = carried_over(old, released)
    _show(result, f"{name}: release {safe(old.release or 'unknown', RELEASE_CHARS)} → {kit}")
    if dry_run:
        click.echo("nothing was written")
    else:
        _write(path, content, result.notebook, kit)


def _released(lab: str) -> NotebookNode:
    path = ROOT / "labs" / lab / f"{lab}.ipynb"
    if not path.exists():
        raise UserError(f"labs/{lab} is missing; `./lab build` creates it")
    return nbformat.read(path, as_version=4)


def _read(path: Path, released: NotebookNode) -> tuple[bytes, OldNotebook]:
    try:
        content = read_once(path)
        return content, read_old(content, path, released)
    except (Rejected, UnreadableLab) as problem:
        raise UserError(f"{problem}; nothing was changed") from None


def _show(result: CarriedOver, title: str) -> None:
    click.echo(title)
    print_columns((f"  {safe(name, RELEASE_CHARS)}", safe(words, LINE_CHARS)) for name, words in result.parts)
    for line in result.moved:
        click.echo(safe(line, LINE_CHARS))


def _write(path: Path, content: bytes, notebook: NotebookNode, kit: str) -> None:
    click.echo(f"your old notebook: {_kept(path, content, kit)}")
    text = nbformat.writes(notebook).rstrip("\n") + "\n"
    with in_one_step(path) as partial:
        partial.write_bytes(text.encode("utf-8", "backslashreplace"))  # half a surrogate pair becomes JSON's escape
    click.echo(f"your updated notebook: {path}; if it is open in JupyterLab, choose File → Reload Notebook from Disk")


def _kept(path: Path, content: bytes, kit: str) -> Path:
    """Write the old notebook to a new file beside it, and return its path."""
    kept, number = path.with_name(f"{path.stem}.before-{kit}.ipynb"), 1
    while kept.exists():
        number += 1
        kept = path.with_name(f"{path.stem}.before-{kit}-{number}.ipynb")
    with in_one_step(kept) as partial:
        partial.write_bytes(content)
    return kept
