"""Provides the verbs for authors: build, verify, test."""

import json
import os
import subprocess
import sys
import time
from functools import partial

import click

from autograder.cli.context import ROOT, UserError, course, lab_named, output_file, print_columns, progress
from autograder.cli.lab_locks import ensure_all_packages, ensure_packages_of
from autograder.course import CourseError
from autograder.judge.request import Request
from autograder.sandbox import LEVELS, SandboxUnavailable
from autograder.sandbox.cores import cores_here

IN_PARALLEL, ALONE = "not alone and not docker", "alone and not docker"  # docker/ci.sh runs those with docker
QUICK = " and not slow"
NO_TEST_SELECTED = 5  # pytest's exit code
# The tests of a file share the servers that they start; files run in the order of tests/conftest.py. There is one
# worker more than cores, since tests wait for clocks and for servers to start.
ON_WORKERS = ("-n", str(cores_here() + 1), "--dist", "loadfile", "--no-loadscope-reorder")


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if anything generated is out of date.")
@click.option("--stats", is_flag=True, help="Write nothing; count what each lab asks of a learner.")
def build(check: bool, stats: bool) -> None:
    """Generate labs/ and parts of README.md from the sources."""
    from autograder.builder import SourceError, stale
    from autograder.builder import build as build_all

    if stats:
        _print_stats()
        return
    try:
        with progress("building") as on_progress:
            on_progress("reading the sources, generating the notebooks")
            if not check:
                build_all(ROOT)
            old = stale(ROOT)
    except (SourceError, CourseError) as problem:
        for line in str(problem).splitlines():
            click.echo(f"lab: {line}", err=True)
        sys.exit(2)
    for line in old:
        click.echo(line, err=True)
    click.echo("labs/ and README.md are up to date" if not old else "out of date; `./lab build` fixes it")
    for verb in _verifications_due() if check else []:
        click.echo(f"note: files have changed since `./lab {verb}` recorded its results")
    sys.exit(1 if old else 0)


def _verifications_due() -> list[str]:
    """Return the verbs that would verify completely, since files have changed that a verified.json rests on."""
    from autograder.verify import digest

    due = []
    for lab in course().labs:
        folder, of = ROOT / "autograder" / "stages" / lab, (ROOT, course(), lab)
        recorded, messages = digest.read_verified(folder), folder / digest.MESSAGES
        now = {"digest": digest.digest_of_lab(*of), "earlier": digest.digest_of_earlier(*of)}
        now["messages"] = digest.digest_of_text(messages.read_text(encoding="utf-8") if messages.exists() else "")
        due += [] if recorded | now == recorded else [f"verify {lab}"]
    levels, attacks = digest.read_verified(ROOT / "autograder" / "hostile").values(), digest.digest_of_attacks(ROOT)
    return due if any(level["digest"] == attacks for level in levels) else [*due, "verify --attacks"]


def _print_stats() -> None:
    from autograder.builder.stats import Stats, stats_of

    counts = [stats_of(ROOT, course(), lab) for lab in course().labs]
    rows = [tuple(each if isinstance(each, str) else f"{each:,g}" for each in lab) for lab in counts]
    print_columns([Stats._fields, *rows], right=range(1, len(Stats._fields)))


@click.command()
@click.argument("labs", nargs=-1, metavar="[LAB…]")
@click.option("--json", "json_file", metavar="FILE", help="Write the results as JSON.")
@click.option("--quick", is_flag=True, help="Skip throughput checks, repeats, other seeds and the notebook's run.")
@click.option("--all", "whole", is_flag=True, help="Skip nothing, even if nothing has changed.")
@click.option(
    "--runs",
    type=click.IntRange(2, 1000),
    help="Repeats and other seeds; default: 3 and 20, for slow tasks 1 and 1 (3 and 2000, 3 and 20 with --all).",
)
@click.option("--workers", type=click.IntRange(1, 64), default=2, show_default=True)
@click.option("--sandbox", type=click.Choice(LEVELS), help="Default: bubblewrap.")
@click.option("--attacks", is_flag=True, help="Only the hostile submissions, on every lab.")
def verify(
    labs: tuple[str, ...],
    json_file: str | None,
    quick: bool,
    whole: bool,
    runs: int | None,
    workers: int,
    sandbox: str | None,
    attacks: bool,
) -> None:
    """Judge the judge: every check must be able to fail, and correct work must get full marks.

    A lab that has changed since its last complete verification is verified completely, otherwise by a sample.
    """
    from autograder.verify.attacks import verify_attacks
    from autograder.verify.variants import BadVariant
    from autograder.verify.verification import Extent, verify_lab

    if attacks and labs:
        raise UserError("--attacks runs on every lab; call `./lab verify --attacks` without labs")
    target = None if json_file is None else output_file(json_file)
    request, extent = Request(ROOT, course(), workers=workers, sandbox=sandbox), Extent(quick, whole, runs)
    attack_run = partial(verify_attacks, request, quick=quick, whole=whole or attacks)
    names = [] if attacks else [lab_named(each) for each in labs] or list(request.course.labs)
    ensure_packages_of(names or request.course.labs)  # the attacks are on every lab
    runs_of_labs = {name: partial(verify_lab, name, request, extent) for name in names}
    began, reports = time.monotonic(), []
    for name, run in (runs_of_labs | ({} if labs else {"attacks": attack_run})).items():
        try:
            with progress(f"verifying {name}") as on_progress:
                reports.append(run(on_progress=on_progress))
        except (SandboxUnavailable, CourseError, BadVariant) as problem:
            raise UserError(str(problem)) from None
        for line in reports[-1].lines():
            click.echo(line)
    if target:
        content = json.dumps([report.as_json() for report in reports], indent=1, ensure_ascii=False)
        target.write_text(f"{content}\n", encoding="utf-8")
    holes = sum(len(report.holes) for report in reports)
    click.echo(f"{holes} hole{'s' if holes != 1 else ''}, {time.monotonic() - began:.0f} s")
    sys.exit(1 if holes else 0)


@click.command(context_settings={"ignore_unknown_options": True})
@click.option("--all", "whole", is_flag=True, help="Run the slow tests, too, as CI does.")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[PYTEST OPTIONS]")
def test(whole: bool, arguments: tuple[str, ...]) -> None:
    """Run the tests with pytest: most of them in parallel, then those that need the machine to themselves.

    Slow tests (a class on a cluster, a browser, servers that are killed) run with --all only, and docker/ci.sh runs
    those that need docker. With options or paths of pytest, only pytest runs with these.
    """
    ensure_all_packages()
    if arguments:
        sys.exit(0 if _passes(*arguments) else 1)
    extent = "" if whole else QUICK
    parallel = _passes("-q", *ON_WORKERS, "-m", IN_PARALLEL + extent)
    alone = _passes("-q", "-m", ALONE + extent, none_selected=not whole)
    sys.exit(0 if parallel and alone else 1)


def _passes(*arguments: str, none_selected: bool = False) -> bool:
    """Return whether pytest passes; with `none_selected`, also if the options select no test."""
    code = subprocess.run([sys.executable, "-m", "pytest", *arguments], cwd=ROOT, env=os.environ).returncode
    return code == 0 or (none_selected and code == NO_TEST_SELECTED)
