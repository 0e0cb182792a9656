"""A service: one server of one kind in one folder, with its data, settings, log and pid file.

What each kind adds is small: the command that starts it, what has to be made before, and how it shows that it
answers. Keeps out: processes (process.py), where the folders are (catalogue.py).
"""

import errno
import fcntl
import itertools
import os
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

from streamlab.progress import OnProgress, silent
from streamlab.services.folder_record import FolderRecord
from streamlab.services.ports import HOST, free_ports, listens, why_not_free
from streamlab.services.process import DetachedProcess, Ended, ServiceError, name_of, tail

State = Literal["running", "silent", "died", "stopped"]

START_LIMIT_S, STOP_LIMIT_S, PREPARE_LIMIT_S = 60.0, 20.0, 60.0
PORT_TRIES = 3
LINE_CHARS = 300
NOT_FOR_SERVERS = ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH")
FULL, FULL_MB = "No space left on device", 1
START_OVER = "`./lab services up {name} --fresh` moves them aside and starts over"
VOLUME = "`docker volume ls` names the volume that holds them, `docker volume rm` deletes it"
CAUSES = (
    (re.compile(FULL), "the disk of {folder} is full ({free_mb} MB free); make room there"),
    (re.compile("Address already in use|BindException"), "its port was taken by another program meanwhile"),
    (re.compile("OutOfMemoryError|Cannot allocate memory|insufficient memory"), "there was not enough memory for it"),
)


class PortTaken(ServiceError):
    """A port that the service was to have is not free."""


class Service(ABC):
    """One server; `start` and `stop` may be called again and again on the same folder, whose data stay.

    `port` None means the port of last time, else one that is free. Raises ServiceError where something is wrong.
    """

    name: ClassVar[str]
    ports_needed: ClassVar[int] = 1
    error_line: ClassVar[re.Pattern[str]] = re.compile(
        r"[\d:.]+ (ERROR|FATAL) |(Error|Exception)\b|java\.lang\.\w+Error"
    )
    log_line: ClassVar[re.Pattern[str]] = re.compile(r"\d\d:\d\d:\d\d")
    lock: ClassVar[str | None] = None  # the lock that brings its program, where requirements.lock does not
    is_heavy: ClassVar[bool] = False  # started only by its name
    keeps_data: ClassVar[bool] = True
    stop_signal: ClassVar[signal.Signals] = signal.SIGTERM
    discard_signal: ClassVar[signal.Signals] = signal.SIGKILL  # for who needs its data no more

    def __init__(self, folder: Path, port: int | None = None) -> None:
        self.folder, self.asked_port = folder, port
        self.data, self.log = folder / "data", folder / f"{self.name}.log"
        self._process = DetachedProcess(folder / "pid.json", self.log)
        self._record = FolderRecord(folder / "made.json")
        self._kept_ports: list[int] = []  # once somebody knows them, they stay

    @classmethod  # noqa: B027 (most need nothing)
    def fetch(cls, on_progress: OnProgress = silent) -> None:
        """Get what comes over a network at first use, so that `start` needs none: a sandbox has none."""

    @abstractmethod
    def version(self) -> str:
        """The version of the server, as `4.3.1`."""

    @abstractmethod
    def prepare(self, on_progress: OnProgress) -> list[str]:
        """Make what the server needs in `folder`, and return the command that starts it there."""

    @abstractmethod
    def answers(self) -> bool:
        """Whether a client would be served now; asked with a short time-out, never raises OSError."""

    @property
    def ports(self) -> list[int]:
        """Its ports, clients' first; those of last time where it does not run."""
        return self._kept_ports or self._record.ports

    @property
    def port(self) -> int:
        """The port for clients."""
        if not self.ports:
            raise ServiceError(f"{self.name} has no port yet, since it was never started")
        return self.ports[0]

    @property
    def address(self) -> str:
        """What clients are given.

        Example: running("kafka").address -> "127.0.0.1:43211"
        """
        return f"{HOST}:{self.port}"

    @property
    def pid(self) -> int | None:
        """The number of its process, None when it does not run."""
        return self._process.pid

    @property
    def memory_mb(self) -> int:
        """What it holds in memory."""
        return self._process.memory_mb()

    def state(self) -> State:
        """`silent` is a process that does not answer, `died` one that ended without having been asked to."""
        if self.pid is not None:
            return "running" if self.answers() else "silent"
        return "died" if self._process.is_stale else "stopped"

    def how_it_died(self) -> str:
        """About a pid file whose process is gone, to be said after the service's name."""
        pid = self._process.recorded_pid
        if pid is None:
            return f"has a pid file that cannot be read ({self._process.pid_file}), so it is taken as ended"
        now = name_of(pid)
        then = "is gone" if now == "gone" else f"belongs to another process now ({now})"
        why = self._known_cause() or self._said_in_its_log("its log has no error, so it was killed")
        return f"ended without having been stopped (pid {pid} {then}); {why}"

    def last_error(self) -> str | None:
        """The last line of the log that tells of an error, with the exception below it."""
        lines = tail(self.log).splitlines()
        at = next((at for at in reversed(range(len(lines))) if self.error_line.match(lines[at])), None)
        if at is None:
            return None
        below = [line for line in lines[at + 1 : at + 2] if not self.log_line.match(line)]
        return " / ".join(line.strip() for line in [lines[at], *below])[:LINE_CHARS]

    def start(self, on_progress: OnProgress = silent) -> None:
        """Start the server with the data that are there and wait until it answers; nothing if it runs already."""
        with self._alone():
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
        """Make all ready and return the command and the environment of the server, for who runs it himself."""
        with self._alone():
            self._record.must_fit(self.name, self.version(), VOLUME)
            return self._ready(self._choose_ports(), on_progress), self.environment()

    def stop(self) -> bool:
        """End the server, its data stay; returns whether it did so within `STOP_LIMIT_S`, unkilled."""
        if not self.folder.exists():
            return True
        with self._alone():
            self._kept_ports = self.ports
            return self._process.stop(STOP_LIMIT_S, self.stop_signal)

    def discard(self) -> None:
        """End the server at once; its data may be broken afterwards."""
        self._process.stop(STOP_LIMIT_S, self.discard_signal)

    def pause(self) -> None:
        """Stop the server as SIGSTOP does: it keeps its connections and answers nobody until `resume`.

        From the return on, that is: no thread of it runs any more.
        """
        self._process.pause()

    def resume(self) -> None:
        """Continue a server that was paused."""
        self._process.send(signal.SIGCONT)

    def kill(self) -> None:
        """End the server as kill -9 does, without any warning to it; `start` gives it the same port again."""
        self._kept_ports = self.ports
        self._process.kill()

    def move_aside(self) -> Path | None:
        """Begin anew: move the folder of a service that does not run; returns where to, None without a folder."""
        if not self.folder.exists():
            return None
        if self.pid is not None:
            raise ServiceError(f"{self.name} runs (pid {self.pid}); stop it before its data are moved aside")
        stem = f"{self.folder.name}.before-{time.strftime('%Y%m%d-%H%M%S')}"
        names = (stem if at == 1 else f"{stem}-{at}" for at in itertools.count(1))
        kept = next(path for name in names if not (path := self.folder.with_name(name)).exists())
        with self._files():
            self.folder.rename(kept)
        self._kept_ports = []
        return kept

    def environment(self) -> Mapping[str, str]:
        """What the server's process is given: ours, without options for other Javas."""
        kept = {name: value for name, value in os.environ.items() if name not in NOT_FOR_SERVERS}
        return kept | {"LC_ALL": "C.UTF-8"}  # else Java cannot open files whose names are not ASCII

    def run(self, command: Sequence[str], what: str) -> None:
        """Run a program that ends by itself, in `folder`; what it prints goes to the log."""
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
        with self._files():
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
        """The ports that must be had, else those of last time that are still free, the others new."""
        wanted = self._kept_ports or ([self.asked_port] if self.asked_port else [])
        for port in wanted:
            if problem := why_not_free(port):
                raise PortTaken(f"{self.name} cannot listen: {problem}; end that program or choose another port")
        before = self._record.ports[len(wanted) : self.ports_needed]
        ports = [*wanted, *(port for port in before if port not in wanted and not why_not_free(port))]
        new = [port for port in free_ports(2 * self.ports_needed) if port not in ports]
        return [*ports, *new][: self.ports_needed]

    def _serves(self) -> bool:
        """Whether what answers at its port is this process, and not another server that took the port."""
        pid = self.pid
        return self.answers() and pid is not None and listens(pid, self.port)

    def _must_be_the_asked_port(self) -> None:
        if self.asked_port not in (None, self.port):
            raise ServiceError(
                f"{self.name} runs already, on port {self.port}; stop it first to give it {self.asked_port}"
            )

    def _failed(self, what: str) -> ServiceError:
        """The error for a server that did not start: the cause where the log shows a known one, else its end."""
        known = self._known_cause()
        kind = PortTaken if known and known.startswith("its port") else ServiceError
        why = known or self._said_in_its_log(f"its log ends: {self._process.last_lines()}")
        return kind(f"{self.name} did not start, {what}: {why}; the whole log is {self.log}")

    def _known_cause(self) -> str | None:
        """A sentence about the first known cause that the log tells of; a full disk takes no log any more."""
        free_mb = shutil.disk_usage(self.folder).free / 1024**2
        text = FULL if free_mb < FULL_MB else tail(self.log)
        said = next((said for pattern, said in CAUSES if pattern.search(text)), None)
        return said.format(folder=self.folder, free_mb=round(free_mb)) if said else None

    def _said_in_its_log(self, otherwise: str) -> str:
        error = self.last_error()
        return f"the last error in its log: {error}" if error else otherwise

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Nobody else starts or stops this service meanwhile; whoever comes second waits."""
        with self._files():
            self.data.mkdir(parents=True, exist_ok=True)
            lock = open(self.folder / ".lock", "w")  # noqa: SIM115
        with lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    @contextmanager
    def _files(self) -> Iterator[None]:
        """What the system says about files, in our words."""
        try:
            yield
        except OSError as problem:
            if problem.errno == errno.ENOSPC:
                raise ServiceError(f"{self.name}: the disk of {self.folder} is full; make room there") from None
            said = problem.strerror or str(problem)
            advice = "give it a folder that you may write (STREAMLAB_SERVICES names another)"
            raise ServiceError(f"{self.name} cannot use {problem.filename or self.folder} ({said}); {advice}") from None
