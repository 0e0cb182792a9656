"""One program that runs on by itself: started detached, found again by its pid file, waited for, ended.

A pid alone proves nothing, since systems hand numbers out again. So the file also holds when the process began;
one that began at another time is not ours and is never touched. Keeps out: what the program is
(streamlab.services.base), the ports it listens on (streamlab.services.ports).
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

LOOK_EVERY_S = 0.02
KILLED_WITHIN_S = 10.0
STOPPED_WITHIN_S = 10.0
TAIL_BYTES = 64 * 1024


class ServiceError(RuntimeError):
    """A service cannot do what was asked; one line that says what was found and what to do next."""


class Ended(ServiceError):
    """The process ended while something was expected of it."""


class DetachedProcess:
    """The process that `pid_file` names, as long as it is the one that was started; it prints to `log`."""

    def __init__(self, pid_file: Path, log: Path) -> None:
        self.pid_file, self.log = pid_file, log
        self._child: subprocess.Popen[bytes] | None = None

    @property
    def recorded_pid(self) -> int | None:
        """The number in the pid file, whatever became of it; None without a file that can be read."""
        return self._record()[0]

    @property
    def pid(self) -> int | None:
        """The number of the running process, or None."""
        pid, began = self._record()
        return pid if pid is not None and began is not None and start_of(pid) == began else None

    @property
    def is_stale(self) -> bool:
        """Whether there is a pid file whose process is gone."""
        return self.pid_file.exists() and self.pid is None

    def begin_log(self) -> None:
        """Begin the log anew; the one before is kept beside it, older ones go."""
        if self.log.exists():
            self.log.replace(self.log.with_suffix(".log.before"))

    def start(self, command: Sequence[str], *, cwd: Path, environment: Mapping[str, str]) -> None:
        """Start `command` in a session of its own, so that neither this Python nor its terminal ends it."""
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
        """Return when `ready()`; raises `Ended` if the process ends before, TimeoutError after `limit_s`."""
        deadline_s = time.monotonic() + limit_s
        while not ready():
            if self.pid is None:
                raise Ended(f"it ended{self._how()} before it was ready")
            if time.monotonic() > deadline_s:
                raise TimeoutError(f"it was not ready within {limit_s:g} s")
            time.sleep(LOOK_EVERY_S)

    def stop(self, patience_s: float, number: int = signal.SIGTERM) -> bool:
        """Ask the process to end by a signal, kill it after `patience_s`; returns whether nothing had to be killed."""
        self.send(signal.SIGCONT)  # one that is paused cannot end
        politely = not self._signal(number) or self._is_gone_within(patience_s)
        self.kill()
        self.pid_file.unlink(missing_ok=True)
        return politely

    def kill(self) -> None:
        """End the process and what it started at once, as kill -9 does; its pid file stays, as after a crash."""
        started = self._children()
        if self._signal(signal.SIGKILL) and not self._is_gone_within(KILLED_WITHIN_S):
            raise ServiceError(f"pid {self.pid} could not be killed within {KILLED_WITHIN_S:g} s; look at it with ps")
        for each in started:  # some lead groups of their own, as PostgreSQL's do
            with suppress(psutil.Error):
                each.kill()
        psutil.wait_procs(started, KILLED_WITHIN_S)

    def send(self, number: int) -> None:
        """Send a signal to the process and to each that it started, as SIGSTOP and SIGCONT; nothing if it is gone."""
        for each in self._children():
            with suppress(psutil.Error):
                each.send_signal(number)
        self._signal(number)

    def pause(self) -> None:
        """Stop the process and each that it started as SIGSTOP does; on return none of their threads runs any more.

        The system delivers the signal to one thread, and the others stop a moment later. Nothing if it is gone.
        """
        deadline_s = time.monotonic() + STOPPED_WITHIN_S
        self.send(signal.SIGSTOP)
        while running := [pid for pid in self._pids() if not is_stopped(pid)]:
            self.send(signal.SIGSTOP)  # to those, too, that were started meanwhile
            if time.monotonic() > deadline_s:
                late = f"pid {running[0]} was not stopped within {STOPPED_WITHIN_S:g} s"
                raise ServiceError(f"{late}; look at it with ps")
            time.sleep(LOOK_EVERY_S)

    def memory_mb(self) -> int:
        """What it holds in memory, 0 if it does not run."""
        with suppress(psutil.Error):
            return int(psutil.Process(self.pid).memory_info().rss) // 1024**2 if self.pid else 0
        return 0

    def last_lines(self, count: int = 3) -> str:
        """The end of the log on one line, for a message."""
        lines = [line.strip() for line in tail(self.log).splitlines() if line.strip()]
        return " / ".join(lines[-count:]) or "nothing"

    def _signal(self, number: int) -> bool:
        pid = self.pid
        if pid is None:
            return False
        with suppress(ProcessLookupError):
            os.killpg(pid, number)  # it leads a group of its own
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
        deadline_s = time.monotonic() + limit_s
        while self.pid is not None:
            if self._child:
                self._child.poll()  # else it stays as a zombie
            if time.monotonic() > deadline_s:
                return False
            time.sleep(LOOK_EVERY_S)
        if self._child:
            self._child.poll()  # PostgreSQL takes the remains of its predecessor for a living one
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
    """The last `TAIL_BYTES` of a text file; empty if there is none."""
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
    """What the system calls the process, for a message; "gone" if there is none or only its remains."""
    with suppress(psutil.Error):
        return str(psutil.Process(pid).name()) if start_of(pid) is not None else "gone"
    return "gone"


def is_stopped(pid: int) -> bool:
    """Whether no thread of the process runs or waits: SIGSTOP has reached each of them, or the process is gone."""
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
    """When the process began; None if there is none or only its remains, which nobody has fetched yet.

    On Linux in ticks since the machine started, which setting the clock does not change. What remains of a process
    still holds its ports until the last of its threads has ended, too.
    """
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            fields = stat.read().rpartition(b") ")[2].split()
        state, threads, began = fields[0], int(fields[17]), float(fields[19])
        return None if state in (b"Z", b"X") and threads <= 1 else began
    except FileNotFoundError:
        return None if os.path.exists("/proc/self/stat") else _began_elsewhere(pid)
    except OSError:  # it went while it was read
        return None


def _began_elsewhere(pid: int) -> float | None:
    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else float(process.create_time())
    except psutil.Error:
        return None
