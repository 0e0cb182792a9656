"""The faults of processes: each is injected where it hurts, lasts while records are sent, and is ended."""

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import psutil

from streamlab.lab09_system import store
from streamlab.lab09_system.live.settings import COMPUTED, HELD_WORKER, HOLD_JOB, HOLD_WORKER, notes_of
from streamlab.services.external_service import ExternalService

if TYPE_CHECKING:
    from streamlab.lab09_system.live.system import LiveSystem

KILL_CONTAINER = "docker compose -f docker/compose.yml exec kafka bash -c 'kill -9 -1'"
Meanwhile = Callable[[], object]


def inject(system: "LiveSystem", fault: str, meanwhile: Meanwhile) -> None:
    """Inject a fault; see `LiveSystem.inject`."""
    if fault not in FAULTS:
        raise ValueError(f"expected a fault of {', '.join(FAULTS)}, got {fault!r}")
    FAULTS[fault](system, meanwhile)


def why_not(system: "LiveSystem", fault: str) -> str | None:
    """Return why a fault cannot be injected from here, with the command that does it elsewhere, or None."""
    if fault == "broker" and isinstance(system.services["kafka"], ExternalService):
        return f"the broker runs in another container, out of reach from here; on your machine: {KILL_CONTAINER}"
    return None


def stop_store(system: "LiveSystem", meanwhile: Meanwhile) -> None:
    """Stop the store with SIGSTOP: it keeps its connections, and does not answer."""
    system.services["redis"].pause()
    try:
        meanwhile()
    finally:
        system.services["redis"].resume()


def kill_store(system: "LiveSystem", meanwhile: Meanwhile) -> None:
    """Kill the store; it comes back empty, and is loaded after a while."""
    system.services["redis"].kill()
    system.services["redis"].start()
    meanwhile()
    store.load(system.settings.redis, system.city.limits)


def kill_worker(system: "LiveSystem", meanwhile: Meanwhile) -> None:
    """Kill a worker of Spark while it runs a task: a Python worker, or on a cluster a whole machine."""
    hold, held = system.folder / HOLD_WORKER, system.folder / HELD_WORKER
    held.unlink(missing_ok=True)
    hold.touch()
    try:
        meanwhile()
        system.until(held.exists, "a Python worker inside a batch")
    finally:
        hold.unlink()  # now it ends


def kill_broker(system: "LiveSystem", meanwhile: Meanwhile) -> None:
    """Kill the broker while records are sent; the connector keeps them until it is back."""
    problems = list[BaseException]()

    def send() -> None:
        try:
            meanwhile()
        except BaseException as problem:
            problems.append(problem)

    system.services["kafka"].kill()
    sending = threading.Thread(target=send, daemon=True)
    sending.start()
    system.services["kafka"].start()
    system.until(lambda: not sending.is_alive(), "the acknowledgement of all records after the broker's death")
    if problems:
        raise problems[0]


def kill_job(system: "LiveSystem", meanwhile: Meanwhile) -> None:
    """Kill the job when a batch is computed and not written."""
    _inside_a_batch(system, meanwhile, lambda: kill_noted(notes_of(system.folder, "pids")[-1]))


def kill_leader(system: "LiveSystem", meanwhile: Meanwhile) -> None:
    """Kill the leader when a batch of its job is computed and not written; the job dies with it."""
    killed = list[str]()
    _inside_a_batch(system, meanwhile, lambda: killed.append(system.kill_leader()))
    system.lead(killed[0])  # the next one to wait


FAULTS = {
    "store-stopped": stop_store,
    "store-killed": kill_store,
    "python-worker": kill_worker,
    "broker": kill_broker,
    "job": kill_job,
    "leader": kill_leader,
}


def _inside_a_batch(system: "LiveSystem", meanwhile: Meanwhile, kill: Callable[[], object]) -> None:
    hold, computed = system.folder / HOLD_JOB, system.folder / COMPUTED
    computed.unlink(missing_ok=True)
    starts = len(system.events("start"))
    hold.touch()
    try:
        meanwhile()
        system.until(computed.exists, "a batch that is computed and not written")
        kill()
    finally:
        hold.unlink()
    system.until(lambda: len(system.events("start")) > starts, "another start of the job")


def kill_noted(noted: dict[str, Any]) -> None:
    """Kill the processes of a note, but none that has a reused pid."""
    for process in running_of(noted):
        with suppress(psutil.Error):
            process.kill()


def running_of(noted: dict[str, Any]) -> list[psutil.Process]:
    """Return the processes of a note that still run."""
    found = []
    for pid, began in zip(noted["pids"], noted["began"], strict=True):
        with suppress(psutil.Error):
            process = psutil.Process(pid)
            found += [process] if process.create_time() == began else []
    return found
