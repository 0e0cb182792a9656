"""Provides the verb `services`, which starts and stops the labs' real servers on this machine, without docker.

`streamlab.services` starts and stops them.
"""

import click

from autograder.cli.context import ROOT, UserError, progress, user_error_for
from autograder.cli.lab_locks import ensure_packages_of_services, services_without_packages
from streamlab.java import MissingPrerequisite
from streamlab.services.base import Service
from streamlab.services.catalogue import KINDS, kept, kind_of
from streamlab.services.external_service import ExternalService, external_service
from streamlab.services.process import ServiceError
from streamlab.spark import kafka_connector

NAMES = click.argument("names", nargs=-1, metavar="[NAME…]")
USER_ERRORS = user_error_for(ServiceError, MissingPrerequisite)


@click.group(help=f"Start, stop and show the real servers of the labs ({', '.join(KINDS)}).")
def services() -> None:
    """Group the verbs for servers."""


@services.command()
@NAMES
@click.option("--port", type=click.IntRange(1, 65535), help="For one service; default: its last port, or a free one.")
@click.option("--fresh", is_flag=True, help="Start without data; old data is moved aside, not deleted.")
@USER_ERRORS
def up(names: tuple[str, ...], port: int | None, fresh: bool) -> None:
    """Start all services except the heavy ones, or those of NAME…, with their previous data."""
    if port and len(names) != 1:
        raise UserError("--port is for one service; name it: `./lab services up kafka --port 9092`")
    names = names or _default_services()
    _reject_external(names)
    found = _named(names, port)
    ensure_packages_of_services(each.name for each in found)  # the services' programs
    for each in found:
        if fresh:
            _move_aside(each)
        _start(each)


@services.command()
@NAMES
@USER_ERRORS
def down(names: tuple[str, ...]) -> None:
    """Stop all services, or those of NAME…; their data stays."""
    _reject_external(names)
    for each in _named(names):
        click.echo(f"{each.name:<12}{_stop(each)}")


@services.command()
@NAMES
@USER_ERRORS
def status(names: tuple[str, ...]) -> None:
    """Show each service: state, address, pid, memory, data, log."""
    for each in _named(names):
        if external := external_service(each.name):
            click.echo(f"{each.name:<12}{summary(external)}")
        else:
            _show(each)


def summary(service: Service | ExternalService) -> str:
    """Return a service's state and address, and the next step, in one line."""
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
    return [kept(name, port) for name in dict.fromkeys(names or KINDS)]


def _default_services() -> tuple[str, ...]:
    """Return the services that `up` starts by default: all except heavy ones and those with missing packages."""
    light = [name for name in KINDS if not kind_of(name).is_heavy]
    without_packages = services_without_packages(light)
    for name in without_packages:
        click.echo(f"{name:<12}left out, its packages are not installed; `./lab services up {name}` installs them")
    return tuple(name for name in light if name not in without_packages)


def _reject_external(names: tuple[str, ...]) -> None:
    """Raise UserError for a service that runs elsewhere, with how to restart it there."""
    for name in names or KINDS:
        if external := external_service(name):
            advice = f"where docker runs: `docker compose -f docker/compose.yml restart {name}`"
            raise UserError(f"{name} runs at {external.address} and cannot be started or stopped here; {advice}")


def _start(service: Service) -> None:
    if service.state() == "died":
        click.echo(f"{service.name:<12}it {service.how_it_died()}; starting it again with its data")
    with progress(service.name) as on_progress:
        if service.name == "kafka":
            kafka_connector.fetch(on_progress)  # Spark needs it to read from the broker
        service.start(on_progress)
    _show(service)


def _move_aside(service: Service) -> None:
    if service.pid is not None:
        click.echo(f"{service.name:<12}{_stop(service)}")
    if old := service.move_aside():
        click.echo(f"{service.name:<12}old data was moved to {_short(old)}")


def _stop(service: Service) -> str:
    pid, died = service.pid, service.how_it_died() if service.state() == "died" else ""
    cleanly = service.stop()
    if died:
        return f"it {died}; nothing was left to stop"
    if pid is None:
        return "was not running"
    how = "stopped" if cleanly else "did not stop when asked to, and was killed"
    kept_data = f"its data stays in {_short(service.data)}" if service.keeps_data else "it keeps no data"
    return f"pid {pid} {how}; {kept_data}"


def _show(service: Service) -> None:
    click.echo(f"{service.name:<12}{summary(service)}")
    if service.folder.exists():
        click.echo(f"{'':<12}data {_short(service.data)}   log {_short(service.log)}")


def _short(path: object) -> str:
    return str(path).removeprefix(f"{ROOT}/")
