"""Provides `./lab mark`, which opens nbgrader's form grader for manual grades."""

import os
import sys

import click

from autograder.classroom.folder import ROOT
from autograder.cli.context import lab_named
from autograder.cli.grade import class_with_gradebook
from autograder.cli.lab_locks import ensure_packages_of


@click.command()
@click.argument("lab")
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@click.option("--port", type=int, default=0, help="Default: a free one.")
@click.option("--because", default="", help="The reason for all grades of this session, for the journal.")
def mark(lab: str, no_browser: bool, port: int, because: str) -> None:
    """Open nbgrader's form grader, where written answers get their manual grades."""
    from autograder.record.journal import BECAUSE

    name = lab_named(lab)
    classroom = class_with_gradebook(name)
    classroom.share()  # what this user's earlier sessions have written
    ensure_packages_of([name])  # the form grader can judge a submission, too
    command = [sys.executable, "-P", "-m", "jupyter", "lab", f"--ServerApp.root_dir={classroom.folder}"]
    command += ["--LabApp.default_url=/formgrader/gradebook"]  # deeper pages set a cookie for their own path only
    command += [f"--port={port}"] if port else []
    command += ["--no-browser"] if no_browser else []
    command += ["--allow-root"] if os.geteuid() == 0 else []
    os.chdir(ROOT)  # nbgrader reads nbgrader_config.py from its working directory
    os.execve(sys.executable, command, {**os.environ, "STREAMLAB_CLASS": str(classroom.folder), BECAUSE: because})
