"""`./lab services`: the real servers that labs talk to, started and ended on this machine, without docker.

Keeps out: how they are started (streamlab.services).
"""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from autograder.cli.context import ROOT, UserError, progress
from autograder.cli.lab_locks import have_packages_of_services, lacks_packages
from streamlab.java import MissingPrerequisite
from streamlab.services.base import Service
from streamlab.services.catalogue import KINDS, kept, kind_of
from streamlab.services.external_service import ExternalService, external_service
from streamlab.services.process import ServiceError

NAMES = click.argument("names", nargs=-1, metavar="[NAME…]")


@click.group()
def services() -> None:
    """Start, stop and look at the real servers of the labs (kafka, zookeeper, redis, postgres, cassandra)."""


@services.command()
@NAMES
@click.option("--port", type=click.IntRange(1, 65535), help="For one service; default: the one of last time, or free.")
@click.option("--fresh", is_flag=True, help="Begin with no data; the old ones are moved aside, not deleted.")
def up(names: tuple[str, ...], port: int | None, fresh: bool) -> None:
    """Start all services but the heavy ones, or those of NAME…, with their data of last time."""
    if port and len(names) != 1:
        raise UserError("--port is for one service; name it: `./lab services up kafka --port 9092`")
    names = names or _usual()
    _only_ours(names)
    for each in _with_programs(_named(names, port)):
        with _mistakes():
            if fresh:
                _move_aside(each)
            _start(each)


@services.command()
@NAMES
def down(names: tuple[str, ...]) -> None:
    """Stop all services, or those of NAME…; their data stay."""
    _only_ours(names)
    for each in _named(names):
        with _mistakes():
            click.echo(f"{each.name:<12}{_stop(each)}")


@services.command()
@NAMES
def status(names: tuple[str, ...]) -> None:
    """Show what runs where: address, pid, memory, data, log."""
    for each in _named(names):
        with _mistakes():
            if named := external_service(each.name):
                click.echo(f"{each.name:<12}{summary(named)}")
            else:
                _show(each)


def summary(service: Service | ExternalService) -> str:
    """A service in one line: what it does and where."""
    state = service.state()
    if isinstance(service, ExternalService):
        return f"{state:<10}{service.address}   not started from here"
    if state == "stopped":
        return f"stopped   `./lab services up {service.name}` starts it"
    if state == "died":
        return f"died      it {service.how_it_died()}; `./lab services up {service.name}` starts it again with its data"
    place = f"{state:<10}{service.address}   pid {service.pid}   {service.memory_mb:,} MB"
    if state == "silent":
        return f"{place}   it does not answer; `./lab services down {service.name}` ends it"
    error = service.last_error()
    return place + (f"   the last error in its log: {error}" if error else "")


def _named(names: tuple[str, ...], port: int | None = None) -> list[Service]:
    with _mistakes():
        return [kept(name, port) for name in dict.fromkeys(names or KINDS)]


def _usual() -> tuple[str, ...]:
    """What `up` without names starts: nothing heavy, and nothing whose packages would have to be fetched first."""
    light = [name for name in KINDS if not kind_of(name).is_heavy]
    lacking = lacks_packages(light)
    for name in lacking:
        click.echo(f"{name:<12}left out, its packages are not installed; `./lab services up {name}` does it")
    return tuple(name for name in light if name not in lacking)


def _with_programs(found: list[Service]) -> list[Service]:
    """The same services, once the packages with their programs are installed."""
    have_packages_of_services(each.name for each in found)
    return found


def _only_ours(names: tuple[str, ...]) -> None:
    """Reject to start or end what runs elsewhere, and say how that is done where it is."""
    for name in names or KINDS:
        with _mistakes():
            if named := external_service(name):
                advice = f"where docker runs: `docker compose -f docker/compose.yml restart {name}`"
                raise UserError(f"{name} runs at {named.address} and is not started or ended from here; {advice}")


def _start(service: Service) -> None:
    if service.state() == "died":
        click.echo(f"{service.name:<12}it {service.how_it_died()}; starting it again with its data")
    with progress(service.name) as on_progress:
        service.start(on_progress)
    _show(service)


def _move_aside(service: Service) -> None:
    if service.pid is not None:
        click.echo(f"{service.name:<12}{_stop(service)}")
    if old := service.move_aside():
        click.echo(f"{service.name:<12}old data were moved to {_short(old)}")


def _stop(service: Service) -> str:
    pid, died = service.pid, service.how_it_died() if service.state() == "died" else ""
    politely = service.stop()
    if died:
        return f"it {died}; nothing was left to end"
    if pid is None:
        return "did not run"
    how = "ended" if politely else "did not end when asked to, and was killed"
    kept_data = f"its data stay in {_short(service.data)}" if service.keeps_data else "it kept nothing"
    return f"pid {pid} {how}; {kept_data}"


def _show(service: Service) -> None:
    click.echo(f"{service.name:<12}{summary(service)}")
    if service.folder.exists():
        click.echo(f"{'':<12}data {_short(service.data)}   log {_short(service.log)}")


def _short(path: object) -> str:
    return str(path).removeprefix(f"{ROOT}/")


@contextmanager
def _mistakes() -> Iterator[None]:
    try:
        yield
    except (ServiceError, MissingPrerequisite) as problem:
        raise UserError(str(problem)) from None
