"""A running sandbox: it takes and returns lines, within limits. Level `process` is this and nothing more.

Does not isolate the command; `bubblewrap.py` and `container.py` do.
"""

import json
import os
import queue
import signal
import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from autograder.course import Limits
from autograder.inside.channel import EVENTS_FD
from autograder.sandbox.event_reader import LineReader, Tail
from autograder.sandbox.handles import Handle, Tree
from autograder.sandbox.watchdog import Watch
from streamlab.granted_time import Deadline, GrantedClock

MIB = 1024 * 1024
# ulimit counts the size of a file in blocks of 512 bytes
_OTHER_LIMITS = f"ulimit -c 0; ulimit -n 4096; ulimit -f {512 * MIB // 512}"


class SandboxDied(Exception):
    """The sandbox ended before it was done; the text gives the cause."""


class Sandbox:
    """One command and all processes that it starts, fed and read line by line.

    `make_handle` takes the command's pid; the default handle is that pid's process tree. `setup` is shell code that
    runs before the command. `watch_host` lets the watchdog check the machine's available memory, too
    (autograder.sandbox.memory_limit).
    """

    def __init__(
        self,
        command: list[str],
        limits: Limits,
        *,
        environment: Mapping[str, str],
        pass_fds: tuple[int, ...] = (),
        cwd: str = "/",
        on_close: Callable[[], None] = lambda: None,
        make_handle: Callable[[int], Handle] = Tree,
        setup: str = "",
        watch_host: bool = False,
    ) -> None:
        self.limits, self._on_close = limits, on_close
        read_fd, write_fd = os.pipe()
        self._process = subprocess.Popen(
            [*_limiting(limits, setup), *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**environment, EVENTS_FD: str(write_fd)},
            cwd=cwd,
            pass_fds=(write_fd, *pass_fds),
            start_new_session=True,
        )
        os.close(write_fd)
        self._handle = make_handle(self._process.pid)
        self.killed_because: str | None = None
        self.output = Tail(self._process.stdout, limits.output_mb * MIB, self._on_limit)
        self._events = LineReader(read_fd, limits.output_mb * MIB, self._on_limit)
        self.clock = GrantedClock(lambda: [each.pid for each in self._handle.processes()])
        self._watch = Watch(self._handle, limits, self.deadline(limits.wall_s), self._on_limit, watch_host=watch_host)

    @property
    def peak_mb(self) -> int:
        """The peak memory of all processes together, as measured by the watchdog."""
        return self._watch.peak_mb

    @property
    def dropped_lines(self) -> int:
        """The number of lines on the result channel that were not events."""
        return self._events.dropped

    def send(self, command: dict[str, Any]) -> None:
        """Write one line to the runner; if the runner has ended, the next `receive` raises."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.write(json.dumps(command).encode() + b"\n")
            self._process.stdin.flush()

    def deadline(self, limit_s: float) -> Deadline:
        """Return a limit in the time that this machine grants the sandbox."""
        return Deadline(limit_s, self.clock)

    def receive(self, *until: Deadline) -> dict[str, Any]:
        """Return the next event; raises TimeoutError at the first of these deadlines, or `SandboxDied`."""
        while True:
            left_s = min(each.left_s() for each in until)
            try:
                event = self._events.queue.get(timeout=left_s)
            except queue.Empty:
                if left_s:
                    continue
                raise TimeoutError from None
            if event is None:
                raise SandboxDied(self._cause_of_death())
            return event

    def _cause_of_death(self) -> str:
        if self.killed_because:
            return self.killed_because
        try:
            code = self._process.wait(5)
        except subprocess.TimeoutExpired:
            return "it closed its result channel"
        if cause := self._handle.cause_of_death():
            return cause
        if code < 0 or code > 128:
            return f"the process was killed by {_signal_name(-code if code < 0 else code - 128)}"
        return f"the process ended by itself (exit code {code})"

    def _on_limit(self, cause: str) -> None:
        self.killed_because = self.killed_because or cause
        self.kill()

    def pause(self) -> None:
        """Stop all processes, so that the other side of a throughput check runs alone; raises `StillRunning`."""
        self._handle.pause()

    def moved(self) -> str | None:
        """Return None if the sandbox has stood still since `pause`, otherwise what it did."""
        return self._handle.moved()

    def resume(self) -> None:
        """Let the sandbox go on."""
        self._handle.resume()

    def kill(self) -> None:
        """End all processes at once."""
        self._handle.kill()

    def close(self) -> None:
        """End all processes, wait for them, and free the sandbox's resources."""
        self.kill()
        self._process.wait()
        self._watch.stop()
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        self._events.close()
        self.output.close()
        self._handle.release()
        self._on_close()

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _limiting(limits: Limits, setup: str) -> list[str]:
    """Return a shell command that sets limits no process of the tree can raise, then becomes the command after it.

    bubblewrap adds the limit on processes. Python's `preexec_fn` could hang forever, if another thread holds a lock
    between fork and exec.
    """
    steps = [f"ulimit -t {int(limits.wall_s * 2)}", _OTHER_LIMITS, setup or ":", 'exec "$@"']
    return ["/bin/sh", "-c", "; ".join(steps), "sh"]
