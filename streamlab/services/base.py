"""A service: one server of one kind in one folder, with its data, settings, log and pid file.

A subclass adds little: the command that starts the server, the files that it needs, and a check that it answers.
"""

import errno
import itertools
import re
import shutil
import signal
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar, Literal

from streamlab.java.cache import acquire
from streamlab.java.finder import java_environment
from streamlab.progress import OnProgress, silent
from streamlab.services.folder_record import FolderRecord
from streamlab.services.ports import HOST, free_ports, listens, why_not_free
from streamlab.services.process import DetachedProcess, Ended, ServiceError, name_of, tail

State = Literal["running", "silent", "died", "stopped"]

START_LIMIT_S, STOP_LIMIT_S, PREPARE_LIMIT_S = 60.0, 20.0, 60.0
PORT_TRIES = 3
LINE_CHARS = 300
FULL, FULL_MB = "No space left on device", 1
START_OVER = "`./lab services up {name} --fresh` moves them aside and starts over"
VOLUME = "`docker volume ls` names the volume that holds them, `docker volume rm` deletes it"
CAUSES = (
    (re.compile(FULL), "the disk of {folder} is full ({free_mb} MB free); make room there"),
    (re.compile("Address already in use|BindException"), "its port was taken by another program meanwhile"),
    (re.compile("OutOfMemoryError|Cannot allocate memory|insufficient memory"), "it did not get enough memory"),
)


class PortTaken(ServiceError):
    """A port that the service needs is not free."""


class Service(ABC):
    """One server; `start` and `stop` can be called repeatedly on the same folder, and its data stay.

    If `port` is None, the server gets its previous port, or any free one. Methods raise ServiceError if they fail.
    """

    name: ClassVar[str]
    ports_needed: ClassVar[int] = 1
    error_line: ClassVar[re.Pattern[str]] = re.compile(
        r"[\d:.]+ (ERROR|FATAL) |(Error|Exception)\b|java\.lang\.\w+Error"
    )
    log_line: ClassVar[re.Pattern[str]] = re.compile(r"\d\d:\d\d:\d\d")
    lock: ClassVar[str | None] = None  # the lock file that installs its program, if requirements.lock does not
    is_heavy: ClassVar[bool] = False  # starts only when asked for by name
    keeps_data: ClassVar[bool] = True
    stop_signal: ClassVar[signal.Signals] = signal.SIGTERM
    discard_signal: ClassVar[signal.Signals] = signal.SIGKILL  # when its data are no longer needed

    def __init__(self, folder: Path, port: int | None = None) -> None:
        self.folder, self.asked_port = folder, port
        self.data, self.log = folder / "data", folder / f"{self.name}.log"
        self._process = DetachedProcess(folder / "pid.json", self.log)
        self._record = FolderRecord(folder / "made.json")
        self._kept_ports: list[int] = []  # fixed once a client may know them

    @classmethod  # noqa: B027 (most need nothing)
    def fetch(cls, on_progress: OnProgress = silent) -> None:
        """Download all files that the server needs, so that `start` works without a network, as in a sandbox."""

    @abstractmethod
    def version(self) -> str:
        """Return the version of the server, for example `4.3.1`."""

    @abstractmethod
    def prepare(self, on_progress: OnProgress) -> list[str]:
        """Create the files that the server needs in `folder`, and return the command that starts it there."""

    @abstractmethod
    def answers(self) -> bool:
        """Return whether the server accepts clients now; waits for a short time-out, never raises OSError."""

    @property
    def ports(self) -> list[int]:
        """Its ports, the one for clients first; while it is stopped, its previous ports."""
        return self._kept_ports or self._record.ports

    @property
    def port(self) -> int:
        """The port for clients."""
        if not self.ports:
            raise ServiceError(f"{self.name} has no port yet, since it was never started")
        return self.ports[0]

    @property
    def address(self) -> str:
        """The address for clients.

        Example: running("kafka").address -> "127.0.0.1:43211"
        """
        return f"{HOST}:{self.port}"

    @property
    def pid(self) -> int | None:
        """Its process id, or None if it does not run."""
        return self._process.pid

    @property
    def memory_mb(self) -> int:
        """Its resident memory in MB."""
        return self._process.memory_mb()

    def state(self) -> State:
        """Return its state: a `silent` process does not answer, a `died` one ended without having been stopped."""
        if self.pid is not None:
            return "running" if self.answers() else "silent"
        return "died" if self._process.is_stale else "stopped"

    def how_it_died(self) -> str:
        """Return why the process of a stale pid file is gone, as the end of a sentence that begins with its name."""
        pid = self._process.recorded_pid
        if pid is None:
            return f"has a pid file that cannot be read ({self._process.pid_file}), so it is taken as ended"
        owner = name_of(pid)
        fate = "is gone" if owner == "gone" else f"belongs to another process now ({owner})"
        why = self._known_cause() or self._error_in_log("its log has no error, so it was killed")
        return f"ended without having been stopped (pid {pid} {fate}); {why}"

    def last_error(self) -> str | None:
        """Return the last line of the log that reports an error, with the exception below it, or None."""
        lines = tail(self.log).splitlines()
        at = next((at for at in reversed(range(len(lines))) if self.error_line.match(lines[at])), None)
        if at is None:
            return None
        below = [line for line in lines[at + 1 : at + 2] if not self.log_line.match(line)]
        return " / ".join(line.strip() for line in [lines[at], *below])[:LINE_CHARS]

    def start(self, on_progress: OnProgress = silent) -> None:
        """Start the server with its existing data and wait until it answers; do nothing if it already runs."""
        with self._exclusive(on_progress):
            if self.pid is not None:
                return self._must_be_the_asked_port()
            self._record.must_fit(self.name, self.version(), START_OVER.format(name=self.name))
            for at in range(PORT_TRIES):
                try:
                    return self._start_on(self._choose_ports(), on_progress)
                except PortTaken:
                    if self.asked_port or self._kept_ports or at == PORT_TRIES - 1:
                        raise

    def in_foreground(self, on_progress: OnProgress = silent) -> tuple[list[str], Mapping[str, str]]:
        """Prepare the server and return its command and environment, for a caller that runs it in the foreground."""
        with self._exclusive(on_progress):
            self._record.must_fit(self.name, self.version(), VOLUME)
            return self._ready(self._choose_ports(), on_progress), self.environment()

    def stop(self) -> bool:
        """Stop the server and keep its data; return whether it ended within `STOP_LIMIT_S` without being killed."""
        if not self.folder.exists():
            return True
        with self._exclusive():
            self._kept_ports = self.ports
            return self._process.stop(STOP_LIMIT_S, self.stop_signal)

    def discard(self) -> None:
        """Stop the server at once; its data may be damaged afterwards."""
        self._process.stop(STOP_LIMIT_S, self.discard_signal)

    def pause(self) -> None:
        """Suspend all threads of the server with SIGSTOP; until `resume`, it keeps connections but does not answer."""
        self._process.pause()

    def resume(self) -> None:
        """Continue a server that was paused."""
        self._process.send(signal.SIGCONT)

    def kill(self) -> None:
        """Kill the server with SIGKILL; `start` gives it the same port again."""
        self._kept_ports = self.ports
        self._process.kill()

    def move_aside(self) -> Path | None:
        """Move the folder of a stopped service, to start over; return the new path, or None if no folder exists."""
        if not self.folder.exists():
            return None
        if self.pid is not None:
            raise ServiceError(f"{self.name} runs (pid {self.pid}); stop it before its data are moved aside")
        stem = f"{self.folder.name}.before-{time.strftime('%Y%m%d-%H%M%S')}"
        names = (stem if at == 1 else f"{stem}-{at}" for at in itertools.count(1))
        backup = next(path for name in names if not (path := self.folder.with_name(name)).exists())
        with self._file_errors():
            self.folder.rename(backup)
        self._kept_ports = []
        return backup

    def environment(self) -> Mapping[str, str]:
        """Return the environment of the server's process: ours, without options for other Javas."""
        return java_environment() | {"LC_ALL": "C.UTF-8"}  # otherwise Java cannot open files whose names are not ASCII

    def run(self, command: Sequence[str], what: str) -> None:
        """Run a program that ends by itself, in `folder`, with its output in the log; `what` names it in errors."""
        with open(self.log, "ab") as log:
            try:
                subprocess.run(
                    command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder, check=True,
                    env=self.environment(), timeout=PREPARE_LIMIT_S,
                )  # fmt: skip
            except subprocess.TimeoutExpired:
                raise self._failed(f"{what} was not done within {PREPARE_LIMIT_S:g} s") from None
            except subprocess.CalledProcessError as failed:
                raise self._failed(f"{what} failed (exit code {failed.returncode})") from None

    def _ready(self, ports: list[int], on_progress: OnProgress) -> list[str]:
        self._record.write(self.version(), ports)
        command = self.prepare(on_progress)
        on_progress(f"starting {self.name} {self.version()}")
        return command

    def _start_on(self, ports: list[int], on_progress: OnProgress) -> None:
        with self._file_errors():
            self._process.begin_log()
            command = self._ready(ports, on_progress)
            self._process.start(command, cwd=self.folder, environment=self.environment())
        try:
            self._process.wait_until(self._serves, START_LIMIT_S)
        except (Ended, TimeoutError) as problem:
            self._process.stop(0)
            raise self._failed(str(problem)) from None
        except BaseException:
            self._process.stop(0)
            raise
        self._kept_ports = ports

    def _choose_ports(self) -> list[int]:
        """Return the required ports, then previous ports that are still free, then new ones."""
        wanted = self._kept_ports or ([self.asked_port] if self.asked_port else [])
        for port in wanted:
            if problem := why_not_free(port):
                raise PortTaken(f"{self.name} cannot listen: {problem}; end that program or choose another port")
        before = self._record.ports[len(wanted) : self.ports_needed]
        ports = [*wanted, *(port for port in before if port not in wanted and not why_not_free(port))]
        new = [port for port in free_ports(2 * self.ports_needed) if port not in ports]
        return [*ports, *new][: self.ports_needed]

    def _serves(self) -> bool:
        """Return whether it is this process that answers at the port, and not another server that took it."""
        pid = self.pid
        return self.answers() and pid is not None and listens(pid, self.port)

    def _must_be_the_asked_port(self) -> None:
        if self.asked_port not in (None, self.port):
            raise ServiceError(
                f"{self.name} runs already, on port {self.port}; stop it first to give it {self.asked_port}"
            )

    def _failed(self, what: str) -> ServiceError:
        """Return the error of a server that did not start: a known cause if the log shows one, or the log's end."""
        known = self._known_cause()
        kind = PortTaken if known and known.startswith("its port") else ServiceError
        why = known or self._error_in_log(f"its log ends: {self._process.last_lines()}")
        return kind(f"{self.name} did not start, {what}: {why}; the whole log is {self.log}")

    def _known_cause(self) -> str | None:
        """Return a sentence about a full disk (which takes no log) or the first known cause in the log, or None."""
        free_mb = shutil.disk_usage(self.folder).free / 1024**2
        text = FULL if free_mb < FULL_MB else tail(self.log)
        sentence = next((sentence for pattern, sentence in CAUSES if pattern.search(text)), None)
        return sentence.format(folder=self.folder, free_mb=round(free_mb)) if sentence else None

    def _error_in_log(self, fallback: str) -> str:
        error = self.last_error()
        return f"the last error in its log: {error}" if error else fallback

    @contextmanager
    def _exclusive(self, on_progress: OnProgress = silent) -> Iterator[None]:
        """Hold the service's lock, so that no other process starts or stops it meanwhile."""
        with self._file_errors():
            self.data.mkdir(parents=True, exist_ok=True)
            lock = open(self.folder / ".lock", "w")  # noqa: SIM115
        with lock:
            acquire(lock, f"starts or stops {self.name}", on_progress)
            yield

    @contextmanager
    def _file_errors(self) -> Iterator[None]:
        """Turn an OSError into a ServiceError with the next step."""
        try:
            yield
        except OSError as problem:
            if problem.errno == errno.ENOSPC:
                raise ServiceError(f"{self.name}: the disk of {self.folder} is full; make room there") from None
            why = problem.strerror or str(problem)
            advice = "give it a folder that you may write (STREAMLAB_SERVICES names another)"
            raise ServiceError(f"{self.name} cannot use {problem.filename or self.folder} ({why}); {advice}") from None
