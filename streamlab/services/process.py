"""One detached process: start it, find it again by its pid file, wait for it, end it.

A pid alone is not proof, since systems reuse pids. So the file also holds the time at which the process began; a
process that began at another time is not ours and is never touched.
"""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import psutil

from streamlab.granted_time import own_deadline

LOOK_EVERY_S = 0.02
KILLED_WITHIN_S = 10.0
STOPPED_WITHIN_S = 10.0
TAIL_BYTES = 64 * 1024


class ServiceError(RuntimeError):
    """A service failed; the message is one line with the reason and the next step."""


class Ended(ServiceError):
    """The process ended unexpectedly."""


class DetachedProcess:
    """The process that `pid_file` identifies; its output goes to `log`."""

    def __init__(self, pid_file: Path, log: Path) -> None:
        self.pid_file, self.log = pid_file, log
        self._child: subprocess.Popen[bytes] | None = None

    @property
    def recorded_pid(self) -> int | None:
        """The pid in the file, even if its process has ended; None if the file cannot be read."""
        return self._record()[0]

    @property
    def pid(self) -> int | None:
        """The pid of the running process, or None."""
        pid, began = self._record()
        return pid if pid is not None and began is not None and start_of(pid) == began else None

    @property
    def is_stale(self) -> bool:
        """Whether the pid file exists and its process is gone."""
        return self.pid_file.exists() and self.pid is None

    def begin_log(self) -> None:
        """Begin a new log; the previous one is kept as `.log.before`, older ones are deleted."""
        if self.log.exists():
            self.log.replace(self.log.with_suffix(".log.before"))

    def start(self, command: Sequence[str], *, cwd: Path, environment: Mapping[str, str]) -> None:
        """Start `command` in a new session, so that the end of this Python or its terminal does not end it."""
        with open(self.log, "ab") as log:
            self._child = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=cwd, env=environment,
                start_new_session=True,
            )  # fmt: skip
        try:
            write_whole(self.pid_file, {"pid": self._child.pid, "began": start_of(self._child.pid)})
        except BaseException:
            self._child.kill()
            self._child.wait()
            raise

    def wait_until(self, ready: Callable[[], bool], limit_s: float) -> None:
        """Return when `ready()` is true; raises `Ended` if the process ends first, TimeoutError after `limit_s`."""
        deadline = own_deadline(limit_s)
        while not ready():
            if self.pid is None:
                raise Ended(f"it ended{self._how()} before it was ready")
            if deadline.is_over:
                raise TimeoutError(f"it was not ready within {limit_s:g} s")
            time.sleep(LOOK_EVERY_S)

    def stop(self, patience_s: float, number: int = signal.SIGTERM) -> bool:
        """Ask the process to end with a signal, and kill it after `patience_s`; return whether it ended unkilled."""
        self.send(signal.SIGCONT)  # a paused process cannot end
        ended = not self._signal(number) or self._is_gone_within(patience_s)
        self.kill()
        self.pid_file.unlink(missing_ok=True)
        return ended

    def kill(self) -> None:
        """Kill the process and its descendants with SIGKILL; its pid file stays, as after a crash."""
        descendants = self._children()
        if self._signal(signal.SIGKILL) and not self._is_gone_within(KILLED_WITHIN_S):
            raise ServiceError(f"pid {self.pid} could not be killed within {KILLED_WITHIN_S:g} s; look at it with ps")
        for each in descendants:  # some lead their own process groups, for example PostgreSQL's
            with suppress(psutil.Error):
                each.kill()
        psutil.wait_procs(descendants, KILLED_WITHIN_S)

    def send(self, number: int) -> None:
        """Send a signal such as SIGSTOP to the process and its descendants; do nothing if it is gone."""
        for each in self._children():
            with suppress(psutil.Error):
                each.send_signal(number)
        self._signal(number)

    def pause(self) -> None:
        """Suspend the process and its descendants with SIGSTOP; return when none of their threads runs any more.

        The system delivers the signal to one thread, and the others stop a moment later. Do nothing if it is gone.
        """
        deadline = own_deadline(STOPPED_WITHIN_S)
        self.send(signal.SIGSTOP)
        while running := [pid for pid in self._pids() if not is_stopped(pid)]:
            self.send(signal.SIGSTOP)  # also to processes that were started meanwhile
            if deadline.is_over:
                late = f"pid {running[0]} was not stopped within {STOPPED_WITHIN_S:g} s"
                raise ServiceError(f"{late}; look at it with ps")
            time.sleep(LOOK_EVERY_S)

    def memory_mb(self) -> int:
        """Return the resident memory in MB, or 0 if it does not run."""
        with suppress(psutil.Error):
            return int(psutil.Process(self.pid).memory_info().rss) // 1024**2 if self.pid else 0
        return 0

    def last_lines(self, count: int = 3) -> str:
        """Return the last lines of the log on one line, for a message."""
        lines = [line.strip() for line in tail(self.log).splitlines() if line.strip()]
        return " / ".join(lines[-count:]) or "nothing"

    def _signal(self, number: int) -> bool:
        pid = self.pid
        if pid is None:
            return False
        with suppress(ProcessLookupError):
            os.killpg(pid, number)  # it leads its own process group
        return True

    def _children(self) -> list[psutil.Process]:
        pid = self.pid
        with suppress(psutil.Error):
            return [] if pid is None else psutil.Process(pid).children(recursive=True)
        return []

    def _pids(self) -> list[int]:
        pid = self.pid
        return [] if pid is None else [pid, *(each.pid for each in self._children())]

    def _is_gone_within(self, limit_s: float) -> bool:
        deadline = own_deadline(limit_s)
        while self.pid is not None:
            if self._child:
                self._child.poll()  # otherwise it stays as a zombie
            if deadline.is_over:
                return False
            time.sleep(LOOK_EVERY_S)
        if self._child:
            self._child.poll()  # PostgreSQL takes a zombie of its predecessor for a running server
        return True

    def _how(self) -> str:
        code = self._child.poll() if self._child else None
        return "" if code is None else f" (by signal {-code})" if code < 0 else f" (exit code {code})"

    def _record(self) -> tuple[int | None, float | None]:
        try:
            record = json.loads(self.pid_file.read_text(encoding="utf-8"))
            return int(record["pid"]), float(record["began"])
        except (OSError, ValueError, KeyError, TypeError):
            return None, None


def tail(file: Path) -> str:
    """Return the last `TAIL_BYTES` of a text file; empty if the file does not exist."""
    with suppress(OSError), open(file, "rb") as stream:
        stream.seek(max(0, file.stat().st_size - TAIL_BYTES))
        return stream.read().decode("utf-8", "replace")
    return ""


def write_whole(file: Path, values: Mapping[str, object]) -> None:
    """Write JSON in one step, so that a reader never sees half of it."""
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    draft.write_text(json.dumps(values) + "\n", encoding="utf-8")
    os.replace(draft, file)


def name_of(pid: int) -> str:
    """Return the name of the process, for a message; "gone" if it has ended or is a zombie."""
    with suppress(psutil.Error):
        return str(psutil.Process(pid).name()) if start_of(pid) is not None else "gone"
    return "gone"


def is_stopped(pid: int) -> bool:
    """Return whether no thread of the process runs or waits: SIGSTOP has reached them all, or the process is gone."""
    if not os.path.exists("/proc/self/stat"):
        with suppress(psutil.Error):
            return psutil.Process(pid).status() in (psutil.STATUS_STOPPED, psutil.STATUS_ZOMBIE)
        return True
    return all(state in b"TtZX" for state in _states_of_threads(pid))


def _states_of_threads(pid: int) -> list[bytes]:
    states = []
    with suppress(FileNotFoundError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            with suppress(FileNotFoundError, ProcessLookupError):
                states.append((thread / "stat").read_bytes().rpartition(b") ")[2][:1])
    return states


def start_of(pid: int) -> float | None:
    """Return the time at which the process began; None if it has ended or is a zombie that no parent has reaped yet.

    On Linux, the unit is ticks since the machine started, so setting the clock does not change it. A zombie still
    holds its ports until the last of its threads has ended, too; until then it counts as running.
    """
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            fields = stat.read().rpartition(b") ")[2].split()
        state, threads, began = fields[0], int(fields[17]), float(fields[19])
        return None if state in (b"Z", b"X") and threads <= 1 else began
    except FileNotFoundError:
        return None if os.path.exists("/proc/self/stat") else _began_elsewhere(pid)
    except OSError:  # the process ended while its file was read
        return None


def _began_elsewhere(pid: int) -> float | None:
    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else float(process.create_time())
    except psutil.Error:
        return None
