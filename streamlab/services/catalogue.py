"""The list of services, and the two ways to get one: a temporary one for a block, or the one of `./lab services up`.

To add a service, add a file with its class and a line in `KINDS`.
"""

import importlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from streamlab.progress import OnProgress, silent
from streamlab.services.base import Service
from streamlab.services.external_service import ExternalService, external_service
from streamlab.services.guard import Guard
from streamlab.services.process import ServiceError

ROOT = Path(__file__).resolve().parents[2]
KINDS = {
    "kafka": "streamlab.services.kafka:Kafka",
    "zookeeper": "streamlab.services.zookeeper:ZooKeeper",
    "redis": "streamlab.services.redis:Redis",
    "postgres": "streamlab.services.postgres:Postgres",
    "cassandra": "streamlab.services.cassandra:Cassandra",
}


@contextmanager
def running(name: str, *, port: int | None = None, on_progress: OnProgress = silent) -> Iterator[Service]:
    """Start an empty service in a temporary folder; it ends with the block, or with this Python.

    Raises ServiceError, `JavaNotFound`.
    Example: with running("kafka") as kafka: KafkaProducer(bootstrap_servers=kafka.address)
    """
    kind = kind_of(name)
    folder = Path(tempfile.mkdtemp(prefix=f"streamlab-{name}-"))
    temporary = kind(folder, port)
    guard = Guard(folder, kind.discard_signal)
    try:
        temporary.start(on_progress)
        yield temporary
    finally:
        temporary.discard()
        guard.leave()
        shutil.rmtree(folder, ignore_errors=True)


def service(name: str) -> Service | ExternalService:
    """Return the service that `./lab services up` started, or the external one that the environment names.

    Raises ServiceError, with the next step, if it does not run.
    """
    if external := external_service(name):
        return _answering(external)
    found = kept(name)
    state = found.state()
    next_step = f"`./lab services up {name}` starts it"
    if state == "died":
        raise ServiceError(f"{name} {found.how_it_died()}; {next_step} again, its data are kept")
    if state == "stopped":
        raise ServiceError(f"{name} does not run; {next_step}")
    if state == "silent":
        again = f"`./lab services down {name}` and `./lab services up {name}` restart it"
        raise ServiceError(f"{name} runs (pid {found.pid}) but does not answer at {found.address}; {again}")
    return found


def _answering(external: ExternalService) -> ExternalService:
    if external.state() == "silent":
        where = f"{external.address}, where it should run"
        raise ServiceError(f"{external.name} does not answer at {where}; see `./lab doctor`")
    return external


def kept(name: str, port: int | None = None) -> Service:
    """Return the service of `./lab services`, running or not."""
    return kind_of(name)(services_folder() / name, port)


def services_folder() -> Path:
    """Return the parent folder of the services of `./lab services`: `STREAMLAB_SERVICES`, or work/services."""
    named = os.environ.get("STREAMLAB_SERVICES")
    return Path(named).absolute() if named else ROOT / "work" / "services"


def kind_of(name: str) -> type[Service]:
    """Return the class of a service; raises ServiceError for a name that is not in the table."""
    if name not in KINDS:
        raise ServiceError(f"no service {name}; there are {', '.join(KINDS)}")
    module, _, kind = KINDS[name].partition(":")
    found: type[Service] = getattr(importlib.import_module(module), kind)
    return found
