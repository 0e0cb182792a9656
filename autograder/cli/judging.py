"""Judges notebooks with progress on the terminal, and writes their results: what judge, check and demo share."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from autograder.checks.recorded import UnknownQuestion
from autograder.cli.context import UserError, console, progress, user_error_for
from autograder.cli.lab_locks import ensure_packages_of
from autograder.course import CourseError
from autograder.course.lab_packages import locks_for_judging
from autograder.intake import Rejected, take_in_file
from autograder.judge import judge_files
from autograder.judge.request import Request
from autograder.report import print_results, write_html
from autograder.sandbox import SandboxUnavailable

STDOUT = Path("-")


def judged(paths: list[Path], request: Request) -> list[dict[str, Any]]:
    """Judge `paths` with progress and return their results; raises UserError for a missing prerequisite."""
    ensure_packages_of(_labs_of(paths, request))
    try:
        with user_error_for(SandboxUnavailable, CourseError), progress("judging") as on_progress:
            return judge_files(paths, request, on_progress)
    except UnknownQuestion:
        raise UserError("a student's kit judges the public cases only; leave --seed out") from None


def _labs_of(paths: list[Path], request: Request) -> set[str]:
    """Return the labs that are about to be judged; empty if no lab needs packages of its own."""
    labs = request.course.labs
    if request.lab or not any(locks_for_judging(request.course, lab) for lab in labs):
        return {request.lab} if request.lab else set()
    found = set()
    for path in paths:
        with suppress(Rejected):  # the judge reports the reason
            found.add(take_in_file(path, None).lab or path.stem)
    return found & labs.keys()


def write(
    results: list[dict[str, Any]], json_file: Path | None, html_file: Path | None, to_screen: bool = True
) -> None:
    """Print the results to the screen and write them to the requested files."""
    if to_screen:
        for each in results:
            print_results(each, console())
    if json_file:
        text = json.dumps(results[0] if len(results) == 1 else results, ensure_ascii=False, indent=1) + "\n"
        if json_file == STDOUT:
            click.echo(text, nl=False)
        else:
            json_file.write_text(text, encoding="utf-8")
    if html_file:
        write_html(results, html_file)
        click.echo(f"report: {html_file}")
