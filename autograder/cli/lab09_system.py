"""Provides the verb `system`, which runs the complete system of Lab 9 and shows it on a page.

The page is `streamlab.lab09_system.page`; which tasks run, `autograder.cli.lab09_system_parts` decides.
"""

import asyncio
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from autograder.cli.context import (
    UserError,
    course,
    encodable,
    in_one_step,
    lab_named,
    output_file,
    print_columns,
    progress,
    user_error_for,
)
from autograder.cli.lab09_system_parts import Parts, Wrap, as_it_is, changed_since_check, owners_of, tasks_of_parts
from autograder.cli.lab_locks import ensure_packages_of
from autograder.cli.own_tasks import changed_text
from streamlab.java import MissingPrerequisite
from streamlab.lab09_system.page import running, uplot
from streamlab.lab09_system.page.message import FAULTS, Source
from streamlab.lab09_system.page.recording import DAY, BrokenRecording, RecordedSource, record
from streamlab.lab09_system.page.seconds_as_text import seconds_as_text
from streamlab.lab09_system.parts import LAB, LIVE_TASKS, TASKS, VIRTUAL_TASKS
from streamlab.notebooks.loader import is_cell, one_line
from streamlab.services.ports import why_not_free
from streamlab.services.process import ServiceError
from streamlab.spark import kafka_connector
from streamlab.views.system_map import YOURS, name_of

SEED = "page"
LINE_S = 0.15  # between two lines of `show`: the lag is seen to grow, and the learner's tasks keep up
NOT_RUNNING = "no system runs; `./lab system up --virtual` starts one"


@click.group()
def system() -> None:
    """Run the complete system of Lab 9, made of your own tasks where they pass, and look at it in a browser."""


@system.command()
@click.option("--virtual", is_flag=True, help="In virtual seconds, without Java and services; starts in a second.")
@click.option(
    "--port", type=click.IntRange(1, 65535), envvar="STREAMLAB_SYSTEM_PORT", help="Of the page; default: a free one."
)
def up(virtual: bool, port: int | None) -> None:
    """Start the system and its page, and print the page's address. Ctrl-C or `down` ends everything."""
    if port and (why := why_not_free(port)):
        raise UserError(f"{why}; `./lab system up --port N` takes another one")
    with user_error_for(running.AlreadyRuns), running.only_one():
        parts, changed = Parts(owners_of(TASKS), _say), changed_since_check(TASKS)
        for line in map(changed_text, changed):
            _say(line)
        source = _virtual(parts) if virtual else _live(parts)
        _fetch_charts()
        _serve(source, parts, changed, port or 0)


@system.command()
@click.argument("lab", required=False)
def show(lab: str | None) -> None:
    """Show two minutes of the system as text, with your own tasks, or those of LAB, where they pass."""
    show_minutes(lab and lab_named(lab))


def show_minutes(lab: str | None = None) -> None:
    """Print which tasks are the learner's own, those of `lab` or all, then two minutes of a virtual or recorded day."""
    click.echo("Two minutes of the system, with a burst of 20 s, in about ten seconds:")
    parts = Parts(owners_of(TASKS), _say)
    with _one_line_for_a_task():
        source = _virtual(parts)
        shown = [task for task in TASKS if parts.owners[task] == YOURS and task.startswith(lab or "")]
        for line in _in_this_run([name_of(each) for each in shown], set(map(name_of, source.tasks))):
            click.echo(line)
        try:
            print_seconds(source)
        finally:
            source.end()


def _in_this_run(yours: list[str], running: set[str]) -> Iterator[str]:
    """Yield where the learner's tasks are at work: here, else in the live system, else on the map only."""
    live = set(map(name_of, LIVE_TASKS)) - running
    where = {
        "yours in this run": [name for name in yours if name in running],
        "yours in `./lab system up`, on real Kafka and Spark": [name for name in yours if name in live],
        "yours on the map, at work in checks only": [name for name in yours if name not in live | running],
    }
    yield from (f"{text}: {', '.join(names)}" for text, names in where.items() if names)


def print_seconds(source: Source) -> None:
    """Print two minutes of a system, in about four seconds."""
    click.echo("lag: records that wait in the log; p99: 99 of 100 alerts need less time")
    for line in seconds_as_text(source):
        click.echo(encodable(line))
        time.sleep(LINE_S)


@system.command()
def down() -> None:
    """End the running system."""
    found = running.running()
    if found is None:
        click.echo("no system was running")
    elif found.stop():
        click.echo(f"pid {found.pid} ended, with everything that it started")
    else:
        click.echo(f"pid {found.pid} did not end when asked to, and was killed")


@system.command()
def status() -> None:
    """Show the running system: its address, and the numbers of its last second."""
    found, state = _asked("start.json")
    click.echo(f"{state['kind']} system at {found.place}   pid {found.pid}")
    if state["history"]:
        last = state["history"][-1]
        stopped = f"   down: {', '.join(last['down'])}" if last["down"] else ""
        lag = f"lag {sum(last['lags']):,}   {len(last['instances'])} instances on {last['workers']} workers"
        click.echo(f"second {last['at_s']:,}   {last['done']:,} records/s   {lag}{stopped}")
        if compared := last.get("compared"):
            print_columns([("your task", "answers"), *compared["tasks"].items()])
            state["notes"] += compared["differences"]
    for note in state["notes"]:
        click.echo(note)


@system.command()
@click.argument("name", type=click.Choice(list(FAULTS)))
def fault(name: str) -> None:
    """Inject a fault into the running system, as the button on its page does."""
    click.echo(_asked(f"fault/{name}", post=True)[1]["said"])


@system.command("record")
@click.argument("file")
def record_day(file: str) -> None:
    """Record a virtual day with all ten faults in FILE (.jsonl.gz), which a kit without solutions can play."""
    from streamlab.lab09_system.page.borders import Recorder
    from streamlab.lab09_system.virtual import END_S, PLAN

    recorder = Recorder()
    path, parts = output_file(file, is_replaced=True), Parts(owners_of(TASKS), _say)
    if missing := parts.missing(VIRTUAL_TASKS):
        raise UserError(f"nothing to record: {', '.join(missing)} not written yet, and this kit has no solutions")
    with progress("record") as on_progress, in_one_step(path) as draft:
        on_progress(f"{END_S:,} virtual seconds, about 20 seconds")
        size = record(_source(parts, recorder.wrap), recorder, draft, course().release, SEED, PLAN, END_S)
    click.echo(f"{END_S:,} seconds with {len(PLAN)} faults in {path}, {size:,} bytes")


def _virtual(parts: Parts) -> Source:
    """Return the virtual system, or the recorded one if this kit cannot run it."""
    return _recorded(parts, VIRTUAL_TASKS) if parts.missing(VIRTUAL_TASKS) else _source(parts)


def _recorded(parts: Parts, needed: tuple[str, ...]) -> Source:
    """Return the recorded day, in which the learner's tasks get the recorded input."""
    missing = len(parts.missing(needed))
    _say(f"{missing} of {len(needed)} tasks are not yours yet, and this kit has no solutions: a recorded day plays")
    with user_error_for(BrokenRecording):
        return RecordedSource(DAY, parts.yours(VIRTUAL_TASKS), tasks_of_parts())


def _source(parts: Parts, wrap: Wrap = as_it_is) -> Source:
    from streamlab.lab09_system.page.virtual_source import VirtualSource

    return VirtualSource(parts.namespace(VIRTUAL_TASKS, wrap=wrap), SEED)


def _live(parts: Parts) -> Source:
    """Start the services, leaders, job and sources; needs Java and the packages of the lab. Without tasks: recorded."""
    if parts.missing(LIVE_TASKS):
        return _recorded(parts, LIVE_TASKS)
    ensure_packages_of([LAB])
    from streamlab.lab09_system.page.live_source import LiveSource

    with user_error_for(ServiceError, MissingPrerequisite, OSError), progress("system") as on_progress:
        on_progress("starting Kafka, ZooKeeper, Valkey, two leaders and a Spark job; about a minute")
        kafka_connector.fetch(on_progress)
        return LiveSource(parts.namespace(LIVE_TASKS, is_sent=True), _say)


def _fetch_charts() -> None:
    """Fetch uPlot at first use; without it, the page shows its numbers as tables."""
    if all(uplot.content(name) for name in uplot.FILES):
        return
    try:
        with progress("system") as on_progress:
            uplot.fetch(on_progress)
    except MissingPrerequisite as problem:
        _say(f"the page shows tables instead of charts: {problem}")


def _serve(source: Source, parts: Parts, changed: list[str], port: int) -> None:
    """Serve the page until Ctrl-C, SIGTERM, or an error of a task."""
    try:
        with _one_line_for_a_task():
            asyncio.run(_page(source, parts, changed, port))
    except ServiceError as problem:
        raise UserError(f"{problem}; the system has ended") from None
    except OSError as problem:
        raise UserError(f"the page cannot listen on port {port}: {problem.strerror}") from None


@contextmanager
def _one_line_for_a_task() -> Iterator[None]:
    """Raise UserError, with the line of the notebook's cell, for an error of a learner's task."""
    try:
        yield
    except (UserError, ServiceError, OSError):
        raise
    except Exception as problem:
        if where := _cell_of(problem):
            raise UserError(f"{where}: {type(problem).__name__}: {one_line(problem)}; the system has ended") from None
        raise


async def _page(source: Source, parts: Parts, changed: list[str], port: int) -> None:
    from streamlab.lab09_system.page.server import Server

    stopped, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, stopped.set)
    server = Server(source, tasks_of_parts(), parts.owners, _say, list(map(changed_text, changed)))
    server.listen(port)
    place = running.note(server.port, server.token).place
    click.echo(f"{place}\n{source.remark}\nCtrl-C ends it, or `./lab system down`")
    sys.stdout.flush()
    await server.run(stopped)
    click.echo("ended")


def _cell_of(problem: BaseException) -> str | None:
    """Return the innermost line of a notebook's cell that raised, or None if none did."""
    found, trace = None, problem.__traceback__
    while trace is not None:
        if is_cell(trace.tb_frame.f_code.co_filename):
            found = f"{trace.tb_frame.f_code.co_filename.strip('<>')}, line {trace.tb_lineno}"
        trace = trace.tb_next
    return found


def _asked(what: str, post: bool = False) -> tuple[running.Running, Any]:
    """Return the running system and its answer; raises UserError if none runs or it does not answer."""
    found = running.running()
    if found is None:
        raise UserError(NOT_RUNNING)
    try:
        return found, found.ask(what, post)
    except running.Silent as problem:
        raise UserError(f"{problem}; `./lab system down` ends it") from None


def _say(text: str) -> None:
    click.echo(f"system: {text}", err=True)
