"""Provides the verb `watch`, which judges the changed tasks of a notebook at each save and shows changed verdicts."""

import time
from collections.abc import Callable, Collection
from pathlib import Path

import click

from autograder.cli.context import console, course, lab_named
from autograder.cli.learner import copy_of_starter, judged_work, keep
from autograder.cli.own_tasks import name_other_tasks
from autograder.cli.task_changes import News, Results, merged, news, task_digests
from autograder.report import print_checks
from autograder.report.results_view import read_report
from streamlab.notebooks.labfile import UnreadableLab

Judge = Callable[[tuple[str, ...]], Results]


@click.command()
@click.argument("lab")
def watch(lab: str) -> None:
    """Judge the changed tasks of your work at each save, and show which checks pass or fail now."""
    name = lab_named(lab)
    notebook = copy_of_starter(name)
    click.echo(f"watching {notebook}; Ctrl-C ends it")
    watched = WatchedWork(name, notebook, lambda tasks: judged_work(name, tasks, throughput=False, sandbox=None))
    seen = 0.0
    while True:
        saved = notebook.stat().st_mtime if notebook.exists() else seen
        if saved != seen:
            seen = saved
            watched.judge_changes()
            click.echo("waiting for the next save")
        time.sleep(0.5)


class WatchedWork:
    """A notebook with the results and the task digests of its last save."""

    def __init__(self, lab: str, notebook: Path, judge: Judge) -> None:
        self.lab, self.notebook, self.judge = lab, notebook, judge
        self.results: Results | None = None
        self.digests: dict[str, str] = {}

    def judge_changes(self) -> None:
        """Judge the tasks that changed since the last call; the first call judges all tasks."""
        lab = course().labs[self.lab]
        try:
            digests = task_digests(self.notebook, lab.tasks)
        except UnreadableLab as problem:
            click.echo(str(problem))
            return
        if self.results is None:
            self.results = self.judge(())
            _show_checks(self.results, ("pass", "skipped"))
            _show_score(self.results)
        elif changed := tuple(task for task in lab.tasks if digests[task] != self.digests.get(task)):
            self._judge_again(changed)
        else:
            click.echo("no task changed")
        keep(self.lab, self.results)
        self._remember(digests)

    def _judge_again(self, tasks: tuple[str, ...]) -> None:
        assert self.results is not None
        before, after = self.results, self.judge(tasks)
        name_other_tasks(self.lab, after)
        click.echo(f"judged: {', '.join(tasks)}")
        self.results = after if _is_rejected(after) else merged(before, after)
        _show_checks(after, ("pass",))
        _print_news(news(before, self.results))
        _show_score(self.results)

    def _remember(self, digests: dict[str, str]) -> None:
        """Store the digests of the judged tasks, so that the next save judges again what was not judged.

        The judge may have read a file that was being saved, and cleared outputs change no digest.
        """
        assert self.results is not None
        if _is_rejected(self.results):
            self.results, self.digests = None, {}
            return
        ungraded = {each.partition(":")[0].partition("/")[0] for each in self.results["streamlab"]["ungraded"]}
        self.digests = {task: digest for task, digest in digests.items() if task not in ungraded}


def _is_rejected(results: Results) -> bool:
    """Return whether the whole file was rejected or the judge failed; only such results have `judge_failed`."""
    return "judge_failed" in results["streamlab"]


def _show_checks(results: Results, left_out: Collection[str]) -> None:
    """Print all verdicts except the kinds in `left_out`."""
    shown = [each for each in results["streamlab"]["checks"] if each["verdict"] not in left_out]
    print_checks(shown, console())


def _show_score(results: Results) -> None:
    report = read_report(results)
    click.echo(f"{report.points:g}/{report.max_points:g} points, {report.passed} of {report.count} checks pass")


def _print_news(changes: News) -> None:
    for label, checks in (("newly passing", changes.passing), ("newly failing", changes.failing)):
        for task, title in checks:
            click.echo(f"{label}: {task} · {title}")
    if not (changes.passing or changes.failing):
        click.echo("nothing is newly passing or failing")
