"""JSON lines between runner and judge: commands come on stdin, events leave on a pipe of their own.

Every event bears the order's token, so that what anything else writes to the pipe is told apart. It is no
secret that code in the same process could not find: autograder.judge.events says what is believed.
Keeps out: meaning. The judge reads events as claims of the learner's process, never as facts.
"""

import json
import os
import sys
import threading
from collections.abc import Iterator
from typing import Any

EVENTS_FD = "STREAMLAB_EVENTS_FD"


class Channel:
    """The runner's end."""

    def __init__(self) -> None:
        self._commands = os.fdopen(os.dup(0), "r", encoding="utf-8")
        self._events = os.fdopen(_own_descriptor(), "w", encoding="utf-8")
        self._one_line_at_a_time = threading.RLock()
        self._token = ""
        self._runner = os.getpid()
        _nothing_on_stdin()

    def order(self) -> dict[str, Any]:
        """The first command; events bear its token from now on."""
        order = next(self.commands())
        self._token = str(order.pop("token", ""))
        return order

    def commands(self) -> Iterator[dict[str, Any]]:
        """Commands of the judge until it closes the pipe."""
        for line in self._commands:
            yield json.loads(line)

    def send(self, event: str, **content: Any) -> None:
        """One event, at once; content that JSON cannot hold raises TypeError or ValueError.

        A copy of the runner, which a learner's fork left behind, ends here: it has no cases of its own.
        """
        if os.getpid() != self._runner and event != "finding":
            os._exit(1)
        line = json.dumps({"event": event, **content, "token": self._token}, allow_nan=False) + "\n"
        with self._one_line_at_a_time:
            self._events.write(line)
            self._events.flush()


def _own_descriptor() -> int:
    """The pipe's descriptor, which no program that is started from here inherits or finds in its environment."""
    descriptor = int(os.environ.pop(EVENTS_FD))
    os.set_inheritable(descriptor, False)
    return descriptor


def _nothing_on_stdin() -> None:
    """Give the learner's code an empty stdin; the commands are not for it to read."""
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    sys.stdin = os.fdopen(0, "r", encoding="utf-8", closefd=False)
