"""Which services there are, and the two ways to have one: an own one for a block, or the one of `./lab services up`.

Adding a service is one file with its class and one line in `KINDS`. Keeps out: what a service is (base.py).
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
    """An own service in a temporary folder, with nothing in it; it ends with the block, or with this Python.

    Raises ServiceError, `JavaNotFound`.
    Example: with running("kafka") as kafka: KafkaProducer(bootstrap_servers=kafka.address)
    """
    kind = kind_of(name)
    folder = Path(tempfile.mkdtemp(prefix=f"streamlab-{name}-"))
    own = kind(folder, port)
    guard = Guard(folder, kind.discard_signal)
    try:
        own.start(on_progress)
        yield own
    finally:
        own.discard()
        guard.leave()
        shutil.rmtree(folder, ignore_errors=True)


def service(name: str) -> Service | ExternalService:
    """The service that `./lab services up` started, or the one elsewhere that the environment names.

    Raises ServiceError, with the next step, if it does not run.
    """
    if named := external_service(name):
        return _answering(named)
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


def _answering(named: ExternalService) -> ExternalService:
    if named.state() == "silent":
        raise ServiceError(f"{named.name} does not answer at {named.address}, where it should run; see `./lab doctor`")
    return named


def kept(name: str, port: int | None = None) -> Service:
    """The service of `./lab services`, running or not."""
    return kind_of(name)(services_folder() / name, port)


def services_folder() -> Path:
    """Where the services of `./lab services` have their folders: `STREAMLAB_SERVICES`, else work/services."""
    named = os.environ.get("STREAMLAB_SERVICES")
    return Path(named).absolute() if named else ROOT / "work" / "services"


def kind_of(name: str) -> type[Service]:
    """The class of a service; raises ServiceError for a name that is not in the table."""
    if name not in KINDS:
        raise ServiceError(f"no service {name}; there are {', '.join(KINDS)}")
    module, _, kind = KINDS[name].partition(":")
    found: type[Service] = getattr(importlib.import_module(module), kind)
    return found
