"""JSON lines between runner and judge: commands arrive on stdin, events leave on a separate pipe.

Every event carries the order's token, which distinguishes it from other writes to the pipe. Code in the same process
can find the token. The judge therefore reads events as claims of the learner's process, never as facts;
`autograder.judge.events` defines which ones it believes.
"""

import json
import os
import sys
import threading
from collections.abc import Iterator
from typing import Any

EVENTS_FD = "STREAMLAB_EVENTS_FD"


class Channel:
    """The runner's end of the channel."""

    def __init__(self) -> None:
        self._commands = os.fdopen(os.dup(0), "r", encoding="utf-8")
        self._events = os.fdopen(_take_descriptor(), "w", encoding="utf-8")
        self._write_lock, self.asks_lock = threading.RLock(), threading.RLock()
        self._token = ""
        self._runner_pid = os.getpid()
        _replace_stdin()

    def order(self) -> dict[str, Any]:
        """Return the first command, whose token all later events carry."""
        order = next(self.commands())
        self._token = str(order.pop("token", ""))
        return order

    def commands(self) -> Iterator[dict[str, Any]]:
        """Yield the judge's commands until it closes the pipe."""
        for line in self._commands:
            yield json.loads(line)

    def ask(self, question: str, *arguments: Any) -> Any:
        """Return the counterpart's answer to a question about the current case. Raises RuntimeError if it has none."""
        with self.asks_lock:
            self.send("ask", question=question, arguments=arguments)
            reply = next(self.commands())
        if "no_answer" in reply:
            raise RuntimeError(reply["no_answer"])
        return reply["answer"]

    def exchange(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send a message to the other sandbox and return its reply; the caller holds `asks_lock`."""
        self.send("call", message=message)
        reply: dict[str, Any] = next(self.commands())["message"]
        return reply

    def send(self, event: str, **content: Any) -> None:
        """Send one event immediately. Raises TypeError or ValueError for content that JSON cannot hold.

        A copy of the runner that a learner's fork created ends here, since it has no cases to run.
        """
        if os.getpid() != self._runner_pid and event != "finding":
            os._exit(1)
        line = json.dumps({"event": event, **content, "token": self._token}, allow_nan=False) + "\n"
        with self._write_lock:
            self._events.write(line)
            self._events.flush()


def _take_descriptor() -> int:
    """Return the pipe's descriptor and hide it from child processes: not inherited, not in the environment."""
    descriptor = int(os.environ.pop(EVENTS_FD))
    os.set_inheritable(descriptor, False)
    return descriptor


def _replace_stdin() -> None:
    """Give the learner's code an empty stdin, so that it cannot read the commands."""
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    sys.stdin = os.fdopen(0, "r", encoding="utf-8", closefd=False)
