"""Provides `./lab install`, which installs in advance what labs would install at first use."""

import os

import click

from autograder.cli.context import SHARED_CACHE, UserError, course, lab_named, progress, user_error_for
from autograder.cli.lab_locks import ensure_all_packages, ensure_packages_of
from autograder.judge.service_files import fetch_for
from autograder.sandbox import SandboxUnavailable
from streamlab.java import MissingPrerequisite
from streamlab.services.catalogue import KINDS
from streamlab.spark.fast_start import class_archive


@click.command()
@click.argument("labs", nargs=-1, metavar="[LAB]…")
@click.option("--all", "is_all", is_flag=True, help="For every lab and every service, and for all users of this kit.")
def install(labs: tuple[str, ...], is_all: bool) -> None:
    """Install packages and servers now that labs would install at first use."""
    if bool(labs) == is_all:
        raise UserError("expected labs or --all; `./lab status` lists the labs")
    if is_all:
        SHARED_CACHE.mkdir(exist_ok=True)
        os.environ.setdefault("STREAMLAB_CACHE", str(SHARED_CACHE))
        ensure_all_packages()
        _fetch("all labs", [*KINDS], prepare_spark=True)
        return
    names = [lab_named(each) for each in labs]
    ensure_packages_of(names)
    services = dict.fromkeys(each for lab in names for each in course().labs[lab].services)
    _fetch(", ".join(names), [*services])


def _fetch(what: str, services: list[str], prepare_spark: bool = False) -> None:
    with user_error_for(SandboxUnavailable, MissingPrerequisite), progress("installing") as on_progress:
        fetch_for(what, services, on_progress)
        if prepare_spark:
            class_archive.prepare(on_progress)
    click.echo(f"installed for {what}: packages{', servers' if services else ''}")
