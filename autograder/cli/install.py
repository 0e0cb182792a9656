"""Provides `./lab install`, which installs in advance what labs would install at first use."""

import click

from autograder.cli.context import UserError, course, lab_named, progress
from autograder.cli.lab_locks import ensure_all_packages, ensure_packages_of
from autograder.judge.service_files import fetch_for
from autograder.sandbox import SandboxUnavailable
from streamlab.services.catalogue import KINDS


@click.command()
@click.argument("labs", nargs=-1, metavar="[LAB]…")
@click.option("--all", "is_all", is_flag=True, help="For every lab and every service.")
def install(labs: tuple[str, ...], is_all: bool) -> None:
    """Install packages and servers now that labs would install at first use."""
    if bool(labs) == is_all:
        raise UserError("expected labs or --all; `./lab status` lists the labs")
    names = [lab_named(each) for each in labs] or list(course().labs)
    services = list(KINDS) if is_all else [each for lab in names for each in course().labs[lab].services]
    if is_all:
        ensure_all_packages()
    else:
        ensure_packages_of(names)
    try:
        with progress("fetching") as on_progress:
            fetch_for(", ".join(names), list(dict.fromkeys(services)), on_progress)
    except SandboxUnavailable as problem:
        raise UserError(str(problem)) from None
    click.echo(f"installed: everything that {', '.join(names)} {'needs' if len(names) == 1 else 'need'}")
