"""`./lab demo`: the autograder judges real work on real Spark, and says where to go next."""

import click

from autograder.cli.instructor import judged, write
from autograder.cli.surroundings import ROOT, WORK, console, course
from autograder.judge.judging import Request
from autograder.report import print_overview, print_results
from autograder.sandbox.bubblewrap import why_not

LAB = "lab01_wordcount"


@click.command()
def demo() -> None:
    """Judge Lab 1's starter and reference on real Spark, race included, and write the report."""
    starter = ROOT / "labs" / LAB / f"{LAB}.ipynb"
    reference = ROOT / "solutions" / LAB / f"{LAB}.py"
    problem = why_not()
    request = Request(ROOT, course(), LAB, sandbox="process" if problem else "bubblewrap")
    if problem:
        click.echo(f"The kit's own work is judged without walls: {problem}.")
    click.echo(f"{LAB}: the starter as students get it, then the kit's reference; a minute or less.")
    results = judged([path for path in (starter, reference) if path.exists()], request)
    for each in results:
        print_results(each, console())
    folder = WORK / "demo"
    folder.mkdir(parents=True, exist_ok=True)
    write(results, folder / "results.json", folder / "report.html", to_screen=False)
    print_overview(results, console())
    _where_next()


def _where_next() -> None:
    click.echo(
        "\nWhere to go next\n"
        f"  student       ./lab start {LAB}      opens the notebook; its check cells tell you at once\n"
        f"  instructor    ./lab judge NOTEBOOK… --html report.html      judges what students hand in\n"
        f"  self-learner  ./lab watch {LAB}      judges your notebook each time you save it"
    )
