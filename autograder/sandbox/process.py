"""A running sandbox: lines in, lines out, limits watched. Level `process` is this and nothing more.

Keeps out: isolation (bubblewrap.py and container.py add them to the command), the meaning of lines.
"""

import json
import os
import queue
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from autograder.course import Limits
from autograder.inside.channel import EVENTS_FD
from autograder.sandbox.event_reader import LineReader, Tail
from autograder.sandbox.handles import Hold, Tree
from autograder.sandbox.watchdog import Watch

MIB = 1024 * 1024
# ulimit counts the size of a file in blocks of 512 bytes
_OTHER_LIMITS = f"ulimit -c 0; ulimit -n 4096; ulimit -f {512 * MIB // 512}"


class SandboxDied(Exception):
    """The sandbox ended before it was done; the text says of what."""


class Sandbox:
    """One command and all that it starts, fed and read line by line.

    `hold` makes the grip on it from the command's pid; a container is more than the tree of that. `setup` is what the
    shell does before; `watch_host`: nothing but the watch limits its memory (autograder.sandbox.memory_limits).
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
        hold: Callable[[int], Hold] = Tree,
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
        self._hold = hold(self._process.pid)
        self.killed_because: str | None = None
        self.output = Tail(self._process.stdout, limits.output_mb * MIB, self._too_much)
        self._events = LineReader(read_fd, limits.output_mb * MIB, self._too_much)
        self._watch = Watch(self._hold, limits, self._too_much, watch_host=watch_host)

    @property
    def peak_mb(self) -> int:
        """The most memory that all its processes had together, as seen by the watch."""
        return self._watch.peak_mb

    @property
    def dropped_lines(self) -> int:
        """How many lines on the result channel were no events."""
        return self._events.dropped

    def send(self, command: dict[str, Any]) -> None:
        """Write one line to the runner; a runner that is gone shows in `receive`."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.write(json.dumps(command).encode() + b"\n")
            self._process.stdin.flush()

    def receive(self, timeout_s: float) -> dict[str, Any]:
        """The next event; raises TimeoutError, or `SandboxDied` with the cause."""
        try:
            event = self._events.queue.get(timeout=max(0.0, timeout_s))
        except queue.Empty:
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
        if cause := self._hold.cause_of_death():
            return cause
        if code < 0 or code > 128:
            return f"the process was killed by {_signal_name(-code if code < 0 else code - 128)}"
        return f"the process ended by itself (exit code {code})"

    def _too_much(self, cause: str) -> None:
        self.killed_because = self.killed_because or cause
        self.kill()

    def pause(self) -> None:
        """Stop all of it, so that the other side of a throughput check has the machine alone; raises `StillRunning`."""
        self._hold.pause()

    def moved(self) -> str | None:
        """None where it has stood still since `pause`; else what it did."""
        return self._hold.moved()

    def resume(self) -> None:
        """Let it go on."""
        self._hold.resume()

    def kill(self) -> None:
        """End all of it at once."""
        self._hold.kill()

    def close(self) -> None:
        """End all of it, wait for that, free what was held."""
        self.kill()
        self._process.wait()
        self._watch.stop()
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        self._events.close()
        self.output.close()
        self._hold.let_go()
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
    """A shell that sets limits which no process of the tree can raise again, and becomes the command behind it.

    (bubblewrap adds the number of processes.) Python's own way, code between fork and exec, can hang for ever where
    another thread holds a lock at that moment.
    """
    steps = [f"ulimit -t {int(limits.wall_s * 2)}", _OTHER_LIMITS, setup or ":", 'exec "$@"']
    return ["/bin/sh", "-c", "; ".join(steps), "sh"]


def deadline_after(seconds: float) -> Callable[[], float]:
    """A function that gives the seconds left, 0 when they are over."""
    end = time.monotonic() + seconds
    return lambda: max(0.0, end - time.monotonic())
