"""Provides the verbs with which learners work: start, check, reset."""

import os
import shutil
import sys
import time
from pathlib import Path
from typing import Any

import click

from autograder.cli.context import ROOT, WORK, UserError, console, course, in_one_step, lab_named
from autograder.cli.judging import judged, write
from autograder.cli.lab_locks import ensure_packages_of
from autograder.cli.main import is_here
from autograder.cli.notebook_release import offer
from autograder.cli.own_tasks import name_other_tasks
from autograder.judge.request import Request
from autograder.notebook_check.lab_progress import IN_THE_SYSTEM
from autograder.notebook_check.standing import keep_checked, standing_in
from autograder.report import print_results
from autograder.sandbox.bubblewrap import why_not

# The address is logged as critical; messages below errors would fill a screen and not help a learner.
QUIET = ("--log-level=ERROR", "--LabApp.log_level=ERROR", "--Application.log_format=%(message)s")

JUPYTER = ROOT / "streamlab" / "jupyter"  # settings of a learner's JupyterLab; the learner's own settings win


@click.command()
@click.argument("lab", required=False)
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@click.option("--port", type=int, default=0, help="Default: a free one.")
def start(lab: str | None, no_browser: bool, port: int) -> None:
    """Open a lab in JupyterLab (your own copy, in work/)."""
    names = [lab_named(lab)] if lab else list(course().labs)
    for name in names:
        if line := offer(copy_of_starter(name), course().release):
            click.echo(line)
    if lab:
        ensure_packages_of(names)
    target = f"{names[0]}/{names[0]}.ipynb" if lab else ""
    click.echo(f"your work: {WORK / target}")
    click.echo("JupyterLab is starting and prints its address below; Ctrl-C and then y ends it")
    command = [sys.executable, "-P", "-m", "jupyter", "lab", f"--ServerApp.root_dir={WORK}", *QUIET]
    command += [f"--LabApp.workspaces_dir={workspaces(WORK / '.jupyter' / 'workspaces', target)}"]
    command += [f"--LabApp.default_url=/lab/tree/{target}"] if target else []
    command += [f"--port={port}"] if port else []
    command += ["--no-browser"] if no_browser else []
    command += ["--allow-root"] if os.geteuid() == 0 else []
    os.execve(sys.executable, command, {**os.environ, **jupyter_environment()})


def jupyter_environment() -> dict[str, str]:
    """Return the environment of a learner's JupyterLab: the kit's settings, no panels of nbgrader's for instructors."""
    own = str(JUPYTER)
    before = os.environ.get("JUPYTER_CONFIG_PATH")
    return {"JUPYTER_CONFIG_PATH": f"{own}:{before}" if before else own}


def workspaces(folder: Path, opened: str) -> Path:
    """Return the kit's folder of workspaces.

    If a new one opens with a notebook, its side bars are closed, so a cell has the whole page. Otherwise JupyterLab
    starts with the list of labs.
    """
    from jupyterlab_server.workspaces_handler import WorkspacesManager

    if opened and not folder.exists():
        WorkspacesManager(str(folder)).save("default", (JUPYTER / "workspace.json").read_text(encoding="utf-8"))
    return folder


def copy_of_starter(lab: str) -> Path:
    """Return the learner's copy of a lab in work/, created if missing."""
    target, released = WORK / lab, ROOT / "labs" / lab
    if not released.is_dir():
        raise UserError(f"labs/{lab} is missing; `./lab build` creates it")
    notebook = released / f"{lab}.ipynb"
    if not (target / notebook.name).exists():
        files = [path for path in released.rglob("*") if path.is_file()]
        for path in sorted(files, key=lambda path: (path == notebook, path)):  # the notebook last
            with in_one_step(target / path.relative_to(released)) as partial:
                shutil.copy2(path, partial)
    return target / notebook.name


@click.command()
@click.argument("lab", required=False, metavar="[LAB[/TASK]]")
@click.option("--throughput", is_flag=True, help="Run the throughput checks too.")
@click.option("--sandbox", help="bubblewrap or process; default: the one that works here.")
def check(lab: str | None, throughput: bool, sandbox: str | None) -> None:
    """Judge your own work: all checks of a lab or of one task."""
    for name, task in _selected(lab):
        _check(name, task, throughput, sandbox)


def _selected(lab: str | None) -> list[tuple[str, str | None]]:
    if lab:
        name, _, task = lab.partition("/")
        name = lab_named(name)
        if task and task not in course().labs[name].tasks:
            raise UserError(f"no task {task} in {name}; it has {', '.join(course().labs[name].tasks)}")
        return [(name, task or None)]
    started = [(name, None) for name in course().labs if (WORK / name / f"{name}.ipynb").exists()]
    if not started:
        raise UserError("nothing to check yet; `./lab start` opens the first lab")
    return list(started)


def _check(name: str, task: str | None, throughput: bool, sandbox: str | None) -> None:
    was_complete = _is_complete(name)
    results = judged_work(name, (task,) if task else (), throughput, sandbox)
    if task:
        name_other_tasks(name, results)
    print_results(results, console())
    if task is None:
        keep(name, results)
        if _is_complete(name) and not was_complete:
            _show_system(name)
    else:
        _record(name, results)


def _is_complete(name: str) -> bool:
    return standing_in(WORK / name, course().labs[name]).is_complete


def _show_system(name: str) -> None:
    """Show two minutes of the system, which has the lab's tasks from now on."""
    if not is_here("system"):
        return
    from autograder.cli.lab09_system import show_minutes

    click.echo(f"\n{IN_THE_SYSTEM}")
    show_minutes(name)


def judged_work(name: str, tasks: tuple[str, ...], throughput: bool, sandbox: str | None) -> dict[str, Any]:
    """Judge these tasks of the learner's notebook, or all, and return the results."""
    notebook = WORK / name / f"{name}.ipynb"
    if not notebook.exists():
        raise UserError(f"your notebook {notebook} does not exist; `./lab start {name}` creates it")
    about = course().labs[name].tasks
    if long_s := sum(about[task].check_s or 0 for task in tasks or about):
        click.echo(f"checking {', '.join(tasks) or name} takes about {long_s} s", err=True)
    level = sandbox or ("process" if why_not() else "bubblewrap")
    request = Request(ROOT, course(), name, throughput=throughput, sandbox=level, tasks=tasks)
    return judged([notebook], request)[0]


def keep(name: str, results: dict[str, Any]) -> None:
    """Write the results and the report of a whole lab to its folder in work/, for `./lab status` and the learner."""
    folder = WORK / name
    write([results], folder / "results.json", folder / "report.html", to_screen=False)
    _record(name, results)
    shutil.copyfile(folder / "report.html", WORK / "report.html")  # the newest report of any lab


def _record(name: str, results: dict[str, Any]) -> None:
    """Record the verdicts on each judged task where check() in the notebook records and finds them, too."""
    ours = results["streamlab"]
    digests = ours.get("digests", {}).get("tasks", {})
    for task in {each["task"]: None for each in ours["checks"]}:
        verdicts = {each["check"]: each["verdict"] for each in ours["checks"] if each["task"] == task}
        keep_checked(WORK / name, task, verdicts, digests.get(task))


@click.command()
@click.argument("lab")
def reset(lab: str) -> None:
    """Start a lab over; your work is moved aside, not deleted."""
    name = lab_named(lab)
    if (WORK / name).exists():
        kept = WORK / f"{name}.before-{time.strftime('%Y%m%d-%H%M%S')}"
        number = 1
        while kept.exists():
            number += 1
            kept = kept.with_name(f"{kept.name}-{number}")
        (WORK / name).rename(kept)
        click.echo(f"your work was moved to {kept}")
    click.echo(f"a fresh copy: {copy_of_starter(name)}")
