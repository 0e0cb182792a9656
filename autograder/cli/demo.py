"""Provides the verb `demo`: the system moves, the autograder judges real work on real Spark, and next steps follow.

The student's kit has no reference. There, the work is the baseline of the throughput check, which the notebook prints.
"""

import json
from pathlib import Path

import click

from autograder.cli.context import ROOT, WORK, console, course, user_error_for
from autograder.cli.judging import judged, write
from autograder.cli.main import is_here
from autograder.judge.request import Request
from autograder.report import print_overview, print_results
from autograder.sandbox.bubblewrap import why_not
from streamlab.notebooks.labfile import read_lab

LAB = "lab01_wordcount"


@click.command()
def demo() -> None:
    """Show the system that the labs build, then judge Lab 1, unsolved and solved, on real Spark.

    The throughput check is included, and a report is written.
    """
    if is_here("system"):
        _show_system()
    starter = ROOT / "labs" / LAB / f"{LAB}.ipynb"
    folder = WORK / "demo"
    folder.mkdir(parents=True, exist_ok=True)
    work, about = _work_to_judge(starter, folder)
    problem = why_not()
    request = Request(ROOT, course(), LAB, sandbox="process" if problem else "bubblewrap", workers=2)
    if problem:
        click.echo(f"The kit's own work is judged without isolation: {problem}.")
    click.echo(f"{LAB}: the starter as students get it, then {about}; a minute or less.")
    results = judged([starter, work], request)
    for each in results:
        print_results(each, console())
    write(results, folder / "results.json", folder / "report.html", to_screen=False)
    print_overview(results, console())
    _where_next()


def _show_system() -> None:
    """Print two minutes of the recorded day, which needs no task, no Java and no service."""
    from autograder.cli.lab09_system import print_seconds  # a kit without the last lab has no system
    from streamlab.lab09_system.page.recording import DAY, BrokenRecording, RecordedSource

    with user_error_for(BrokenRecording):
        source = RecordedSource(DAY)
    click.echo("The system that the labs build: two recorded minutes, with a burst of 20 s.")
    print_seconds(source)
    click.echo()


def _work_to_judge(starter: Path, folder: Path) -> tuple[Path, str]:
    """Return the work and its description: the reference or, in the student's kit, the baseline as a notebook.

    The notebook is the starter with the baseline's tasks, written to `folder`.
    """
    reference = ROOT / "solutions" / LAB / f"{LAB}.py"
    if reference.exists():
        return reference, "the kit's reference"
    rule = next(task.throughput for task in course().labs[LAB].tasks.values() if task.throughput)
    baseline = ROOT / "autograder" / "stages" / LAB / "baselines" / f"{rule.baseline}.py"
    work = folder / f"{rule.baseline}.ipynb"
    work.write_text(_with_tasks_of(baseline, starter), encoding="utf-8")
    return work, "the slides' pipeline, which the notebook prints: it misses some words and counts slowly"


def _with_tasks_of(baseline: Path, starter: Path) -> str:
    """Return the text of the starter, with the baseline's source in each task cell that the baseline has."""
    answers = {cell.name: cell.source for cell in read_lab(baseline).cells if cell.role == "task"}
    notebook = json.loads(starter.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        about = cell["metadata"].get("streamlab", {})
        if about.get("role") == "task" and about["name"] in answers:
            cell["source"] = answers[about["name"]]
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def _where_next() -> None:
    click.echo(
        "\nWhere to go next\n"
        f"  student       ./lab start {LAB}      opens the notebook; its check cells give feedback at once\n"
        f"  instructor    ./lab judge NOTEBOOK… --html report.html      judges the students' notebooks\n"
        f"  self-learner  ./lab watch {LAB}      judges your notebook each time you save it"
    )
    if is_here("system"):
        click.echo("  everyone      ./lab system up --virtual      shows the system that the labs build, in a browser")
