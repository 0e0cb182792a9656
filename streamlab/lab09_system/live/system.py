"""One class for the complete system: it starts everything, injects faults, observes progress, and ends everything."""

import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

from streamlab.granted_time import own_deadline
from streamlab.kit_program import kit_environment, kit_program
from streamlab.lab09_system import store
from streamlab.lab09_system.alert_log import AlertLog, make_log, marks_of
from streamlab.lab09_system.city import PARTITIONS, START_MS, City
from streamlab.lab09_system.live.committed import Committed
from streamlab.lab09_system.live.connector import Connector, delete_topics
from streamlab.lab09_system.live.progress import offsets_done, watermark_done_ms
from streamlab.lab09_system.live.settings import LOST_SESSION, Settings, notes_of, tasks_file
from streamlab.lab09_system.shipped import ship
from streamlab.lab09_system.words import Alert, Record

SERVICES, LOGS = ("kafka", "redis", "zookeeper"), ("alerts", "repairs")
LEADERS = ("one", "two")
PATIENCE_S = 120.0
LOOK_S = 0.05
REPAIRED_AT_ONCE = 50
FAILURES = 3  # errors of the job or a leader after which no wait goes on; no fault causes one
Wait = Callable[[Callable[[], object], float], bool]


class NotReached(RuntimeError):
    """A wait ended without its effect; the text says what was waited for."""


def wait_in_granted_time(reached: Callable[[], object], patience_s: float) -> bool:
    """Wait until `reached()`, at most `patience_s`; return whether it was reached."""
    deadline = own_deadline(patience_s)
    while not reached():
        if deadline.is_over:
            return False
        time.sleep(LOOK_S)
    return True


def services_of_the_cluster() -> dict[str, Any]:
    """Return the broker and ZooKeeper that the environment names, as in docker. Raises ServiceError if one is silent.

    The store is not taken from there: its faults stop and kill it, and nothing here reaches another container.
    """
    from streamlab.services import service
    from streamlab.services.external_service import external_service

    return {name: service(name) for name in ("kafka", "zookeeper") if external_service(name)}


class LiveSystem:
    """The system of a city, run by a learner's tasks; the end of the `with` block leaves nothing running.

    tasks: alerts, start_job, AlertWriter, GuardedStore, repair and Supervisor of Lab 9, and LruCache of Lab 6, by name
    services: running servers by name; those that are missing are started, and stopped at the end. In a broker that is
      given, the topics of an earlier system are deleted
    wait: waits for progress; see `wait_in_granted_time`

    Example:
        with LiveSystem(tasks, City("monday")) as system:
            system.send(system.city.records(Part(0, 10, 100)))
    """

    def __init__(
        self, tasks: Mapping[str, Any], city: City, services: Mapping[str, Any] | None = None,
        wait: Wait = wait_in_granted_time, **settings: Any,
    ) -> None:  # fmt: skip
        self.city, self._tasks, self._wait = city, dict(tasks), wait
        self._given, self._more = dict(services or {}), settings
        self._open, self._leaders = ExitStack(), dict[str, "subprocess.Popen[bytes]"]()
        self.services = dict[str, Any]()

    def __enter__(self) -> Self:
        try:
            self._start()
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def _start(self) -> None:
        self.folder = Path(self._open.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        self._start_services()
        addresses = {name: self.services[name].address for name in SERVICES}
        self.settings = Settings(**addresses, **self._more)
        self.settings.write(self.folder)
        ship(self._tasks, tasks_file(self.folder))
        store.load(addresses["redis"], self.city.limits)
        if "kafka" in self._given:
            delete_topics(addresses["kafka"], [*PARTITIONS, *LOGS, *map(marks_of, LOGS)])
        self.connector = Connector(addresses["kafka"])
        for log in LOGS:
            make_log(addresses["kafka"], log)
        self.committed = Committed(addresses["kafka"])
        self._open.callback(self.committed.close)
        self._open.callback(self.connector.close)
        self._repairer: Any = None
        self.connector.send(self.city.fences())
        for name in LEADERS:
            self.lead(name)

    def _start_services(self) -> None:
        from streamlab.services import running

        missing = {name: running(name) for name in SERVICES if name not in self._given}
        with ThreadPoolExecutor() as pool:
            started = {name: pool.submit(block.__enter__) for name, block in missing.items()}
        for name, block in missing.items():
            if started[name].exception() is None:
                self._open.push(block)
        self.services = self._given | {name: each.result() for name, each in started.items()}

    def lead(self, name: str) -> None:
        """Start a leader, which waits until no other one leads."""
        command = kit_program("streamlab.lab09_system.leader", str(self.folder), name)
        with open(self.folder / "leader.err", "ab") as errors:
            pipe = subprocess.PIPE
            self._leaders[name] = subprocess.Popen(command, stdin=pipe, stderr=errors, env=kit_environment())

    def end(self) -> None:
        """Kill leaders and job, stop the services that were started here, and delete the folder."""
        for leader in self._leaders.values():
            leader.kill()
            leader.wait()
        self._leaders.clear()
        if hasattr(self, "folder"):
            self._end_jobs()
        self._open.close()

    def _end_jobs(self) -> None:
        """Wait for jobs to end with their leader, and kill those that do not."""
        import psutil

        from streamlab.lab09_system.live.faults import kill_noted, running_of

        noted = notes_of(self.folder, "pids")
        psutil.wait_procs([process for each in noted for process in running_of(each)], timeout=2.0)
        for each in noted:
            kill_noted(each)

    def send(self, seconds: Iterable[Sequence[Record]]) -> None:
        """Send the records of some seconds; each second is acknowledged before the next one is sent."""
        for records in seconds:
            self.connector.send(records)

    def lag(self) -> dict[tuple[str, int], int]:
        """Return the acknowledged records of each (topic, partition) that no complete batch has read."""
        done = offsets_done(self.folder / "checkpoint")
        return {place: count - done.get(place, 0) for place, count in self.connector.sent.items()}

    def drain(self, fault: str = "the start", patience_s: float = PATIENCE_S) -> None:
        """Wait until the lag is zero. Raises NotReached."""
        self.until(lambda: not any(self.lag().values()), f"a lag of zero after {fault}", patience_s)

    def close(self, at_s: int, patience_s: float = PATIENCE_S) -> None:
        """Send the closing record, and wait until all rows and windows before it are processed. Raises NotReached."""
        self.send([self.city.closing(at_s)])
        checkpoint, end_ms = self.folder / "checkpoint", START_MS + 1000 * at_s
        what = "a complete batch whose watermark is beyond all records"
        self.until(lambda: watermark_done_ms(checkpoint) > end_ms, what, patience_s)

    def until(self, reached: Callable[[], object], what: str, patience_s: float = PATIENCE_S) -> None:
        """Wait until `reached()`. Raises NotReached, at once if the job was given up or fails again and again."""
        self._wait(lambda: reached() or self._is_given_up(), patience_s)
        if not reached():
            failed = self.events("failed")
            why = f"; the last error was {failed[-1]['problem']}" if failed else ""
            raise NotReached(f"{what} was not reached{why}")

    def events(self, what: str) -> list[dict[str, Any]]:
        """Return what leaders and jobs noted: "leads", "start", "ready", "ended", "failed", "give_up" and so on."""
        return notes_of(self.folder, "events", what=what)

    def _is_given_up(self) -> bool:
        for name, leader in list(self._leaders.items()):
            if leader.poll() == LOST_SESSION:  # it was silent for too long, as on a busy machine
                self.lead(name)
        ended = all(leader.poll() is not None for leader in self._leaders.values())
        return ended or len(self.events("failed")) >= FAILURES

    def inject(self, fault: str, meanwhile: Callable[[], object] = lambda: None) -> None:
        """Inject a fault of `FAULTS`; call `meanwhile()`, which sends records, while it lasts; end it.

        Raises NotReached, and ValueError for an unknown fault.
        Example: system.inject("broker", lambda: system.send(seconds))
        """
        from streamlab.lab09_system.live.faults import inject

        inject(self, fault, meanwhile)

    @property
    def is_led(self) -> bool:
        """Whether the last leader still runs."""
        leads = self.events("leads")
        leader = self._leaders.get(leads[-1]["leader"]) if leads else None
        return leader is not None and leader.poll() is None

    def kill_leader(self) -> str:
        """Kill the leader, and return its name; `lead` starts it again."""
        name: str = self.events("leads")[-1]["leader"]
        self._leaders[name].kill()
        self._leaders.pop(name).wait()
        return name

    def repair(self) -> int:
        """Let the learner's `repair` decide once; return how many windows are undecided then. Raises NotReached."""
        rows = [Alert(*row[:5]) for row in self.committed.rows()]
        found = self._tasks["repair"](rows, self._repair_store(), REPAIRED_AT_ONCE)
        if found:
            log = AlertLog(self.settings.kafka, "repairs")
            self._repairer = self._repairer or self._tasks["AlertWriter"](log, 1, self.settings.tries)
            self._repairer.write(self._repairer.last + 1, [[*row, None] for row in found])
        return len(self.committed.undecided())

    def _repair_store(self) -> Any:
        rows = store.ValkeyRows(self.settings.redis)
        return self._tasks["GuardedStore"](rows, store.TRIPS, store.REST_S, time.monotonic)
